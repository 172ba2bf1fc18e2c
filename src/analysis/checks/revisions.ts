import { usesFiles } from '../../executors/registry.ts';
import type { Check } from '../../findings/checks.ts';
import type { VariantRecord } from '../../store/records.ts';

/** A revision has no effect on a container that is neither built from it nor mounts a folder of the host. */
export function revisionChecks(all: readonly VariantRecord[]): Check[] {
  const at = all.filter(({ revision, hidden }) => revision !== null && !hidden);
  if (at.length === 0) return [];
  const variants = at.filter(({ definition }) => !usesFiles(definition)).map(({ name }) => name);
  const isSeen = variants.length === 0;
  return [
    { name: 'revisions', state: isSeen ? 'ok' : 'warn', reason: isSeen ? 'seen' : 'unseen', facts: { variants } },
  ];
}
