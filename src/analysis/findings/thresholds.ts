/** One threshold of `fail-on`, held against one comparison. */
export interface ThresholdResult {
  /** As the user wrote it, such as `5%` or `20 J`. */
  readonly threshold: string;
  readonly baseline: string;
  readonly variant: string;
  readonly channel: string;
  readonly metric: 'percent' | 'joules';
  readonly limit: number;
  readonly estimate: number | null;
  readonly ci95: readonly [number, number] | null;
  /** `open`: the interval doesn't decide. */
  readonly state: 'crossed' | 'kept' | 'open';
  /** What it came to, for a person. */
  readonly sentence: string;
}
