import { nsToSeconds } from '../system/clock.ts';
import type { RunStatus } from './outcome.ts';

/** With fewer readings in its window a run's energy is coarse; with fewer than the second number it decides nothing (method reference: run length). */
export const ENOUGH_READINGS = 30;
export const MIN_READINGS = 10;

/** A counter is read at the window's very edges; what remains is the start and the end of the workload itself. */
const COUNTER_WINDOW_S = 5;

/** Executions of one run at most. */
export const MAX_EXECUTIONS = 10_000;
/** The same of a command that repeats itself, for which one more costs no start. */
const MAX_ITERATIONS = 1_000_000_000;
/** So much more at once, while the start of the command hides what an execution takes. */
const BEYOND_START = 100;
/** A window of more executions tells what one takes as soon as it is so much longer than one of a single execution. */
const VISIBLE = 1.1;
/** Of a compared run at least a third is executions: the rest is the start of the command. */
export const CLEARLY_LONGER = 1.5;
/** The largest part of a window that is to be the start of the command: it is in the energy of an execution, and hides a part of a change. */
const MAX_START = 0.25;
/** A trial of more executions takes so many windows at most. */
const LONGEST_TRIAL = 10;

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

/**
 * The same of a command that repeats itself: what one execution takes follows from two windows, since most of a short one is the start of the command.
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

/** The windows of the fewest and of the most executions. */
function ends(seen: readonly SeenWindow[]): readonly [SeenWindow | undefined, SeenWindow | undefined] {
  const sorted = seen.toSorted((a, b) => a.executions - b.executions);
  return [sorted[0], sorted.findLast(({ executions }) => executions === sorted.at(-1)?.executions)];
}

/** What a start and an execution take by two windows, seconds. */
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

/** What a warm-up run tells of an execution's time. */
interface Warmup {
  readonly executions: number;
  readonly eachS: number;
  readonly windowS: number;
}

/** Variants whose runs hold the same number of executions, since they are compared. */
export interface BatchGroups {
  /** Its name. */
  groupOf(variant: string): string;
  /** Whether the variant's command repeats itself. */
  loopsItself(variant: string): boolean;
  /** The setting of a group that has its own. */
  executionsOf(group: string): number | 'auto' | undefined;
}

const ONE_GROUP: BatchGroups = { groupOf: () => '', loopsItself: () => false, executionsOf() {} };

/** How often a run's command is executed inside its window: the same for every compared run of an experiment, or of a benchmark of its suite. */
export class Batch {
  readonly #setting: BatchSetting;
  readonly #warmups = new Map<string, Warmup[]>();
  /** How long a window should be for the meter. */
  readonly targetS: number;
  /** Whether the number of executions was given by `settle`, and not found by the length that a window should have. */
  isAllocated = false;
  readonly #groups: BatchGroups;
  readonly #decided = new Map<string, number>();

  /** `recorded`: the runs of an unfinished experiment. Its number stays, whatever they took. */
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

  /** Settles the number, before the first compared run, where it is to be found. */
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

  /** The least and the most of all groups that have run. */
  get range(): readonly [number, number] {
    const all = [...this.#warmups.keys()].map((variant) => this.executionsOf(variant));
    return all.length === 0 ? [1, 1] : [Math.min(...all), Math.max(...all)];
  }

  /**
   * Executions of a variant's warm-up run. One at first; then, where one start holds all of them, as many as seem right by now: what a start costs
   * beside a short command, and how much faster it is from the second time on, only several together tell.
   */
  warmupExecutions(variant: string): number {
    const executions = this.#groups.executionsOf(this.#groups.groupOf(variant)) ?? this.#setting.executions;
    if (executions !== 'auto' || this.#hasOwnStarts(variant) || !this.#warmups.has(variant)) return 1;
    return this.#found(this.#groups.groupOf(variant));
  }

  #hasOwnStarts(variant: string): boolean {
    return this.#setting.ownStarts && !this.#groups.loopsItself(variant);
  }

  /** The number of executions, by the warm-up runs of each variant that hold the most of them. */
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

  /** How much longer than a warm-up run a compared one will be, seconds, on average. */
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
