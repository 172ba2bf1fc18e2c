import * as z from 'zod';
import { label, map, quantity } from '../input/leaves.ts';
import { INTENSITY, intensityGPerKwh, PRICE, price } from '../input/quantities.ts';

const MOST_PRICE = 1_000_000;
/** The dirtiest grids have about 1,500: a larger number was meant in another unit. */
const MOST_INTENSITY = 5_000;
const PRICE_TEXT =
  'a price per kilowatt-hour with its unit, such as "0.30 EUR/kWh" (currency as three capital letters)';
const INTENSITY_TEXT =
  'grams of CO2 equivalent per kilowatt-hour with the unit, such as "380 g/kWh" or "0.38 kg/kWh", up to 5,000 g/kWh';
const COUNT = 'a number above 0, such as 1000 or 1e9';

const count = z.number({ error: COUNT }).positive({ error: COUNT });

const task = map({
  name: label.meta({ description: 'What is counted, such as "10^9 queries".' }),
  runs: count.optional().meta({ description: 'Runs of the command that the task takes; may be a fraction.' }),
  'per-run': count
    .optional()
    .meta({ description: 'Instead of runs, with total: how many of it one run of the command does.' }),
  total: count.optional().meta({ description: 'Instead of runs, with per-run: how many of it the task has.' }),
});

/** What energy costs, in money and in carbon, and what the user counts in. */
export const cost = map({
  price: quantity(PRICE_TEXT, PRICE, price, ({ perKwh }) => perKwh <= MOST_PRICE)
    .optional()
    .meta({ description: 'Of electricity, such as "0.30 EUR/kWh".' }),
  intensity: quantity(INTENSITY_TEXT, INTENSITY, intensityGPerKwh, (grams) => grams <= MOST_INTENSITY)
    .optional()
    .meta({ description: 'Of the grid, in CO2 equivalent, such as "380 g/kWh".' }),
  task: task.optional().meta({ description: 'What costs are told for beside a single run.' }),
});
