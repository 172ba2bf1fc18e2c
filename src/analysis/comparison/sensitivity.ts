import type { Comparison } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import { fisherExact } from '../../stats/fisher-exact.ts';
import { shiftEstimate, walshEstimate } from '../../stats/hodges-lehmann.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { flagged } from '../../stats/quantiles.ts';
import { meanDifference, moments } from '../../stats/sums.ts';
import type { ComparedRun } from './pairing.ts';
import type { Sample } from './sample.ts';

type Line = Comparison['sensitivity']['without_flagged'];

/** Below this many blocks there is no first quarter worth leaving out. */
const LEAST_FOR_QUARTER = 8;

/** The headline again under other choices, for the reader; the verdict never uses it. Lines need blocks. */
export function sensitivity(sample: Sample): Comparison['sensitivity'] {
  const odd = { baseline: flaggedRuns(sample.baseline), variant: flaggedRuns(sample.variant) };
  return {
    without_flagged: withoutFlagged(sample, new Set([...(odd.baseline ?? []), ...(odd.variant ?? [])])),
    without_first_quarter: withoutFirstQuarter(sample),
    tail_effect: tailEffect(tailNumbers(sample)),
  };
}

/** Runs flagged by the modified z of ln E within their arm; null where that is undefined. */
function flaggedRuns(runs: readonly ComparedRun[]): ComparedRun[] | null {
  if (!runs.every((run) => run.energyJ > 0)) return null;
  return flagged(runs.map((run) => Math.log(run.energyJ)))?.map((i) => runs[i] as ComparedRun) ?? null;
}

function withoutFlagged({ pairs, logRatios }: Sample, odd: ReadonlySet<ComparedRun>): Line {
  if (pairs === null || logRatios === null) return null;
  const oddRatios = new Set(flagged(logRatios) ?? []);
  const kept = logRatios.filter((_, i) => {
    const pair = pairs[i];
    return pair !== undefined && !oddRatios.has(i) && !odd.has(pair.baseline) && !odd.has(pair.variant);
  });
  return kept.length < logRatios.length ? line(kept) : null;
}

function withoutFirstQuarter({ logRatios }: Sample): Line {
  if (logRatios === null || logRatios.length < LEAST_FOR_QUARTER) return null;
  return line(logRatios.slice(Math.floor(logRatios.length / 4)));
}

function line(logRatios: readonly number[]): Line {
  const shift = walshEstimate(logRatios);
  if (shift === null) return null;
  const { ci95 } = shift;
  const interval: Interval | null =
    ci95 !== null && ci95.confidence >= 0.95 ? [toPercent(ci95.interval[0]), toPercent(ci95.interval[1])] : null;
  return { blocks: logRatios.length, estimate: toPercent(shift.estimate), ci95: interval };
}

/**
 * How far the mean and the Hodges–Lehmann estimate are apart (log ratios; without blocks joules), beside the half-width of its 95 % interval,
 * and Fisher's exact p that both arms have as many flagged runs.
 */
export function tailNumbers(sample: Sample): NonNullable<Comparison['tail']> {
  const { x, y, pairs, logRatios } = sample;
  const shift = pairs === null ? shiftEstimate(x, y) : logRatios && walshEstimate(logRatios);
  const mean = (): number => (logRatios === null ? meanDifference(x, y) : moments(logRatios).mean);
  const ends = shift?.ci95 && shift.ci95.confidence >= 0.95 ? shift.ci95.interval : null;
  const [a, b] = [flaggedRuns(sample.baseline), flaggedRuns(sample.variant)];
  return {
    disagreement: shift && Math.abs(mean() - shift.estimate),
    half_width: ends && (ends[1] - ends[0]) / 2,
    flags_p: a === null || b === null ? null : fisherExact(a.length, x.length, b.length, y.length),
  };
}

/**
 * True when the mean and the Hodges–Lehmann estimate disagree by more than the half-width of its interval, or when one arm has more
 * flagged runs (Fisher's exact p < 0.05): then the change may sit in a few expensive runs, which the mean counts and the median
 * doesn't. Null without a 95 % interval.
 */
function tailEffect({ disagreement, half_width: half, flags_p: p }: NonNullable<Comparison['tail']>): boolean | null {
  if (half === null || disagreement === null) return null;
  // An interval without width (heavy ties) is no measure of disagreement.
  return (half > 0 && disagreement > half) || (p !== null && p < 0.05);
}
