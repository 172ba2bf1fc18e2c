import { MIN_READINGS } from '../schedule/batch.ts';
import { toPercent } from '../stats/log-ratio.ts';
import { minBlocks } from '../stats/signed-rank.ts';
import { tQuantile } from '../stats/student.ts';
import { detectablePerHalfWidth } from './comparison/detectable.ts';
import type { RunEnergy } from './energy.ts';
import { randomJ, runUncertainty, type UncertainChannel } from './uncertainty.ts';

/** Known or assumed properties of an experiment before it begins: powers in watts, times in seconds. */
export interface ForeseenRuns {
  readonly blocks: number;
  /** Comparisons that are judged together; default: one. */
  readonly family?: number;
  readonly lengthS: number;
  readonly restS: number;
  readonly guardS: number;
  readonly powerW: number;
  readonly idleW: number;
  /** Standard deviation of the machine's power from one second to the next. */
  readonly fluctuationW: number;
}

/** Assumed machine if nothing is known: a small computer under high load; `docs/meters.md` describes it. */
export const ASSUMED_MACHINE = { powerW: 80, idleW: 40, fluctuationW: 0.5 };

/** The asymptotic relative efficiency of the signed-rank test beside Student's, 3/π, for normal differences (Lehmann, Nonparametrics, 1975). */
export const SIGNED_RANK_EFFICIENCY = 3 / Math.PI;

export type SmallestVisible =
  | { readonly percent: number }
  /** `few-blocks`: no interval of 95 %; `short-runs`: too few readings in a window; `unknown-edges`: the counter's delay is unknown. */
  | { readonly unseen: 'few-blocks' | 'short-runs' | 'unknown-edges' };

/**
 * The smallest change that such an experiment would show with this meter, in percent of what the meter sees: 80 of 100 experiments with that
 * change have an interval without zero, as in `detectableRatio` of a finished experiment. From `runUncertainty` of the
 * run that is expected, and what the machine itself adds while it fluctuates in the window; the
 * spread of the workload from run to run comes on top. The gain of the meter's class cancels.
 */
export function smallestVisible(channel: UncertainChannel, runs: ForeseenRuns): SmallestVisible {
  const { blocks, lengthS, family = 1 } = runs;
  if (blocks < minBlocks(family)) return { unseen: 'few-blocks' };
  if (channel.integration !== 'counter' && lengthS < MIN_READINGS * channel.samplingPeriodS)
    return { unseen: 'short-runs' };
  const spread = blockSpread(channel, runs);
  if (spread === null) return { unseen: 'unknown-edges' };
  const halfWidth = tQuantile(0.975, blocks - 1) * (spread / Math.sqrt(SIGNED_RANK_EFFICIENCY * blocks));
  return { percent: toPercent(detectablePerHalfWidth(family) * halfWidth) };
}

/** Standard deviation of a block's log ratio from meter and machine; null: the meter's delay is unknown. */
export function blockSpread(channel: UncertainChannel, runs: ForeseenRuns): number | null {
  const { lengthS, powerW, fluctuationW } = runs;
  const statedJ = randomJ(runUncertainty(expectedEnergy(channel, runs), lengthS, channel).gross);
  const machineJ = fluctuationW * Math.sqrt(lengthS);
  return statedJ === null ? null : (Math.SQRT2 * Math.hypot(statedJ, machineJ)) / (powerW * lengthS);
}

/** A run of that length and power, with rests on both sides, as the meter would give it. */
function expectedEnergy({ integration, samplingPeriodS }: UncertainChannel, runs: ForeseenRuns): RunEnergy {
  const { lengthS, powerW, idleW, restS, guardS, fluctuationW } = runs;
  const counter = integration === 'counter';
  const outsideS = restS - 2 * guardS - samplingPeriodS;
  // As in `guardIdle`: outside of the guards, or in the guard before the window if the rest is hardly longer.
  const idleS = counter ? restS : outsideS >= 3 * samplingPeriodS ? outsideS : Math.max(guardS, samplingPeriodS);
  const idleScatterW = fluctuationW / Math.sqrt(samplingPeriodS);
  return {
    energyJ: powerW * lengthS,
    netEnergyJ: (powerW - idleW) * lengthS,
    idle: {
      powerW: idleW,
      uncertaintyW: fluctuationW / Math.sqrt(2 * idleS),
      scatterW: idleScatterW,
      changeW: 0,
    },
    samples: Math.round(lengthS / samplingPeriodS),
    summedS: counter ? lengthS : lengthS + 2 * guardS + samplingPeriodS,
    scatterW: fluctuationW / Math.sqrt(Math.min(1, samplingPeriodS)),
  };
}
