/** Where an experiment stands; times in seconds. */
export interface Status {
  /** Planned runs that are finished. */
  readonly done: number;
  readonly total: number;
  /** What comes next. */
  readonly block: number;
  readonly blocks: number;
  readonly warmup: boolean;
  readonly variant: string;
  /** Estimate of what remains; null until something was measured. */
  readonly remainingS: number | null;
}

/**
 * How an experiment tells of itself while it runs. It is called only at moments when the machine may be disturbed:
 * never inside a guard or a window.
 */
export interface Progress {
  /** A line that stays: what was chosen, found, built, removed. */
  note(line: string): void;
  warn(line: string): void;
  status(status: Status): void;
  /** The last status is finished with. */
  end(): void;
}
