import type { Passport } from '../meters/passport/passport.ts';
import type { Conditions } from '../store/conditions.ts';
import type { Comparison } from './comparison.ts';
import type { Costs } from './costs.ts';
import type { Factorial } from './factorial.ts';
import type { Interval, SerialStatistics } from './numbers.ts';
import type { ThresholdResult } from './thresholds.ts';
import type { VariantFindings } from './variant.ts';

export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly advice: string | null;
}

export interface Findings {
  readonly schema: 'joulediff/findings/1';
  readonly experiment: {
    readonly id: string | null;
    readonly name: string;
    readonly started_at: string | null;
    readonly seed: number | null;
    readonly order: string;
    readonly repetitions_planned: number | null;
    /** Blocks in which every variant has a valid run. */
    readonly repetitions_completed: number | null;
    /** Only of an experiment that could end early. */
    readonly looks?: {
      /** Blocks at each look. */
      readonly planned: readonly number[];
      /** Looks that were taken. */
      readonly used: number;
      /** Level of each planned look. */
      readonly nominal_p: readonly number[];
      /** The greatest p of the comparisons at each look taken, as it was then. */
      readonly p: readonly (number | null)[];
      /** Blocks after which it was ended by its rule, before the last look; null: it wasn't. */
      readonly stopped_at: number | null;
    };
    /** False: stopped before the plan was through; the numbers are of what was measured until then. */
    readonly complete: boolean;
    readonly baseline: string;
    readonly margin_percent: number;
    readonly rest_s: number | null;
    readonly guard_s: number | null;
    readonly joulediff_version: string;
  };
  readonly meter: {
    readonly type: string;
    readonly address: string | null;
    /** True only for an instrument: neither a model nor an emulator. */
    readonly measured: boolean;
    readonly source: 'measured' | 'modelled' | 'emulated' | 'unknown';
    readonly sampling_period_s: number | null;
    readonly accuracy: { readonly gain_percent: number; readonly offset_w: number } | null;
    readonly identity: Readonly<Record<string, string | number | boolean>>;
    readonly remarks: readonly string[];
    /** What `meter check` had found out about it on this machine; null: it was never checked here. */
    readonly passport: Passport | null;
    readonly channels: readonly string[];
    /** The other meters, as they are named on a command line; absent: there are none. */
    readonly beside?: readonly string[];
    /** Of channels whose numbers are of another kind than the primary one's; absent: there are none. */
    readonly channel_sources?: Readonly<Record<string, 'measured' | 'modelled' | 'emulated'>>;
  };
  readonly conditions: Conditions | null;
  readonly quality: {
    /** `noise_floor.percent`. */
    readonly noise_floor_percent: number | null;
    /** The difference that this machine shows between two identical variants; null: not measured. */
    readonly noise_floor: {
      /** The whole 95 % interval of the difference of two identical arms of the baseline lies within ± this. */
      readonly percent: number;
      /** That interval, percent. */
      readonly ci95: Interval;
      readonly blocks: number;
      /** `inline`: within this experiment; `stored`: before it, with the same workload, machine and meter. */
      readonly source: 'inline' | 'stored';
      /** ISO 8601, UTC: when that experiment began. */
      readonly measured_at: string | null;
    } | null;
    /** Descriptive: ln E of the primary channel's compared runs less the mean of their variant, in the order of time. Null: that isn't known. */
    readonly machine?: SerialStatistics | null;
    readonly checks: readonly Check[];
  };
  readonly variants: readonly VariantFindings[];
  readonly comparisons: readonly Comparison[];
  /** Of an experiment with two factors. */
  readonly factorial?: Factorial | null;
  /** What the thresholds of `fail-on` came to; absent: there are none. */
  readonly thresholds?: readonly ThresholdResult[];
  /** Money and carbon; absent: neither price nor intensity was given. */
  readonly costs?: Costs | null;
}
