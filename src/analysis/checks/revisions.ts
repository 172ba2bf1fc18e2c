import { usesFiles } from '../../executors/registry.ts';
import type { Check } from '../../findings/checks.ts';
import type { VariantRecord } from '../../store/records.ts';

/** A revision has no effect on a container that is neither built from it nor mounts a folder of the host. */
export function revisionChecks(variants: readonly VariantRecord[]): Check[] {
  const at = variants.filter(({ revision, hidden }) => revision !== null && !hidden);
  if (at.length === 0) return [];
  const untouched = at.filter(({ definition }) => !usesFiles(definition)).map(({ name }) => name);
  return untouched.length === 0
    ? [{ name: 'revisions', state: 'ok', reason: 'seen', facts: { variants: [] } }]
    : [{ name: 'revisions', state: 'warn', reason: 'unseen', facts: { variants: untouched } }];
}
