import type { Threshold } from '../../experiment/experiment.ts';
import type { Comparison } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import { walshEstimate, walshInterval } from '../../stats/hodges-lehmann.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { resolve } from '../../stats/resolution.ts';
import { signedRank } from '../../stats/signed-rank.ts';
import { stepWidening } from './coarse.ts';
import { type Interims, repeated } from './interim.ts';
import { interval95, resolvedShift } from './percent.ts';
import type { Sample } from './sample.ts';

/** A change in percent or joules, compared with a limit. */
export interface Change {
  readonly estimate: number | null;
  /** Null: too few values for 95 %. */
  readonly ci95: Interval | null;
  /** Two-sided p for the change being equal to the limit; it allows for interim analyses. */
  readonly p: number | null;
}

type ChangeLimit = Pick<Threshold, 'metric' | 'limit'>;

/**
 * The change with the interval and test that decide: with blocks, the signed-rank ones for log ratios or differences in joules;
 * without blocks, the two-sample ones. The numbers are those of the comparison, where it has them.
 */
export function changeOf(comparison: Comparison, sample: Sample, asked: ChangeLimit, looks: Interims | null): Change {
  const p = sample.pairs === null ? shiftP(sample, asked) : blocksP(sample, asked, comparison, looks);
  if (asked.metric === 'joules') {
    return { ...(comparison.joules ?? joulesChange(sample, comparison.look?.nominal_p)), p };
  }
  // An interim analysis has its own confidence; the repeated interval holds with 95 % over all of them.
  return { estimate: comparison.percent.estimate, ci95: interval95(comparison.percent), p };
}

/**
 * The change in joules, by the method of the percentage: with blocks, Hodges–Lehmann of their differences with the
 * signed-rank interval at `level` (two-sided α); without blocks, the two-sample shift.
 */
export function joulesChange(sample: Sample, level = 0.05): Joules {
  return sample.pairs === null ? computeShift(sample) : byBlocks(sample, level);
}

type Joules = NonNullable<Comparison['joules']>;

function joulesOf({ pairs }: Sample): number[] {
  return (pairs ?? []).map((pair) => pair.variant.energyJ - pair.baseline.energyJ);
}

function byBlocks(sample: Sample, level: number): Joules {
  const differences = joulesOf(sample);
  const found = sample.constant ? null : walshInterval(differences, level);
  const room = stepWidening(sample).joules;
  return {
    estimate: walshEstimate(differences)?.estimate ?? null,
    ci95: found !== null && found.confidence >= 1 - level ? [found.interval[0] - room, found.interval[1] + room] : null,
  };
}

/** As with blocks, there is no interval without variation: nothing is known of the noise. */
function computeShift({ x, y, constant }: Sample): Joules {
  if (x.length === 0 || y.length === 0) return { estimate: null, ci95: null };
  const shift = resolvedShift(x, y);
  const found = constant ? null : shift?.ci95;
  return { estimate: shift?.estimate ?? null, ci95: found && found.confidence >= 0.95 ? found.interval : null };
}

function blocksP(
  sample: Sample,
  { metric, limit }: ChangeLimit,
  { look }: Comparison,
  looks: Interims | null,
): number | null {
  const differences = metric === 'joules' ? joulesOf(sample) : (sample.logRatios ?? []);
  const zero = metric === 'joules' ? limit : Math.log1p(limit / 100);
  const p = signedRank(differences.map((difference) => difference - zero))?.p;
  return repeated(p, look ? looks : null);
}

function shiftP({ x, y }: Sample, { metric, limit }: ChangeLimit): number | null {
  if (x.length === 0 || y.length === 0) return null;
  const read = resolve(x, y);
  const atLimit = read.y.map((energy) => (metric === 'joules' ? energy - limit : energy / (1 + limit / 100)));
  return mannWhitney(read.x, atLimit)?.p ?? null;
}
