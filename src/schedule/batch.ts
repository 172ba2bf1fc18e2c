import { nsToSeconds } from '../system/clock.ts';
import type { RunStatus } from './outcome.ts';

/** Readings per window from which a run's energy is precise enough; below MIN_READINGS it decides nothing (method reference: run length). */
export const ENOUGH_READINGS = 30;
export const MIN_READINGS = 10;

/** Target window for counters, seconds. They are read at the window's edges; the workload's own start and end remain as error. */
const COUNTER_WINDOW_S = 5;

/** Executions of one run at most. */
export const MAX_EXECUTIONS = 10_000;
/** Maximum executions of one run whose command repeats itself, so that a further execution costs no start. */
export const MAX_ITERATIONS = 1_000_000_000;
/** Factor by which the executions grow while the window does not yet show their duration beside the command's start. */
const BEYOND_START = 100;
/** Ratio of two windows from which their difference shows how long one execution takes. */
const VISIBLE = 1.1;
/** Minimum ratio of a window to the command's start: at least a third of the window is then executions. */
export const CLEARLY_LONGER = 1.5;
/** Maximum share of the command's start in a window: the start counts as energy of the executions and hides part of a change. */
const MAX_START = 0.25;
/** Maximum length of a trial of more executions, in target windows. */
const LONGEST_TRIAL = 10;

/** Safety factor of the window: durations come from a few warm-up runs, and a shorter window must still be long enough. */
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
  /** True: each execution is a start of its place. False: one start holds all of them. */
  readonly ownStarts: boolean;
}

/**
 * Number of executions for `batch: auto`: the smallest that makes every variant's window long enough. All variants get the same number, since
 * only equal work compares. `durationsS`: what one execution of each variant took, seconds.
 */
export function batchFor(durationsS: ReadonlyMap<string, readonly number[]>, targetS: number, most = MAX_EXECUTIONS) {
  const shortest = Math.min(...[...durationsS.values()].flat());
  if (!(shortest > 0 && Number.isFinite(shortest))) return shortest <= 0 ? most : 1;
  if (shortest >= targetS) return 1;
  return Math.min(most, Math.ceil((MARGIN * targetS) / shortest));
}

/**
 * Executions of a command that repeats itself. Two windows give the duration of one, since most of a short window is the start of the command.
 * `seen`: windows of one variant, seconds, by their number of executions.
 */
export function iterationsFor(seen: readonly SeenWindow[], targetS: number): number {
  const [few, many] = ends(seen);
  if (few === undefined || many === undefined) return 1;
  const bounded = (executions: number): number => Math.min(MAX_ITERATIONS, Math.max(1, Math.ceil(executions)));
  if (many.executions === few.executions) {
    // The command's start may be most of this window. Where it isn't, the next window must not be many times too long.
    const most = Math.max(2, (LONGEST_TRIAL * targetS) / many.windowS);
    return bounded(many.executions * Math.min(BEYOND_START, most));
  }
  if (many.windowS < VISIBLE * few.windowS) return bounded(many.executions * BEYOND_START);
  const { startS, eachS } = lineThrough(few, many);
  return bounded((MARGIN * Math.max(targetS, startS / MAX_START) - startS) / eachS);
}

interface SeenWindow {
  readonly executions: number;
  readonly windowS: number;
}

/** The windows with the fewest and with the most executions. */
function ends(seen: readonly SeenWindow[]): readonly [SeenWindow | undefined, SeenWindow | undefined] {
  const sorted = seen.toSorted((a, b) => a.executions - b.executions);
  return [sorted[0], sorted.findLast(({ executions }) => executions === sorted.at(-1)?.executions)];
}

