import type { Comparison, Interval } from '../findings.ts';
import { fisherExact } from '../stats/fisher-exact.ts';
import { shiftEstimate, walshEstimate } from '../stats/hodges-lehmann.ts';
import { toPercent } from '../stats/log-ratio.ts';
import { flagged } from '../stats/quantiles.ts';
import { meanDifference, moments } from '../stats/sums.ts';
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
    tail_effect: tailEffect(sample, odd.baseline, odd.variant),
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
 * True when the mean and the Hodges–Lehmann estimate disagree by more than the half-width of its interval, or when one arm has more
 * flagged runs (Fisher's exact p < 0.05): then the change may sit in a few expensive runs, which the mean counts and the median
 * doesn't. Null without a 95 % interval.
 */
function tailEffect(
  { x, y, pairs, logRatios }: Sample,
  oddBaseline: readonly ComparedRun[] | null,
  oddVariant: readonly ComparedRun[] | null,
): boolean | null {
  const shift = pairs === null ? shiftEstimate(x, y) : logRatios && walshEstimate(logRatios);
  if (!shift?.ci95 || shift.ci95.confidence < 0.95) return null;
  const mean = logRatios === null ? meanDifference(x, y) : moments(logRatios).mean;
  const [low, high] = shift.ci95.interval;
  // An interval without width (heavy ties) is no measure of disagreement.
  if (high > low && Math.abs(mean - shift.estimate) > (high - low) / 2) return true;
  if (oddBaseline === null || oddVariant === null) return false;
  return fisherExact(oddBaseline.length, x.length, oddVariant.length, y.length) < 0.05;
}
