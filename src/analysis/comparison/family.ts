import type { Comparison } from '../../findings/comparison.ts';
import { benjaminiHochberg, holm } from '../../stats/adjust.ts';

/** Comparisons that are judged together. */
export interface Family {
  /** Holm's p of each, in their order; null where there is nothing to test, and where only one has something. */
  readonly p: readonly (number | null)[];
  /** Benjamini and Hochberg's, for dashboards. */
  readonly bh: readonly (number | null)[];
  /** How many are tested. */
  readonly size: number;
}

/**
 * Adjusts the test that decides (signed-rank; without blocks Mann–Whitney) by Holm's method (1979), which holds the chance of any false
 * alarm whatever the dependence; where an experiment could end early, its p that allows for the looks. Those that can't be tested can't raise one, and are not counted.
 */
export function holmOf(comparisons: readonly Pick<Comparison, 'blocks' | 'tests' | 'look'>[]): Family {
  const tested = comparisons.flatMap(({ blocks, tests, look }, i) => {
    const deciding = blocks === null ? tests.mann_whitney : tests.wilcoxon_signed_rank;
    return deciding === null ? [] : [{ i, p: look?.repeated_p ?? deciding.p }];
  });
  const adjusted = (by: (p: readonly number[]) => number[]): (number | null)[] => {
    const p = comparisons.map((): number | null => null);
    if (tested.length < 2) return p;
    by(tested.map((test) => test.p)).forEach((value, place) => {
      p[tested[place]?.i ?? 0] = value;
    });
    return p;
  };
  return { p: adjusted(holm), bh: adjusted(benjaminiHochberg), size: tested.length };
}
