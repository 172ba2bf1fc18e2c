import * as z from 'zod';
import { label, map, quantity, text } from '../input/leaves.ts';
import { ABOVE, BELOW, INTENSITY, intensityGPerKwh, type Limit, limit, PRICE, price } from '../input/quantities.ts';
import type { Cost, Experiment, Threshold } from './experiment.ts';

const MAX_PRICE = 1_000_000;
/** Plausible maximum, g/kWh: the dirtiest grids have about 1,500, so a larger number was meant in another unit. */
const MAX_INTENSITY = 5_000;
const PRICE_TEXT =
  'a price per kilowatt-hour with its unit, such as "0.30 EUR/kWh" (currency as three capital letters)';
const INTENSITY_TEXT =
  'grams of CO2 equivalent per kilowatt-hour with the unit, such as "380 g/kWh" or "0.38 kg/kWh", up to 5,000 g/kWh';
/** With them, the quotient of two is finite, as is the energy of a task. */
const [MIN_COUNT, MAX_COUNT] = [1e-24, 1e24];
const COUNT = 'a number from 1e-24 to 1e24, such as 1000 or 1e9';

const count = z.number({ error: COUNT }).min(MIN_COUNT, { error: COUNT }).max(MAX_COUNT, { error: COUNT });

const task = map({
  name: label.meta({ description: 'Name of the task, such as "10^9 queries".' }),
  runs: count.optional().meta({ description: 'Runs of the command that the task takes; may be a fraction.' }),
  'per-run': count
    .optional()
    .meta({ description: 'Instead of runs, with total: how many items of the task one run of the command does.' }),
  total: count.optional().meta({ description: 'Instead of runs, with per-run: how many items the task has.' }),
});

/** Schema of `cost`: the price of energy, its carbon intensity, and the unit of work of the user. */
export const cost = map({
  price: quantity(PRICE_TEXT, PRICE, price, ({ perKwh }) => perKwh <= MAX_PRICE)
    .optional()
    .meta({ description: 'Price of electricity, such as "0.30 EUR/kWh".' }),
  intensity: quantity(INTENSITY_TEXT, INTENSITY, intensityGPerKwh, (grams) => grams <= MAX_INTENSITY)
    .optional()
    .meta({ description: 'Carbon intensity of the grid in CO2 equivalent, such as "380 g/kWh".' }),
  task: task.optional().meta({ description: 'Amount of work that costs are reported for, besides a single run.' }),
});

const MAX_THRESHOLDS = 100;
const ABOVE_TEXT = 'a limit with its unit, such as "5%" or "20 J"';
const BELOW_TEXT = 'a limit with its sign and unit, such as "-5%" or "-20 J"';
const THRESHOLD = `${ABOVE_TEXT}, or a map with above or below, such as { above: 5%, variant: container }`;
const YES = 'true or false';

const fits = ({ metric, value }: Limit): boolean => metric === 'joules' || (value > -100 && value <= 10_000);
const above = quantity(ABOVE_TEXT, ABOVE, limit, fits);
const below = quantity(BELOW_TEXT, BELOW, limit, fits);

const threshold = z.union(
  [
    above,
    map({
      above: above
        .optional()
        .meta({ description: 'Crossed when the variant uses more than the baseline by more than this.' }),
      below: below
        .optional()
        .meta({ description: 'Crossed when the variant uses less than the baseline by more than this.' }),
      variant: label.optional().meta({ description: 'Variant with the limit; default: every variant.' }),
      suite: z.literal('mean', { error: '"mean"' }).optional().meta({
        description: 'mean: limits the geometric mean over the benchmarks of the suite. Default: each benchmark.',
      }),
      channel: label.optional().meta({ description: 'Channel that the limit is for; default: the primary one.' }),
      'even-if-inconclusive': z.boolean({ error: YES }).optional().meta({
        description: 'true: fails unless the interval lies within the limit, so that an inconclusive result fails too.',
      }),
    }),
  ],
  { error: THRESHOLD },
);

