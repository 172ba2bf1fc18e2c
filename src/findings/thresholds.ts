/** One threshold of `fail-on`, held against one comparison. */
export interface ThresholdResult {
  /** As the user wrote it, such as `5%` or `20 J`. */
  readonly threshold: string;
  readonly baseline: string;
  readonly variant: string;
  readonly channel: string;
  readonly metric: 'percent' | 'joules';
  /** `above`: crossed by a change above the limit; `below`: by one below it. */
  readonly direction: 'above' | 'below';
  readonly limit: number;
  /** Hodges–Lehmann of the blocks, in percent or joules. */
  readonly estimate: number | null;
  readonly ci95: readonly [number, number] | null;
  /** Of the signed-rank test against the limit, by Holm's method over all thresholds; null: one alone, or nothing to test. */
  readonly p_holm: number | null;
  /** `crossed`: the whole interval lies beyond the limit; `kept`: none of it; `open`: the interval doesn't decide, or was not asked. */
  readonly state: 'crossed' | 'kept' | 'open';
  /** Whether it fails the job: crossed, or open where the user asked for that. */
  readonly fails: boolean;
  /** What it came to, for a person. */
  readonly sentence: string;
}
