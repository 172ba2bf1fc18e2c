import type { Comparison, Inconclusive } from '../../findings/comparison.ts';
import { dipTest } from '../../stats/dip.ts';
import { logRatio, toPercent } from '../../stats/log-ratio.ts';
import { median } from '../../stats/quantiles.ts';
import { moments } from '../../stats/sums.ts';
import { FALSE_ALARMS } from '../checks/alarm.ts';
import { serialDependence } from '../checks/serial.ts';
import type { ComparedRun } from './pairing.ts';
import { type Sample, takeSample } from './sample.ts';
import { equivalence } from './tests.ts';

type Drift = NonNullable<Comparison['drift']>;
type Groups = NonNullable<Comparison['groups']>;

/** Minimum p of the two one-sided t tests for which the mean contradicts an interval inside the margin. */
const MIN_CONTRADICTING_P = 0.25;
/** Minimum distance of two groups' centers, in standard deviations within them; the halves of a uniform distribution have 3.5. */
const MIN_DISTANCE = 4;
/** Maximum share of blocks that count as outliers. */
const MAX_OUTLIER_SHARE = 0.1;

/** Trend of the difference over the blocks in time order, at the check's level for this number of `comparisons`. Null: none. */
export function driftOfDifference({ pairs, logRatios }: Sample, comparisons: number): Drift | null {
  if (pairs === null || logRatios === null) return null;
  const inTime = pairs
    .map((pair) => ({
      run: Math.max(pair.baseline.run, pair.variant.run),
      d: logRatio(pair.baseline.energyJ, pair.variant.energyJ),
    }))
    .sort((a, b) => a.run - b.run);
  const seen = serialDependence(
    inTime.map(({ d }) => d),
    FALSE_ALARMS / comparisons,
  );
  return seen?.trends ? { change_percent: toPercent(seen.change), p: seen.trendP } : null;
}

/**
 * The two groups of blocks whose spread within them is smallest, where the dip test finds more than one mode and their centers are clearly apart.
 * Null: the blocks are one group.
 */
export function blockGroups({ logRatios }: Sample): Groups | null {
  const test = logRatios && dipTest(logRatios);
  if (!test || test.scaled <= test.limit) return null;
  const ascending = logRatios.toSorted((a, b) => a - b);
  const best = bestCut(ascending);
  const groups = [ascending.slice(0, best), ascending.slice(best)];
  const [low, high] = groups.map(median) as [number, number];
  if (high - low < MIN_DISTANCE * spreadWithin(groups)) return null;
  return groups.map((group) => ({
    blocks: group.length,
    percent: toPercent(median(group)),
  }));
}

/** Standard deviation within the groups. */
function spreadWithin(groups: readonly (readonly number[])[]): number {
  const squares = groups.map((group) => (group.length - 1) * (moments(group).variance ?? 0));
  const n = groups.reduce((sum, group) => sum + group.length - 1, 0);
  return n === 0 ? 0 : Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / n);
}

/** Size of the lower group in the split that has the smallest spread within both groups. */
function bestCut(ascending: readonly number[]): number {
  const n = ascending.length;
  const mean = ascending.reduce((sum, value) => sum + value, 0) / n;
  let [best, most, below] = [1, 0, 0];
  for (let size = 1; size < n; size++) {
    below += (ascending[size - 1] as number) - mean;
    const between = below ** 2 * (1 / size + 1 / (n - size));
    if (between > most) [best, most] = [size, between];
  }
  return best;
}

type Seen = Pick<Comparison, 'drift' | 'groups'> & { readonly tests: Pick<Comparison['tests'], 'tost'> };

/** Result of the runs that contradicts an interval inside the margin. Null: none. */
export function contradiction(
  { drift, groups, tests }: Seen,
  sample: Sample,
  marginPercent: number,
): Inconclusive | null {
  const margin = Math.log1p(marginPercent / 100);
  if (drift && Math.abs(Math.log1p(drift.change_percent / 100)) > margin) return 'drifts';
  const [low, high] = groups ?? [];
  if (low && high && logRatio(100 + low.percent, 100 + high.percent) > margin) return 'groups';
  const disagrees = (tost: Comparison['tests']['tost']): boolean => (tost?.p ?? 0) >= MIN_CONTRADICTING_P;
  // A few outliers that move the mean do not contradict a typical change; the findings about the tail name them.
  return disagrees(tests.tost) && disagrees(equivalence(withoutFarthest(sample), marginPercent))
    ? 'means-disagree'
    : null;
}

/** The same for log ratios of blocks in time order, one of a `family` of contrasts. */
export function contradictionOfBlocks(
  logs: readonly number[],
  marginPercent: number,
  family: number,
): Inconclusive | null {
  const arm = (sign: 0 | 1) =>
    logs.map((log, i) => ({ run: i, block: i, energyJ: Math.exp(sign * log), durationS: null }));
  const sample = takeSample(arm(0), arm(1));
  const tost = equivalence(sample, marginPercent);
  const seen = { drift: driftOfDifference(sample, family), groups: blockGroups(sample), tests: { tost } };
  return contradiction(seen, sample, marginPercent);
}

/** The runs without the tenth of the blocks (or of each arm) that is farthest from the median. */
function withoutFarthest({ baseline, variant, pairs }: Sample): Sample {
  if (pairs === null) return takeSample(nearest(baseline, energyOf), nearest(variant, energyOf));
  const near = nearest(pairs, (pair) => logRatio(pair.baseline.energyJ, pair.variant.energyJ));
  return takeSample(
    near.map((pair) => pair.baseline),
    near.map((pair) => pair.variant),
  );
}

const energyOf = ({ energyJ }: ComparedRun): number => energyJ;

function nearest<Of>(all: readonly Of[], measure: (of: Of) => number): Of[] {
  const middle = median(all.map(measure));
  const distance = (of: Of): number => Math.abs(measure(of) - middle);
  const kept = all.length - Math.ceil(MAX_OUTLIER_SHARE * all.length);
  return all.toSorted((a, b) => distance(a) - distance(b)).slice(0, kept);
}
