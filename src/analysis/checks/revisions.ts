import { usesFiles } from '../../executors/registry.ts';
import type { Check } from '../../findings/checks.ts';
import type { VariantRecord } from '../../store/records.ts';

/** A revision changes nothing in a container that neither is built from it nor sees any folder of the host. */
export function revisionChecks(variants: readonly VariantRecord[]): Check[] {
  const at = variants.filter(({ revision, hidden }) => revision !== null && !hidden);
  if (at.length === 0) return [];
  const name = 'revisions';
  const untouched = at.filter(({ definition }) => !usesFiles(definition));
  if (untouched.length === 0) {
    return [{ name, state: 'ok', detail: 'Every variant at a revision sees files of it.', advice: null }];
  }
  const names = untouched.map((variant) => variant.name).join(', ');
  return [
    {
      name,
      state: 'warn',
      detail: `${names}: the image is not built from the revision and no folder of it is mounted, so that the revision changes nothing there.`,
      advice: 'Give build in the place of image, or a volume such as ".:/work".',
    },
  ];
}
