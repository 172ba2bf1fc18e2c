import type { RunCause, RunStatus } from './outcome.ts';
import type { PlannedRun } from './plan.ts';

/** What is to be run next. */
export interface NextRun extends PlannedRun {
  /** 1, or more where the whole block is repeated. */
  readonly attempt: number;
}

/** What the queue needs to know of a finished execution. */
export interface FinishedRun {
  readonly run: number;
  readonly planned: number;
  readonly attempt: number;
  readonly status: RunStatus;
  readonly cause: RunCause | null;
}

/** A good run that is not compared, because its whole block is repeated for another. */
export interface SupersededRun {
  readonly run: number;
  readonly because: FinishedRun;
}

/** Why a block is not repeated any more. */
export type GiveUp =
  | {
      readonly kind: 'failed-twice';
      readonly variant: string;
      readonly runs: readonly number[];
      /** Cause of the last run. */
      readonly cause: RunCause | null;
    }
  | {
      readonly kind: 'too-many-attempts';
      readonly block: number;
      readonly attempts: number;
      /** Cause of the last run. */
      readonly cause: RunCause | null;
    };

/** Benchmarks that were given up. failed: a variant failed twice in a block; invalid: no attempt at a block was valid. */
export type DroppedBenchmarks = ReadonlyMap<string, 'failed' | 'invalid'>;

/** Orders of repeated blocks: deterministic from the recorded seed. */
export type RepeatOrder = (block: number, attempt: number, variants: readonly string[]) => readonly string[];

/** Maximum attempts for a block with invalid runs (a gap of the meter); a failing workload ends the experiment sooner. */
const MAX_ATTEMPTS = 4;

/**
 * Decides what comes next. A failed or invalid run makes its whole block be run again, so that blocks stay complete
 * without a choice that looks at energies; an interrupted run alone is made up for, so that nothing is run twice.
 * Source of the rule: design of randomized complete blocks, invalidity judged without looking at the outcome.
 */
export class RunQueue {
  #blocks: readonly (readonly PlannedRun[])[];
  readonly #repeatOrder: RepeatOrder;
  readonly #benchmarks: ReadonlyMap<string, string>;
  readonly #finished = new Map<number, FinishedRun[]>();
  readonly #dropped = new Map<string, 'failed' | 'invalid'>();

