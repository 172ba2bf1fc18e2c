import type { EndReason } from '../findings/comparison.ts';
import type { PlannedRun } from './plan.ts';
import { type FinishedRun, type GroupOf, RunQueue } from './queue.ts';

/** How far an experiment has come. */
export interface PlanProgress {
  /** Nothing is left to measure: every planned run has a valid execution, or a look ended it. */
  readonly complete: boolean;
  /** Blocks of the plan that are complete, in order from the first. */
  readonly blocks: number;
  /** Blocks after which a look before the last ended it; null: none did. */
  readonly stoppedAt: number | null;
  /** Why, then. */
  readonly stoppedBecause: EndReason | null;
  /** Benchmarks of a suite that were given up, because they failed. */
  readonly dropped: ReadonlySet<string>;
}

/** What is recorded of an experiment; `looks` are those that were taken, `repetitions` the blocks that were planned. */
export interface RecordedPlan {
  readonly planned: readonly PlannedRun[];
  readonly runs: readonly FinishedRun[];
  readonly looks: readonly { readonly blocks: number; readonly because: EndReason | null }[];
  readonly repetitions: number;
  /** Of a suite. */
  readonly groupOf?: GroupOf;
}

export function planProgress({ planned, runs, looks, repetitions, groupOf }: RecordedPlan): PlanProgress {
  const stop = looks.find(({ because }) => because !== null);
  // What is left in a block does not depend on its order.
  const queue = new RunQueue(planned, runs, (_block, _attempt, variants) => variants, groupOf);
  const next = queue.next();
  const early = stop !== undefined && stop.blocks < repetitions;
  return {
    complete: next === null || stop !== undefined,
    blocks: early ? stop.blocks : next === null ? repetitions : Math.max(0, next.block - 1),
    stoppedAt: early ? stop.blocks : null,
    stoppedBecause: early ? stop.because : null,
    dropped: queue.dropped,
  };
}
