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

/** The shape of some values beyond their summary; descriptive. */
export interface Distribution {
  /** Standard deviation over the mean. */
  readonly cv: number | null;
  readonly q05: number;
  readonly q95: number;
  readonly iqr: number;
  /** G1 and G2, corrected for small samples; null where nothing varies, and below three (four) values. */
  readonly skewness: number | null;
  readonly excess_kurtosis: number | null;
  /** Without the lowest and the highest fifth. */
  readonly trimmed_mean_20: number;
  /** By order statistics, with the confidence that it has. */
  readonly median_ci95: Interval | null;
  readonly median_confidence: number | null;
}

/** What values in the order of time show of time; descriptive. */
export interface SerialStatistics {
  readonly n: number;
  /** Tie-corrected, with continuity correction. */
  readonly mann_kendall: { readonly s: number; readonly z: number; readonly p: number } | null;
  /** Against the order; t approximation. */
  readonly spearman: { readonly rho: number; readonly p: number } | null;
  /** Correlation of neighbours. */
  readonly lag1: number | null;
  /** Median slope a step. */
  readonly theil_sen: number | null;
}

/** An interval between order statistics with the confidence that it really has; the ends are the k-th smallest and the k-th largest. */
export interface ExactInterval {
  readonly interval: Interval;
  readonly confidence: number;
  readonly k: number;
}

/** A mean log ratio and its t interval (natural logarithms). */
export interface LogPart {
  readonly mean: number;
  readonly ci95: Interval | null;
}
