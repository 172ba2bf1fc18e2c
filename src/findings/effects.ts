import * as z from 'zod';
import { Inconclusive } from './comparison.ts';
import { count, type Immutable, Interval, probability } from './numbers.ts';

const Level = z.strictObject({
  levels: z.array(z.string()).describe('one of each factor of the effect'),
  percent: z.number().nullable(),
  ci95: Interval.nullable().describe('by itself, not adjusted'),
});

export const Effect = z.strictObject({
  factors: z.array(z.string()).min(1).describe('one: its main effect; two: their interaction'),
  df: count.describe('number of differences that it consists of; 0: the existing cells cannot show it'),
  averaged: z
    .array(z.array(z.string()))
    .describe('combinations of the levels of the other factors that it is averaged over, in the order of the factors'),
  p: probability.nullable().describe('signed-rank test of the blocks, spatial for more than one difference'),
  p_holm: probability.nullable().describe("by Holm's method for all effects that can be tested"),
  verdict: z.enum(['shown', 'inconclusive']),
  reason: z.union([Inconclusive, z.literal('not-estimable')]).nullable(),
  levels: z
    .array(Level)
    .describe(
      'of a main effect: each other level against the first; of an interaction: how far each combination is from what its levels by themselves give',
    ),
});
export type Effect = Immutable<z.output<typeof Effect>>;

export const Effects = z
  .strictObject({
    channel: z.string(),
    factors: z.array(z.strictObject({ name: z.string(), levels: z.array(z.string()) })),
    cells: z.array(z.strictObject({ variant: z.string(), levels: z.array(z.string()) })),
    blocks: count.describe('complete blocks, with one valid run of every cell'),
    tested: z.array(Effect),
  })
  .describe('main effects and two-factor interactions of a matrix, computed on logarithms and given in percent');
export type Effects = Immutable<z.output<typeof Effects>>;
