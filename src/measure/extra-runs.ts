import type { Experiment } from '../experiment/experiment.ts';
import type { Places } from './places.ts';
import type { Progress } from './progress.ts';

export interface ExtraRunsRequest {
  readonly id: string;
  readonly experiment: Experiment;
  readonly seed: number;
  /** Private folder of the database and the logs. */
  readonly folder: string;
  readonly places: Pick<Places, 'executors' | 'hooks' | 'ownStarts'>;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Runs after the blocks, by an optional part. They are in no energy. */
export interface ExtraRuns {
  /** Whether the experiment file asks for them, now that all blocks are in this database. */
  areAsked(experiment: Experiment, database: string): boolean;
  /** Adds them to the database in `folder`. Throws MeasureError, or the signal's reason; what is finished is kept. */
  perform(request: ExtraRunsRequest): Promise<void>;
  /** What is reported where those that the experiment file asks for come to nothing. */
  failureText(thrown: unknown): string;
}
