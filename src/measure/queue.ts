import { MeasureError } from '../errors.ts';
import type { PlannedRun } from '../schedule/plan.ts';
import type { RunRecord, RunStatus } from '../store/records.ts';

/** What is to be run next. */
export interface NextRun extends PlannedRun {
  /** 1, or more where the whole block is repeated. */
  readonly attempt: number;
}

/** What the queue needs to know of a finished execution. */
export interface Finished {
  readonly run: number;
  readonly planned: number;
  readonly attempt: number;
  readonly status: RunStatus;
  /** True when it was ended from outside (a signal): nothing is wrong with its block. */
  readonly interrupted: boolean;
}

/** Orders of repeated blocks: deterministic from the recorded seed. */
export type RepeatOrder = (block: number, attempt: number, variants: readonly string[]) => readonly string[];

/** A block is tried so many times where runs are invalid (a meter's gap); a failing workload ends the experiment sooner. */
const MOST_ATTEMPTS = 4;

/**
 * Decides what comes next. A failed or invalid run makes its whole block be run again, so that blocks stay complete
 * without a choice that looks at energies; an interrupted run alone is made up for, so that nothing is run twice.
 * Source of the rule: design of randomized complete blocks, invalidity judged without looking at the outcome.
 */
export class RunQueue {
  readonly #blocks: PlannedRun[][] = [];
  readonly #repeatOrder: RepeatOrder;
  readonly #finished = new Map<number, Finished[]>();

  constructor(runs: readonly PlannedRun[], finished: readonly Finished[], repeatOrder: RepeatOrder) {
    this.#repeatOrder = repeatOrder;
    const byBlock = new Map<number, PlannedRun[]>();
    for (const run of runs) {
      const block = byBlock.get(run.block);
      if (block) block.push(run);
      else byBlock.set(run.block, [run]);
    }
    this.#blocks.push(...byBlock.values());
    for (const f of finished) this.#remember(f);
  }

  /** The queue of a recorded experiment. */
  static ofRecords(runs: readonly PlannedRun[], records: readonly RunRecord[], repeatOrder: RepeatOrder): RunQueue {
    return new RunQueue(runs, records.map(finishedOf), repeatOrder);
  }

  /** Planned runs that have a good execution in the newest attempt of their block. */
  get done(): number {
    let n = 0;
    for (const block of this.#blocks) n += block.length - this.#missing(block).length;
    return n;
  }

  next(): NextRun | null {
    for (const block of this.#blocks) {
      const first = this.#missing(block)[0];
      if (first) return first;
    }
    return null;
  }

  /**
   * Takes note of an execution. Gives the runs of its block that are set aside because the block is repeated.
   * Throws MeasureError when it can't be repeated any more: a variant failed twice in its block, or too many attempts were invalid.
   */
  finish(done: Finished): readonly number[] {
    const block = this.#blockOf(done.planned);
    const before = this.#ofBlock(block);
    this.#remember(done);
    if (!isBad(done)) return [];
    const variant = block.find((p) => p.run === done.planned)?.variant;
    const failedBefore = before.some((f) => f.planned === done.planned && f.status === 'failed');
    if (done.status === 'failed' && failedBefore) {
      throw new MeasureError(`The workload failed twice in variant "${variant}" (runs ${failedRuns(before, done)}).`, {
        advice: 'Their output is in the folder logs of the result; everything measured so far is kept.',
      });
    }
    if (done.attempt >= MOST_ATTEMPTS) {
      throw new MeasureError(`Block ${block[0]?.block} had an invalid run in each of ${MOST_ATTEMPTS} attempts.`, {
        advice:
          'Look at the reasons in runs.csv: a meter that loses readings is often a bad cable, hub or a busy machine.',
      });
    }
    return before.filter((f) => f.attempt === done.attempt && isGood(f)).map((f) => f.run);
  }

  #missing(block: readonly PlannedRun[]): NextRun[] {
    const finished = this.#ofBlock(block);
    const newest = finished.reduce((most, f) => Math.max(most, f.attempt), 1);
    const repeat = finished.some((f) => f.attempt === newest && isBad(f));
    const attempt = repeat ? newest + 1 : newest;
    const good = new Set(finished.filter((f) => f.attempt === attempt && isGood(f)).map((f) => f.planned));
    return this.#order(block, attempt).filter((p) => !good.has(p.run));
  }

  #order(block: readonly PlannedRun[], attempt: number): NextRun[] {
    if (attempt === 1) return block.map((p) => ({ ...p, attempt }));
    const names = block.map((p) => p.variant).sort();
    return this.#repeatOrder(block[0]?.block ?? 0, attempt, names).map((name, i) => {
      const planned = block.find((p) => p.variant === name) as PlannedRun;
      return { ...planned, position: i + 1, attempt };
    });
  }

  #remember(f: Finished): void {
    const list = this.#finished.get(f.planned);
    if (list) list.push(f);
    else this.#finished.set(f.planned, [f]);
  }

  #ofBlock(block: readonly PlannedRun[]): Finished[] {
    return block.flatMap((p) => this.#finished.get(p.run) ?? []);
  }

  #blockOf(planned: number): PlannedRun[] {
    const block = this.#blocks.find((b) => b.some((p) => p.run === planned));
    if (!block) throw new Error(`run ${planned} is not in the plan`);
    return block;
  }
}

/** What a recorded run tells the queue. */
export function finishedOf(record: RunRecord): Finished {
  const { run, planned, attempt, status, reason } = record;
  return { run, planned, attempt, status, interrupted: reason?.startsWith('stopped by ') ?? false };
}

const isGood = (f: Finished): boolean => f.status === 'ok' || f.status === 'warmup';
const isBad = (f: Finished): boolean => !isGood(f) && !f.interrupted;

function failedRuns(before: readonly Finished[], done: Finished): string {
  const earlier = before.filter((f) => f.planned === done.planned && f.status === 'failed').map((f) => f.run);
  return [...earlier, done.run].join(' and ');
}
