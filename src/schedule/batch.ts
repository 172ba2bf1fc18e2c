import { nsToSeconds } from '../system/clock.ts';
import type { RunStatus } from './outcome.ts';

/** With fewer readings in its window a run's energy is coarse; with fewer than the second number it decides nothing (method reference: run length). */
export const ENOUGH_READINGS = 30;
export const LEAST_READINGS = 10;

/** A counter is read at the window's very edges; what remains is the start and the end of the workload itself. */
const COUNTER_WINDOW_S = 5;

/** Executions of one run at most. */
export const MOST_EXECUTIONS = 10_000;

/** Warm-up runs are a sample of the durations: a window that comes out a little shorter shall still be long enough. */
const MARGIN = 1.05;

/** What the length of a window depends on: `guard` channels average over their period, `counter` ones are read at its edges. */
export interface WindowedChannel {
  readonly integration: 'guard' | 'counter';
  readonly samplingPeriodS: number;
}

/** How long a window of the primary meter should be, seconds. */
export function windowTargetS(channels: readonly WindowedChannel[]): number {
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

interface EndedRun {
  readonly variant: string;
  readonly status: RunStatus;
  readonly startNs: bigint;
  readonly endNs: bigint;
}

/** How often a run's command is executed inside its window: the same for every compared run of an experiment. Warm-up runs execute it once. */
export class Batch {
  readonly #asked: number | 'auto';
  readonly #warmupsS = new Map<string, number[]>();
  /** How long a window should be for the meter. */
  readonly targetS: number;
  #decided: number | null;

  /** `recorded`: the runs of an unfinished experiment. Its number stays, whatever they took. */
  constructor(
    asked: number | 'auto',
    targetS: number,
    recorded: readonly (EndedRun & { readonly block: number; readonly executions: number })[],
  ) {
    this.#asked = asked;
    this.targetS = targetS;
    for (const run of recorded) this.observe(run);
    this.#decided = recorded.find(({ block }) => block > 0)?.executions ?? null;
  }

  /** Takes note of a run that has ended. */
  observe({ variant, status, startNs, endNs }: EndedRun): void {
    if (status !== 'warmup') return;
    const durations = this.#warmupsS.get(variant);
    const durationS = nsToSeconds(endNs - startNs);
    if (durations) durations.push(durationS);
    else this.#warmupsS.set(variant, [durationS]);
  }

  /** Executions of a compared run; decided when it is first asked for, after the warm-up. */
  get executions(): number {
    this.#decided ??= this.#asked === 'auto' ? batchFor(this.#warmupsS, this.targetS) : this.#asked;
    return this.#decided;
  }

  /** How much longer than a warm-up run a compared one will be, seconds: the mean of the observed ones for every further execution. */
  get addedS(): number {
    const seen = [...this.#warmupsS.values()].flat();
    if (seen.length === 0) return 0;
    return ((this.executions - 1) * seen.reduce((sum, s) => sum + s, 0)) / seen.length;
  }
}
