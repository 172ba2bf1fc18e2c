import type { Comparison } from '../../findings/comparison.ts';
import { adjustSeveral, benjaminiHochberg } from '../../stats/adjust.ts';

/** Comparisons that are judged together. */
export interface Family {
  /** Holm-adjusted p of each, in order; null: it can't be tested, or is the only one that can. */
  readonly p: readonly (number | null)[];
  /** Benjamini–Hochberg-adjusted p, for dashboards. */
  readonly bh: readonly (number | null)[];
  /** Number of comparisons that can be tested. */
  readonly size: number;
}

/**
 * Adjusts the deciding test (signed-rank; without blocks Mann–Whitney) by Holm's method (1979), which bounds the chance of any false positive under
 * any dependence; with interim analyses, it uses the p that allows for them. Comparisons that can't be tested are not counted.
 */
export function holmOf(comparisons: readonly Pick<Comparison, 'blocks' | 'tests' | 'look'>[]): Family {
  const ps = comparisons.map(decidingP);
  const size = ps.filter((p) => p !== null).length;
  return { p: adjustSeveral(ps), bh: adjustSeveral(ps, benjaminiHochberg), size };
}

/** p of the deciding test; null: it can't be tested. */
function decidingP({ blocks, tests, look }: Pick<Comparison, 'blocks' | 'tests' | 'look'>): number | null {
  const deciding = blocks === null ? tests.mann_whitney : tests.wilcoxon_signed_rank;
  return deciding === null ? null : (look?.repeated_p ?? deciding.p);
}

/**
 * Adjusts the comparisons of a suite: Holm's method within each benchmark, then Benjamini and Hochberg's (1995) over the results, since users pick
 * what changed from all of them. `benchmarks`: of each comparison.
 */
export function suiteFamily(
  comparisons: readonly Pick<Comparison, 'blocks' | 'tests' | 'look'>[],
  benchmarks: readonly (string | undefined)[],
): Family {
  const places = Map.groupBy(
    comparisons.map((_, i) => i),
    (i) => benchmarks[i],
  );
  const p = comparisons.map((): number | null => null);
  const own = comparisons.map((): number | null => null);
  for (const group of places.values()) {
    const members = group.map((i) => comparisons[i]!);
    const within = holmOf(members);
    group.forEach((i, place) => {
      p[i] = within.p[place] ?? null;
      own[i] = p[i] ?? decidingP(comparisons[i]!);
    });
  }
  const tested = own.flatMap((value, i) => (value === null ? [] : [{ i, value }]));
  const rates = benjaminiHochberg(tested.map(({ value }) => value));
  const bh = comparisons.map((): number | null => null);
  tested.forEach(({ i }, place) => {
    bh[i] = rates[place] ?? null;
  });
  return { p, bh, size: tested.length };
}
