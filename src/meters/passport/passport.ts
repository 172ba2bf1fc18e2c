import type { Check } from '../../findings/checks.ts';

/**
 * What `joulediff meter check` found out about one meter on one machine, as it is stored (JSON, SI units).
 * Null is what does not apply or could not be known.
 */
export interface Passport {
  readonly schema: 'joulediff/passport/1';
  /** ISO 8601, UTC. */
  readonly when: string;
  readonly host: string;
  readonly type: string;
  readonly address: string | null;
  readonly source: 'measured' | 'modelled' | 'emulated';
  readonly identity: Readonly<Record<string, string | number | boolean>>;
  readonly channel: string;
  /** Watched for so long. */
  readonly duration_s: number;
  readonly readings: number;
  readonly gaps: number;
  readonly period_s: number;
  readonly nominal_period_s: number;
  /** Standard deviation of the readings' arrivals around their even clock; of the intervals where the host sets the times. */
  readonly jitter_s: number;
  readonly longest_interval_s: number;
  /** The smallest step between two readings; null for a counter. */
  readonly resolution_w: number | null;
  /** How late the meter shows a step; null for a counter, which is read at the edges, and where no step was seen. */
  readonly latency: {
    readonly mean_s: number;
    /** Null of a single edge. */
    readonly sd_s: number | null;
    readonly max_s: number;
    readonly edges: number;
  } | null;
  /** Shortest guard that held every reading that a step touched, seconds; null as `latency`. */
  readonly guard_needed_s: number | null;
  readonly step: {
    readonly idle_w: number;
    readonly busy_w: number;
    readonly step_w: number;
    readonly sd_w: number | null;
    /** Steps of the test, those that nothing else disturbed, and those of them in which the power changed with the processors. */
    readonly made: number;
    readonly judged: number;
    readonly seen: number;
  } | null;
  readonly sane: boolean;
  readonly checks: readonly Check[];
}
