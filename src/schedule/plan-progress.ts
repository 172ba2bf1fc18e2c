import type { EndReason } from '../findings/comparison.ts';
import type { PlannedRun } from './plan.ts';
import { type DroppedBenchmarks, type FinishedRun, RunQueue } from './queue.ts';

/** How far an experiment has come. */
export interface PlanProgress {
  /** Whether nothing is left to measure: every planned run has a valid execution, or an interim analysis ended the experiment. */
  readonly complete: boolean;
  /** Blocks of the plan that are complete, in order from the first. */
  readonly blocks: number;
  /** Number of blocks after which an interim analysis before the last one ended the experiment; null: none did. */
  readonly stoppedAt: number | null;
  /** Reason of that interim analysis for ending the experiment; null as `stoppedAt`. */
  readonly stoppedBecause: EndReason | null;
  readonly dropped: DroppedBenchmarks;
}

/** What is recorded of an experiment: `looks` are the interim analyses done, `repetitions` the blocks planned. */
export interface RecordedPlan {
  readonly planned: readonly PlannedRun[];
  readonly runs: readonly FinishedRun[];
  readonly looks: readonly { readonly blocks: number; readonly because: EndReason | null }[];
  readonly repetitions: number;
  /** Benchmark of each variant of a suite; absent: there is no suite. */
  readonly benchmarks?: ReadonlyMap<string, string>;
}

export function planProgress({ planned, runs, looks, repetitions, benchmarks }: RecordedPlan): PlanProgress {
  const stop = looks.find(({ because }) => because !== null);
  // What is left in a block does not depend on its order.
  const queue = new RunQueue(planned, runs, (_block, _attempt, variants) => variants, benchmarks);
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