/** Duration of the start and of one execution, seconds, from the line through two windows. */
function lineThrough(few: SeenWindow, many: SeenWindow): { readonly startS: number; readonly eachS: number } {
  const eachS = Math.max(0, (many.windowS - few.windowS) / Math.max(1, many.executions - few.executions));
  return { eachS, startS: Math.max(0, few.windowS - few.executions * eachS) };
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

/** Duration of an execution, as a warm-up run shows it. */
interface Warmup {
  readonly executions: number;
  readonly eachS: number;
  readonly windowS: number;
}

/** Variants whose runs hold the same number of executions, since they are compared. */
export interface BatchGroups {
  /** Name of the variant's group. */
  groupOf(variant: string): string;
  /** Whether the variant's command repeats itself: one start then makes all executions. */
  loopsItself(variant: string): boolean;
  /** The group's own number of executions; undefined: the setting of the experiment holds. */
  executionsOf(group: string): number | 'auto' | undefined;
}

const ONE_GROUP: BatchGroups = { groupOf: () => '', loopsItself: () => false, executionsOf() {} };

/** How often a run's command is executed inside its window: the same for every compared run of an experiment, or of a benchmark of its suite. */
export class Batch {
  readonly #setting: BatchSetting;
  readonly #warmups = new Map<string, Warmup[]>();
  /** How long a window should be for the meter. */
  readonly targetS: number;
  /** Whether `settle` gave the number of executions; false: it follows from the target length of a window. */
  isAllocated = false;
  readonly #groups: BatchGroups;
  readonly #decided = new Map<string, number>();

  /** `recorded`: the runs of an unfinished experiment, whose number of executions is kept. */
  constructor(
    setting: BatchSetting,
    targetS: number,
    recorded: readonly (EndedRun & { readonly block: number })[],
    groups: BatchGroups = ONE_GROUP,
  ) {
    this.#setting = setting;
    this.#groups = groups;
    this.targetS = targetS;
    for (const run of recorded) this.observe(run);
    for (const { variant, block, executions } of recorded) {
      if (block > 0) this.#decided.set(groups.groupOf(variant), executions);
    }
  }

  /** Takes note of a run that has ended. */
  observe({ variant, status, startNs, endNs, executions, startUpS }: EndedRun): void {
    if (status !== 'warmup') return;
    const windowS = nsToSeconds(endNs - startNs);
    const once = this.#hasOwnStarts(variant) ? 0 : (startUpS ?? 0);
    const warmups = this.#warmups.get(variant) ?? [];
    warmups.push({ executions, windowS, eachS: (windowS - once) / executions });
    this.#warmups.set(variant, warmups);
  }

  /** Sets the number of executions before the first compared run, if it is `auto` and not decided yet. */
  settle(executions: number): void {
    if (this.#setting.executions !== 'auto' || this.#decided.size > 0) return;
    this.#decided.set('', Math.min(MAX_EXECUTIONS, executions));
    this.isAllocated = true;
  }

  /** Executions of a compared run; decided when it is first asked for, after the warm-up. */
  executionsOf(variant: string): number {
    const group = this.#groups.groupOf(variant);
    const executions = this.#groups.executionsOf(group) ?? this.#setting.executions;
    const decided = this.#decided.get(group) ?? (executions === 'auto' ? this.#found(group) : executions);
    this.#decided.set(group, decided);
    return decided;
  }

  /** Executions of compared runs, where all variants are one group. */
  get executions(): number {
    return this.executionsOf('');
  }

  /** The smallest and the largest number of executions among all groups that have run. */
  get range(): readonly [number, number] {
    const all = [...this.#warmups.keys()].map((variant) => this.executionsOf(variant));
    return all.length === 0 ? [1, 1] : [Math.min(...all), Math.max(...all)];
  }

  /**
   * Executions of a variant's warm-up run: one in the first run. If one start holds all executions, later runs have as many as the runs so far
   * suggest: only several executions together separate the command's start, and the slower first execution, from the others.
   */
  warmupExecutions(variant: string): number {
    const executions = this.#groups.executionsOf(this.#groups.groupOf(variant)) ?? this.#setting.executions;
    if (executions !== 'auto' || this.#hasOwnStarts(variant) || !this.#warmups.has(variant)) return 1;
    return this.#found(this.#groups.groupOf(variant));
  }

  #hasOwnStarts(variant: string): boolean {
    return this.#setting.ownStarts && !this.#groups.loopsItself(variant);
  }

  /** Number of executions that the warm-up runs suggest, from those of each variant with the most executions. */
  #found(group: string): number {
    const own = [...this.#warmups].filter(([variant]) => this.#groups.groupOf(variant) === group);
    if (own.some(([variant]) => this.#groups.loopsItself(variant))) {
      return Math.max(...own.map(([, warmups]) => iterationsFor(warmups, this.targetS)));
    }
    const each = own.map(([variant, warmups]) => {
      const most = Math.max(...warmups.map(({ executions }) => executions));
      return [variant, warmups.filter(({ executions }) => executions === most).map(({ eachS }) => eachS)] as const;
    });
    return batchFor(new Map(each), this.targetS);
  }

  /** Mean seconds by which a compared run is longer than a warm-up run. */
  get addedS(): number {
    const seen = [...this.#warmups].flatMap(([variant, warmups]) => warmups.map((one) => ({ variant, ...one })));
    if (seen.length === 0) return 0;
    const added = seen.map(({ variant, executions, windowS, eachS }) => {
      const compared = this.executionsOf(variant);
      if (!this.#groups.loopsItself(variant)) return (compared - executions) * eachS;
      const [few, many] = ends(this.#warmups.get(variant) ?? []);
      const line = lineThrough(few as Warmup, many as Warmup);
      return line.startS + compared * line.eachS - windowS;
    });
    return added.reduce((sum, addedS) => sum + addedS, 0) / seen.length;
  }
}
