import type { Alternatives } from '../../findings/alternatives.ts';
import type { ExactInterval, Interval } from '../../findings/numbers.ts';
import { type ShiftInterval, shiftEstimate, walshEstimate } from '../../stats/hodges-lehmann.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { mannWhitneyDoubled } from '../../stats/mann-whitney.ts';
import { detectableTwoSample } from '../../stats/power.ts';
import { fiellerPercent, logRatioOfMeans } from '../../stats/ratio-of-means.ts';
import { signFlipInterval } from '../../stats/sign-flip-interval.ts';
import { signedRank } from '../../stats/signed-rank.ts';
import { tQuantile } from '../../stats/student.ts';
import { moments } from '../../stats/sums.ts';
import { pairedEstimate, tInterval, tost, welchEstimate } from '../../stats/welch.ts';
import { orderAdjusted, orderEffect } from './order.ts';
import { toPercentInterval } from './percent.ts';
import type { Sample } from './sample.ts';

/** Maximum blocks for the sign-flip interval, which draws as often as there are blocks, like its test. */
const MAX_FLIPPED = 2000;

/** The same comparison with other methods, as a sensitivity analysis: the verdict never uses it. */
export function alternatives(sample: Sample, marginPercent: number, seed: number, ordered: boolean): Alternatives {
  const { x, y, pairs, logRatios } = sample;
  const walsh = logRatios && walshEstimate(logRatios);
  const shift = shiftEstimate(x, y);
  const flips = logRatios && logRatios.length <= MAX_FLIPPED ? signFlipInterval(logRatios, seed) : null;
  const pratt = logRatios && signedRank(logRatios, 'pratt');
  return {
    walsh: walsh && { ci95: achieved(walsh.ci95, toPercent), ci90: achieved(walsh.ci90, toPercent) },
    shift_joules: shift && { ci95: achieved(shift.ci95, same), ci90: achieved(shift.ci90, same) },
    signed_rank_pratt: pratt && { p: pratt.p },
    mann_whitney_doubled: doubled(x, y),
    mean_log_sign_flip: achieved(flips, toPercent),
    ratio_of_means: {
      log_delta_ci95: logDelta(x, y),
      fieller_ci95: fiellerPercent(x, y, false),
      paired_fieller_ci95: pairs
        ? fiellerPercent(
            pairs.map((pair) => pair.baseline.energyJ),
            pairs.map((pair) => pair.variant.energyJ),
            true,
          )
        : null,
    },
    tost: oneSided(sample, marginPercent),
    minimum_detectable: { paired_t_percent: detectablePairedT(logRatios), two_sample_percent: detectableArms(x, y) },
    order_adjusted: ordered ? orderAdjusted(sample, orderEffect(sample)) : null,
  };
}

const same = (value: number): number => value;

/** An exact interval with its achieved confidence and the rank of the order statistics at its ends. */
function achieved(found: ShiftInterval | null | undefined, unit: (value: number) => number): ExactInterval | null {
  if (!found) return null;
  const interval: Interval = [unit(found.interval[0]), unit(found.interval[1])];
  return { interval, confidence: found.confidence, k: found.k };
}

function doubled(x: readonly number[], y: readonly number[]): Alternatives['mann_whitney_doubled'] {
  const p = mannWhitneyDoubled(x, y);
  return p === null ? null : { p };
}

function logDelta(x: readonly number[], y: readonly number[]): Interval | null {
  const estimate = logRatioOfMeans(x, y);
  return estimate && toPercentInterval(tInterval(estimate, 0.95));
}

/** Both one-sided p-values of the equivalence test; `tests.tost` has the larger. */
function oneSided({ x, y, pairs, logRatios }: Sample, marginPercent: number): Alternatives['tost'] {
  const estimate = pairs === null ? welchEstimate(x, y) : logRatios && pairedEstimate(logRatios);
  const margin =
    pairs === null ? (marginPercent / 100) * (x.length > 0 ? moments(x).mean : 0) : Math.log1p(marginPercent / 100);
  if (estimate === null || !(margin > 0)) return null;
  const { pLower, pUpper } = tost(estimate, -margin, margin);
  return { p_lower: pLower, p_upper: pUpper };
}

/** (t₀.₉₇₅ + t₀.₈₀)·s/√n of the blocks' log ratios. */
function detectablePairedT(logRatios: readonly number[] | null): number | null {
  const estimate = logRatios && pairedEstimate(logRatios);
  if (!estimate) return null;
  return toPercent((tQuantile(0.975, estimate.df) + tQuantile(0.8, estimate.df)) * estimate.se);
}

/** Detectable effect by the noncentral t, of the arms without blocks. */
function detectableArms(x: readonly number[], y: readonly number[]): number | null {
  const d = detectableTwoSample(x.length, y.length);
  if (d === null) return null;
  const [a, b] = [moments(x), moments(y)];
  const df = a.n + b.n - 2;
  const pooled = Math.sqrt(((a.n - 1) * (a.variance as number) + (b.n - 1) * (b.variance as number)) / df);
  return a.mean > 0 && pooled > 0 ? (100 * d * pooled) / a.mean : null;
}
