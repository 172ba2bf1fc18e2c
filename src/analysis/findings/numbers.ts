/** Shapes that recur in the findings. What is undefined is null. */

export type Interval = readonly [number, number];

export interface Summary {
  readonly mean: number;
  /** n − 1. */
  readonly sd: number | null;
  readonly median: number;
  /** Raw, unscaled. */
  readonly mad: number;
  /** Quartiles of type 7. */
  readonly q1: number;
  readonly q3: number;
  readonly min: number;
  readonly max: number;
  readonly mean_ci95: Interval | null;
}

/** A mean log ratio and its t interval (natural logarithms). */
export interface LogPart {
  readonly mean: number;
  readonly ci95: Interval | null;
}