  /** `benchmarks`: the benchmark of each variant of a suite; absent: all variants are compared with each other. */
  constructor(
    runs: readonly PlannedRun[],
    finished: readonly FinishedRun[],
    repeatOrder: RepeatOrder,
    benchmarks: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#repeatOrder = repeatOrder;
    this.#benchmarks = benchmarks;
    this.#blocks = [...Map.groupBy(runs, ({ block }) => block).values()];
    for (const one of finished) {
      if (this.#findPart(one.planned) === undefined) this.#remember(one);
      else this.finish(one);
    }
  }

  /** Planned runs that have a good execution in the newest attempt of their block. */
  get done(): number {
    let n = 0;
    for (const part of this.#parts) n += part.length - this.#missing(part).length;
    return n;
  }

  /** Removes the blocks after this number from the plan. */
  limit(blocks: number): void {
    this.#blocks = this.#blocks.filter((planned) => (planned[0]?.block ?? 0) <= blocks);
  }

  /** Removes the runs of a benchmark from all blocks after this number. */
  limitGroup(group: string, blocks: number): void {
    const isLeft = ({ block, variant }: PlannedRun): boolean =>
      block <= blocks || this.#benchmarks.get(variant) !== group;
    this.#blocks = this.#blocks.map((planned) => planned.filter(isLeft)).filter(({ length }) => length > 0);
  }

  /** Planned runs. */
  get total(): number {
    return this.#parts.reduce((sum, { length }) => sum + length, 0);
  }

  next(): NextRun | null {
    for (const block of this.#blocks) {
      // First what was not tried yet, in the order of the plan.
      const missing = this.#partsOf(block).flatMap((part) => this.#missing(part));
      const first = missing.toSorted((a, b) => a.attempt - b.attempt || (a.attempt === 1 ? a.run - b.run : 0))[0];
      if (first) return first;
    }
    return null;
  }

  /**
   * Takes note of an execution. Where its block is repeated because of it, gives the runs that are superseded; where it can't be repeated any
   * more (a variant failed twice in its block, or too many attempts were invalid), why. A benchmark of a suite is given up alone: it is `dropped`,
   * and the others go on as long as there are any.
   */
  finish(run: FinishedRun): {
    readonly superseded: readonly SupersededRun[];
    readonly giveUp: GiveUp | null;
    readonly dropped: string | null;
  } {
    const block = this.#findPart(run.planned);
    if (!block) throw new Error(`run ${run.planned} is not in the plan`);
    const before = this.#finishedIn(block);
    this.#remember(run);
    if (!isBad(run)) return { superseded: [], giveUp: null, dropped: null };
    const giveUp = reasonToGiveUp(block, before, run);
    if (giveUp === null) return { superseded: this.#superseded(block), giveUp, dropped: null };
    const dropped = this.#drop(block, giveUp);
    return { superseded: [], giveUp: dropped === null || this.total === 0 ? giveUp : null, dropped };
  }

  /** Good runs in attempts that need a repetition: a process that was killed, or gave up, may not have marked them in the database. */
  get superseded(): SupersededRun[] {
    return this.#parts.flatMap((part) => this.#superseded(part));
  }

  get dropped(): DroppedBenchmarks {
    return this.#dropped;
  }

  /** Units that are complete, or repeated, as a whole: a block, or a benchmark's runs in a block. */
  get #parts(): readonly (readonly PlannedRun[])[] {
    return this.#blocks.flatMap((block) => this.#partsOf(block));
  }

  #partsOf(block: readonly PlannedRun[]): (readonly PlannedRun[])[] {
    const parts = [...Map.groupBy(block, ({ variant }) => this.#benchmarks.get(variant))];
    return parts.flatMap(([group, part]) => (group !== undefined && this.#dropped.has(group) ? [] : [part]));
  }

  #findPart(planned: number): readonly PlannedRun[] | undefined {
    return this.#parts.find((part) => part.some(({ run }) => run === planned));
  }

  #drop(part: readonly PlannedRun[], { kind }: GiveUp): string | null {
    const group = this.#benchmarks.get(part[0]?.variant ?? '') ?? null;
    if (group !== null) this.#dropped.set(group, kind === 'failed-twice' ? 'failed' : 'invalid');
    return group;
  }

  #superseded(block: readonly PlannedRun[]): SupersededRun[] {
    const attempts = Map.groupBy(this.#finishedIn(block), ({ attempt }) => attempt);
    return [...attempts.values()].flatMap((runs) => {
      const because = runs.find(isBad);
      return because === undefined ? [] : runs.filter(isGood).map(({ run }) => ({ run, because }));
    });
  }

  #missing(block: readonly PlannedRun[]): NextRun[] {
    const finished = this.#finishedIn(block);
    const newest = finished.reduce((most, { attempt }) => Math.max(most, attempt), 1);
    const repeat = finished.some((one) => one.attempt === newest && isBad(one));
    const attempt = repeat ? newest + 1 : newest;
    const good = new Set(
      finished.filter((one) => one.attempt === attempt && isGood(one)).map(({ planned }) => planned),
    );
    return this.#order(block, attempt).filter(({ run }) => !good.has(run));
  }

  #order(block: readonly PlannedRun[], attempt: number): NextRun[] {
    if (attempt === 1) return block.map((planned) => ({ ...planned, attempt }));
    const names = block.map(({ variant }) => variant).sort();
    return this.#repeatOrder(block[0]?.block ?? 0, attempt, names).map((name, i) => {
      const planned = block.find(({ variant }) => variant === name) as PlannedRun;
      return { ...planned, position: i + 1, attempt };
    });
  }

  #remember(run: FinishedRun): void {
    const list = this.#finished.get(run.planned);
    if (list) list.push(run);
    else this.#finished.set(run.planned, [run]);
  }

  #finishedIn(block: readonly PlannedRun[]): FinishedRun[] {
    return block.flatMap(({ run }) => this.#finished.get(run) ?? []);
  }
}

function reasonToGiveUp(
  block: readonly PlannedRun[],
  before: readonly FinishedRun[],
  { run, planned, status, cause, attempt }: FinishedRun,
): GiveUp | null {
  const failed = before.filter((one) => one.planned === planned && one.status === 'failed').map((one) => one.run);
  const { variant, block: number } = block.find((one) => one.run === planned) as PlannedRun;
  if (status === 'failed' && failed.length > 0) return { kind: 'failed-twice', variant, runs: [...failed, run], cause };
  if (attempt >= MAX_ATTEMPTS) {
    return { kind: 'too-many-attempts', block: number, attempts: MAX_ATTEMPTS, cause };
  }
  return null;
}

const isGood = ({ status }: FinishedRun): boolean => status === 'ok' || status === 'warmup';
const isBad = (run: FinishedRun): boolean => !isGood(run) && !isInterrupted(run);

/** Whether the run was ended from outside: then nothing is wrong with its block. */
const isInterrupted = ({ cause }: FinishedRun): boolean => cause === 'stopped';
