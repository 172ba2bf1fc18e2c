/** One planned execution of one variant. `block` counts from 1; warm-up blocks are 0, −1, … so that block 1 is the first compared. */
export interface PlannedRun {
  /** Place in the whole plan, from 1. */
  readonly run: number;
  readonly block: number;
  /** Place inside the block, from 1. */
  readonly position: number;
  readonly variant: string;
  readonly warmup: boolean;
}

export interface Plan {
  readonly seed: number;
  readonly order: 'randomized-blocks';
  readonly runs: readonly PlannedRun[];
}
