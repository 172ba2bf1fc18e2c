import type { Analysis } from '../analysis/results.ts';

/** What an experiment left behind. */
export interface Outcome {
  /** Absolute. */
  readonly outDir: string;
  readonly databasePath: string;
  /** null: nothing was measured, and whatever lies in `outDir` is of an earlier experiment. */
  readonly analysis: Analysis | null;
  /** What ended it early; null: nothing did. */
  readonly error: unknown;
  /** Somebody cancelled the job. */
  readonly cancelled: boolean;
}
