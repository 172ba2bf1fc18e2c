import type { Analysis } from '../../analysis/findings.ts';
import { byInterest, primaryComparisons } from '../verdict.ts';

/** More rows would be a picture that nobody reads, and that takes hundreds of megabytes to paint. */
const MOST = 24;

export interface Chosen {
  /** Places of the variants to draw in `findings.variants`, in their order. */
  readonly places: readonly number[];
  /** A sentence for the caption; empty when all are drawn. */
  readonly note: string;
}

/** All variants, or the baselines and those that changed most where there are too many. */
export function chosenVariants(analysis: Analysis): Chosen {
  const { variants } = analysis.findings;
  const all = [...variants.keys()];
  if (variants.length <= MOST) return { places: all, note: '' };
  const comparisons = byInterest(primaryComparisons(analysis));
  const ranked = new Set([
    analysis.findings.experiment.baseline,
    ...comparisons.map((c) => c.variant),
    ...variants.map((v) => v.name),
  ]);
  const names = new Set([...ranked].slice(0, MOST));
  return {
    places: all.filter((i) => names.has(variants[i]!.name)),
    note: `Drawn are ${MOST} of ${variants.length} variants: the baseline and those that changed most. `,
  };
}
