import * as z from 'zod';
import { count, type Immutable, Interval, probability, Summary } from './numbers.ts';

/** What a run used of the machine, by itself: what the kernel counts for its processes or its place. */
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

/** What the services beside a run's command used, together: never to be added to what the command itself used. */
export const ServiceCounter = z.enum([
  'services_cpu_s',
  'services_peak_memory_bytes',
  'services_read_bytes',
  'services_written_bytes',
  'services_received_bytes',
  'services_sent_bytes',
]);
export type ServiceCounter = z.output<typeof ServiceCounter>;

/** What the command used on a third machine, where it ran there: of no machine that is measured. */
export const ClientCounter = z.enum(['client_cpu_s']);
export type ClientCounter = z.output<typeof ClientCounter>;

/** What the whole machine did in the window, whoever did it: it is counted alike for every place. */
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

/** What the machine switched in a second of idleness, before the window and in the guard after it. */
export const IdleCounter = z.enum(['idle_switches_before_per_s', 'idle_switches_after_per_s']);
export type IdleCounter = z.output<typeof IdleCounter>;

/** What is recorded of a run. */
export const RecordedCounter = z.enum([
  ...WORKLOAD_COUNTERS,
  ...ServiceCounter.options,
  ...ClientCounter.options,
  ...MACHINE_COUNTERS,
  ...IdleCounter.options,
]);
export type RecordedCounter = z.output<typeof RecordedCounter>;

/** What is told of a run; `switches_above_idle` are the machine's context switches without those that it has while idle. */
export const Counter = z.enum([
  ...WORKLOAD_COUNTERS,
  'switches_above_idle',
  ...ServiceCounter.options,
  ...ClientCounter.options,
  ...MACHINE_COUNTERS,
]);
export type Counter = z.output<typeof Counter>;

/** Why a counter is not known. */
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

/** One counter of one run. */
export type Counted<Name = RecordedCounter> =
  | { readonly counter: Name; readonly value: number; readonly missing: null }
  | { readonly counter: Name; readonly value: null; readonly missing: Uncounted };

/** A counter that may not have been there. */
export const counted = <Name>(counter: Name, value: number | null, missing: Uncounted): Counted<Name> =>
  value === null || !Number.isFinite(value) ? { counter, value: null, missing } : { counter, value, missing: null };

export const VariantCounter = z.strictObject({
  counter: Counter,
  runs: count.describe('valid runs in which it could be read'),
  value: Summary.nullable(),
  missing: Uncounted.nullable().describe('why it could not be read in the others; null: it could in all'),
});
export type VariantCounter = Immutable<z.output<typeof VariantCounter>>;

/** What differs between variants beside the energy. */
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
