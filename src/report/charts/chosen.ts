import type { Analysis } from '../../analysis/results.ts';
import { byInterest, primaryComparisons } from '../verdict.ts';

/** More rows would be a picture that nobody reads, and that takes hundreds of megabytes to paint. */
const MOST_ROWS = 24;

export interface Chosen {
  /** Places of the variants to draw in `findings.variants`, in their order. */
  readonly places: readonly number[];
  /** A sentence for the caption; empty when all are drawn. */
  readonly note: string;
}

/** All variants, or, where there are more than `most`, the baselines and those that changed most. */
export function chosenVariants(analysis: Analysis, most = MOST_ROWS): Chosen {
  const { variants } = analysis.findings;
  const all = [...variants.keys()];
  if (variants.length <= most) return { places: all, note: '' };
  const comparisons = byInterest(primaryComparisons(analysis.findings));
  const ranked = new Set([
    analysis.findings.experiment.baseline,
    ...comparisons.map((c) => c.variant),
    ...variants.map((v) => v.name),
  ]);
  const names = new Set([...ranked].slice(0, most));
  return {
    places: all.filter((i) => names.has(variants[i]!.name)),
    note: `Drawn are ${most} of ${variants.length} variants: the baseline and those that changed most. `,
  };
}
