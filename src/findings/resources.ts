import * as z from 'zod';
import { count, type Immutable, Interval, probability, Summary } from './numbers.ts';

/** Counters of a run alone: what the kernel counts for its processes or its place. */
const WORKLOAD_COUNTERS = [
  'user_s',
  'system_s',
  'minor_faults',
  'major_faults',
  'received_bytes',
  'sent_bytes',
  'throttled_s',
  'guest_cpu_s',
  'cpu_stall_s',
  'memory_stall_s',
  'memory_full_stall_s',
  'io_stall_s',
  'io_full_stall_s',
] as const;

/** Counters of the services beside a run's command, all together; they must not be added to those of the command. */
export const ServiceCounter = z.enum([
  'services_cpu_s',
  'services_peak_memory_bytes',
  'services_read_bytes',
  'services_written_bytes',
  'services_received_bytes',
  'services_sent_bytes',
]);
export type ServiceCounter = z.output<typeof ServiceCounter>;

/** Counters of a command that ran on a third machine, which is not measured. */
export const ClientCounter = z.enum(['client_cpu_s']);
export type ClientCounter = z.output<typeof ClientCounter>;

/** Counters of the container engine's processes, if an engine runs: beside containers, and while idle. */
export const EngineCounter = z.enum(['engine_cpu_s', 'engine_switches']);

/** Counters of the whole machine in the window, whatever caused them: they are comparable across all kinds of places. */
const MACHINE_COUNTERS = [
  'machine_context_switches',
  'machine_received_bytes',
  'machine_sent_bytes',
  'machine_cpu_stall_s',
  'machine_memory_stall_s',
  'machine_memory_full_stall_s',
  'machine_io_stall_s',
  'machine_io_full_stall_s',
  'mean_frequency_hz',
  'frequency_after_hz',
  'temperature_after_c',
] as const;

/** Context switches per second of the idle machine, before the window and in the guard after it. */
export const IdleCounter = z.enum(['idle_switches_before_per_s', 'idle_switches_after_per_s']);
export type IdleCounter = z.output<typeof IdleCounter>;

/** Counters that are recorded for a run. */
export const RecordedCounter = z.enum([
  ...WORKLOAD_COUNTERS,
  ...ServiceCounter.options,
  ...ClientCounter.options,
  ...EngineCounter.options,
  ...MACHINE_COUNTERS,
  ...IdleCounter.options,
]);
export type RecordedCounter = z.output<typeof RecordedCounter>;

/** Counters that are reported for a run; `switches_above_idle` are the machine's context switches minus those while idle. */
export const Counter = z.enum([
  ...WORKLOAD_COUNTERS,
  'switches_above_idle',
  ...ServiceCounter.options,
  ...ClientCounter.options,
  ...EngineCounter.options,
  ...MACHINE_COUNTERS,
]);
export type Counter = z.output<typeof Counter>;

/** Reasons for a counter without a value. */
export const Uncounted = z.enum([
  ...([
    'not-counted',
    'not-allowed',
    'gone',
    'shared-network',
    'client-network',
    'shared-group',
    'outlives-run',
  ] as const),
  ...(['no-memory-group', 'no-sensor'] as const),
]);
export type Uncounted = z.output<typeof Uncounted>;

/** Value of one counter in one run, or the reason why it is missing. */
export type Counted<Name = RecordedCounter> =
  | { readonly counter: Name; readonly value: number; readonly missing: null }
  | { readonly counter: Name; readonly value: null; readonly missing: Uncounted };

/** A counter's value; or `missing`, if the value is null. */
export const counted = <Name>(counter: Name, value: number | null, missing: Uncounted): Counted<Name> =>
  value === null || !Number.isFinite(value) ? { counter, value: null, missing } : { counter, value, missing: null };

export const VariantCounter = z.strictObject({
  counter: Counter,
  runs: count.describe('valid runs in which it could be read'),
  value: Summary.nullable(),
  missing: Uncounted.nullable().describe('why it could not be read in the others; null: it could in all'),
});
export type VariantCounter = Immutable<z.output<typeof VariantCounter>>;

/** Resources whose use is compared between variants, beside the energy. */
export const Resource = z.enum(['cpu_s', 'peak_memory_bytes', 'read_bytes', 'written_bytes', ...Counter.options]);
export type Resource = z.output<typeof Resource>;

export const ResourceComparison = z.strictObject({
  resource: Resource,
  blocks: count.describe('in which it is known for both'),
  baseline_mean: z.number(),
  variant_mean: z.number(),
  difference: z.number().describe("Hodges-Lehmann of the blocks' differences, variant minus baseline"),
  ci95: Interval.nullable().describe('exact signed-rank interval, wider by open on both sides; null: too few blocks'),
  open: z
    .number()
    .optional()
    .describe(
      'of switches_above_idle alone: what the difference between idleness before and after the windows leaves open',
    ),
  p: probability.describe('exact signed-rank test'),
  q: probability.describe("Benjamini and Hochberg's, over all resources of all comparisons of the experiment"),
  clear: z
    .boolean()
    .describe(
      'q of at most 0.05, and a difference of at least 5 % of the larger mean and of a least amount; where there is open, ci95 without 0 as well',
    ),
});
export type ResourceComparison = Immutable<z.output<typeof ResourceComparison>>;