/** Schema of `fail-on`: increases of energy beyond a limit fail the job, if the whole interval is beyond it. */
export const failOn = z
  .union([threshold, z.array(threshold, { error: THRESHOLD }).max(MAX_THRESHOLDS, { error: THRESHOLD })], {
    error: THRESHOLD,
  })
  .meta({
    description:
      'Limit for the change of every variant, such as 5% or "20 J", or a list of limits. A limit is crossed if the whole 95 % interval lies beyond it; the exit code is then 1.',
  });

const BUDGET_TEXT = 'an energy above 0 with its unit, such as "12 J"';
const JOULES = /^\d+(\.\d+)? ?J$/;
const NAMED = 'a name of a benchmark or a variant, or a pattern such as "parse*"';

/** Schema of `budget`: maximum energies of variants, whatever the baseline uses. */
export const budget = z
  .record(
    text(NAMED, /^[^\p{C}]{1,200}$/u, 200),
    quantity(
      BUDGET_TEXT,
      JOULES,
      (given) => ({ text: given, value: Number.parseFloat(given) }),
      ({ value }) => value > 0,
    ),
    { error: 'a map of benchmarks or variants and energies, such as { "parse*": 12 J }' },
  )
  .meta({
    description:
      'Maximum energies of one execution, by benchmark or variant, such as { "parse*": 12 J }. One is crossed if the whole interval, including the uncertainty of the meter, lies beyond it; the exit code is then 1.',
  });

type ThresholdFile = z.output<typeof threshold>;

interface GoalsFile {
  readonly cost?: z.output<typeof cost> | undefined;
  readonly 'fail-on'?: z.output<typeof failOn> | undefined;
  readonly budget?: z.output<typeof budget> | undefined;
}

/** The user's goals beside the verdict: costs and thresholds. */
export function resolveGoals(file: GoalsFile): Pick<Experiment, 'cost' | 'failOn'> {
  const limits = file['fail-on'] === undefined ? [] : [file['fail-on']].flat().map(resolveThreshold);
  const failing = [
    ...limits,
    ...Object.entries(file.budget ?? {}).map(([of, { text, value }]) => energyBudget(of, text, value)),
  ];
  return {
    ...(file.cost && { cost: resolveCost(file.cost) }),
    ...((file['fail-on'] ?? file.budget) !== undefined && { failOn: failing }),
  };
}

function resolveCost({ price, intensity, task }: z.output<typeof cost>): Cost {
  const runs = task?.runs ?? (task?.total ?? Number.NaN) / (task?.['per-run'] ?? Number.NaN);
  return {
    price: price ?? null,
    intensityGPerKwh: intensity ?? null,
    task: task === undefined ? null : { name: task.name, runs },
  };
}

/** Threshold on the energy itself of the variants that match `pattern`. */
const energyBudget = (pattern: string, text: string, limit: number): Threshold => ({
  text: `${pattern}: ${text}`,
  metric: 'joules',
  direction: 'above',
  limit,
  variant: null,
  channel: null,
  evenIfInconclusive: false,
  of: { energy: pattern },
});

/** A threshold that is only a limit means `above`. */
function resolveThreshold(file: ThresholdFile): Threshold {
  const given = 'text' in file ? { above: file } : file;
  const limit = given.above ?? given.below;
  if (limit === undefined) throw new Error('a threshold without a limit came through the checks');
  return {
    text: limit.text,
    metric: limit.metric,
    direction: given.above === undefined ? 'below' : 'above',
    limit: limit.value,
    variant: given.variant ?? null,
    channel: given.channel ?? null,
    evenIfInconclusive: given['even-if-inconclusive'] ?? false,
    ...(given.suite === 'mean' && { of: 'mean' as const }),
  };
}

/** A threshold given as in the file: `5%`, `20 J`, or a map such as `{ above: 5%, variant: container }`; null: it is none. */
export function thresholdOf(given: unknown): Threshold | null {
  const found = threshold.safeParse(given);
  const limits = found.success && !('text' in found.data) ? [found.data.above, found.data.below] : [true];
  return found.success && limits.filter(Boolean).length === 1 ? resolveThreshold(found.data) : null;
}
