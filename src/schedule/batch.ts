import type { ChannelInfo } from '../meters/meter.ts';

/** With fewer readings in its window a run's energy is coarse; with fewer than the second number it decides nothing (method reference: run length). */
export const ENOUGH_READINGS = 30;
export const LEAST_READINGS = 10;

/** A counter is read at the window's very edges; what remains is the start and the end of the workload itself. */
const COUNTER_WINDOW_S = 5;

/** Executions of one run at most. */
export const MOST_EXECUTIONS = 10_000;

/** Warm-up runs are a sample of the durations: a window that comes out a little shorter shall still be long enough. */
const MARGIN = 1.05;

/** How long a window of the primary meter should be, seconds. */
export function windowTargetS(channels: readonly Pick<ChannelInfo, 'integration' | 'samplingPeriodS'>[]): number {
  const periods = channels.filter((c) => c.integration === 'guard').map((c) => c.samplingPeriodS);
  return periods.length === 0 ? COUNTER_WINDOW_S : ENOUGH_READINGS * Math.max(...periods);
}

/**
 * `batch: auto`: the smallest number of executions a window that makes every variant's window long enough, the same for all, since only
 * equal work compares. From the shortest warm-up run of each variant, seconds.
 */
export function batchFor(durationsS: ReadonlyMap<string, readonly number[]>, targetS: number): number {
  const shortest = Math.min(...[...durationsS.values()].flat());
  if (!(shortest > 0 && Number.isFinite(shortest))) return shortest === 0 ? MOST_EXECUTIONS : 1;
  if (shortest >= targetS) return 1;
  return Math.min(MOST_EXECUTIONS, Math.ceil((MARGIN * targetS) / shortest));
}
