import type { StoreReader } from '../store/records.ts';
import { RunQueue } from './queue.ts';

/** How far an experiment has come. */
export interface Through {
  /** Nothing is left to measure: every planned run has a valid execution, or a look ended it. */
  readonly complete: boolean;
  /** Blocks of the plan that are through, in order from the first. */
  readonly blocks: number;
  /** Blocks after which a look before the last ended it; null: none did. */
  readonly stoppedAt: number | null;
}

/** Reads from the records how far the plan is through. */
export function howFar(reader: StoreReader): Through {
  const planned = reader.plannedRuns();
  const stop = reader.looks().find(({ stopped }) => stopped);
  const next = RunQueue.ofRecords(planned, reader.runs(), (_block, _attempt, variants) => variants).next();
  const { repetitions } = reader.experiment();
  const early = stop !== undefined && stop.blocks < repetitions;
  return {
    complete: next === null || stop !== undefined,
    blocks: early ? stop.blocks : next === null ? repetitions : Math.max(0, next.block - 1),
    stoppedAt: early ? stop.blocks : null,
  };
}
