import { nsToSeconds } from '../system/clock.ts';
import type { RunStatus } from './outcome.ts';

/** With fewer readings in its window a run's energy is coarse; with fewer than the second number it decides nothing (method reference: run length). */
export const ENOUGH_READINGS = 30;
export const MIN_READINGS = 10;

/** A counter is read at the window's very edges; what remains is the start and the end of the workload itself. */
const COUNTER_WINDOW_S = 5;

/** Executions of one run at most. */
export const MAX_EXECUTIONS = 10_000;

/** Warm-up runs are a sample of the durations: a window that comes out a little shorter shall still be long enough. */
export const MARGIN = 1.05;

/** What the length of a window depends on: `guard` channels average over their period, `counter` ones are read at its edges. */
export interface WindowedChannel {
  readonly integration: 'guard' | 'counter';
  readonly samplingPeriodS: number;
}

/** How long a window of the primary meter should be, seconds; `givenS`: what is asked for, as far as it holds enough readings. */
export function windowTargetS(channels: readonly WindowedChannel[], givenS?: number): number {
  const periods = channels.filter((c) => c.integration === 'guard').map((c) => c.samplingPeriodS);
  const longest = Math.max(0, ...periods);
  if (givenS !== undefined) return Math.max(givenS, MIN_READINGS * longest);
  return periods.length === 0 ? COUNTER_WINDOW_S : ENOUGH_READINGS * longest;
}

/** How the executions of a window are made, as the experiment file asks. */
export interface BatchSetting {
  readonly executions: number | 'auto';
  /** Each is a start of its place; else one start holds all of them. */
  readonly ownStarts: boolean;
}

/**
 * `batch: auto`: the smallest number of executions a window that makes every variant's window long enough, the same for all, since only
 * equal work compares. From what one execution of each variant took, seconds.
 */
export function batchFor(durationsS: ReadonlyMap<string, readonly number[]>, targetS: number): number {
  const shortest = Math.min(...[...durationsS.values()].flat());
  if (!(shortest > 0 && Number.isFinite(shortest))) return shortest <= 0 ? MAX_EXECUTIONS : 1;
  if (shortest >= targetS) return 1;
  return Math.min(MAX_EXECUTIONS, Math.ceil((MARGIN * targetS) / shortest));
}

interface EndedRun {
  readonly variant: string;
  readonly status: RunStatus;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly executions: number;
  /** Seconds of the window until its place had started; null: nothing but the command is started. */
  readonly startUpS: number | null;
}

/** What a warm-up run tells of an execution's time. */
interface Warmup {
  readonly executions: number;
  readonly eachS: number;
}

/** How often a run's command is executed inside its window: the same for every compared run of an experiment. */
export class Batch {
  readonly #setting: BatchSetting;
  readonly #warmups = new Map<string, Warmup[]>();
  /** How long a window should be for the meter. */
  readonly targetS: number;
  /** Whether the number of executions was given by `settle`, and not found by the length that a window should have. */
  isAllocated = false;
  #decided: number | null;

  /** `recorded`: the runs of an unfinished experiment. Its number stays, whatever they took. */
  constructor(setting: BatchSetting, targetS: number, recorded: readonly (EndedRun & { readonly block: number })[]) {
    this.#setting = setting;
    this.targetS = targetS;
    for (const run of recorded) this.observe(run);
    this.#decided = recorded.find(({ block }) => block > 0)?.executions ?? null;
  }

  /** Takes note of a run that has ended. */
  observe({ variant, status, startNs, endNs, executions, startUpS }: EndedRun): void {
    if (status !== 'warmup') return;
    const windowS = nsToSeconds(endNs - startNs);
    const once = this.#setting.ownStarts ? 0 : (startUpS ?? 0);
    const warmups = this.#warmups.get(variant) ?? [];
    warmups.push({ executions, eachS: (windowS - once) / executions });
    this.#warmups.set(variant, warmups);
  }

  /** Settles the number, before the first compared run, where it is to be found. */
  settle(executions: number): void {
    if (this.#setting.executions !== 'auto' || this.#decided !== null) return;
    this.#decided = Math.min(MAX_EXECUTIONS, executions);
    this.isAllocated = true;
  }

  /** Executions of a compared run; decided when it is first asked for, after the warm-up. */
  get executions(): number {
    this.#decided ??= this.#setting.executions === 'auto' ? this.#found : this.#setting.executions;
    return this.#decided;
  }

  /**
   * Executions of a variant's warm-up run. One at first; then, where one start holds all of them, as many as seem right by now: what a start costs
   * beside a short command, and how much faster it is from the second time on, only several together tell.
   */
  warmupExecutions(variant: string): number {
    const { executions, ownStarts } = this.#setting;
    return executions === 'auto' && !ownStarts && this.#warmups.has(variant) ? this.#found : 1;
  }

  /** The number of executions, by the warm-up runs of each variant that hold the most of them. */
  get #found(): number {
    const each = [...this.#warmups].map(([variant, warmups]) => {
      const most = Math.max(...warmups.map(({ executions }) => executions));
      return [variant, warmups.filter(({ executions }) => executions === most).map(({ eachS }) => eachS)] as const;
    });
    return batchFor(new Map(each), this.targetS);
  }

  /** How much longer than a warm-up run a compared one will be, seconds, on average. */
  get addedS(): number {
    const seen = [...this.#warmups.values()].flat();
    if (seen.length === 0) return 0;
    return seen.reduce((sum, { executions, eachS }) => sum + (this.executions - executions) * eachS, 0) / seen.length;
  }
}
