import * as z from 'zod';
import { count, type Immutable, Interval, Summary } from './numbers.ts';

export const VariantMetric = z.strictObject({
  name: z.string(),
  unit: z.string(),
  runs: count.describe('valid runs that printed it'),
  value: Summary.nullable(),
  counts: z
    .string()
    .nullable()
    .describe('what energy_per_unit_j is per: the unit, or that of a rate without its time; null: it counts nothing'),
  energy_per_unit_j: Summary.nullable().describe('of the primary channel; of a rate: mean power over it'),
});

const Change = z.strictObject({ estimate: z.number(), ci95: Interval.nullable() }).nullable();

export const MetricComparison = z.strictObject({
  name: z.string(),
  unit: z.string(),
  percent: Change.describe(
    'change, estimated like that of the energy; null: a run did not print the number, or one is not above zero',
  ),
  energy_per_unit_percent: Change,
});
export type MetricComparison = Immutable<z.output<typeof MetricComparison>>;
