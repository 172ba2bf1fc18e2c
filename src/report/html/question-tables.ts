import type { Amount, Findings } from '../../analysis/findings.ts';
import { MISSING, quantity, short, significant } from '../format.ts';
import { type Cell, name, type Table } from '../tables.ts';

/** Tables of questions that only some experiments ask. `null`: this one didn't. */

const STATES = { crossed: 'crossed', kept: 'kept', open: 'open: the interval does not decide' } as const;

export function thresholdsTable({ thresholds }: Findings): Table | null {
  if (!thresholds || thresholds.length === 0) return null;
  return {
    head: ['Threshold', 'Variant', 'Baseline', 'Channel', 'State', 'In words'],
    rows: thresholds.map((t) => [
      name(t.threshold),
      name(t.variant),
      name(t.baseline),
      name(t.channel),
      STATES[t.state],
      t.sentence,
    ]),
  };
}

export function costsTable({ costs }: Findings): Table | null {
  if (!costs) return null;
  const { price, intensity_g_per_kwh: intensity, task } = costs;
  const amounts = (a: Amount | null): string[] => [
    a === null ? MISSING : quantity(a.energy_j, 'J'),
    ...(price === null ? [] : [moneyText(a, price.currency)]),
    ...(intensity === null ? [] : [a === null || a.carbon_g === null ? MISSING : `${significant(a.carbon_g)} g`]),
  ];
  const heads = (of: string): string[] => [
    `>Energy of ${of}`,
    ...(price === null ? [] : [`>Money for ${of}`]),
    ...(intensity === null ? [] : [`>CO₂e of ${of}`]),
  ];
  const row = (label: Cell, against: Cell, { run, task: many }: { run: Amount; task: Amount | null }): Cell[] => [
    label,
    against,
    ...amounts(run),
    ...(task === null ? [] : amounts(many)),
  ];
  return {
    head: ['Variant', 'Less the baseline', ...heads('a run'), ...(task === null ? [] : heads('the task'))],
    rows: [
      ...costs.variants.map((v) => row(name(v.variant), '', v)),
      ...costs.differences.map((d) => row(name(d.variant), name(d.baseline), d)),
    ],
  };
}

function moneyText(amount: Amount | null, currency: string): string {
  if (amount === null || amount.money === null) return MISSING;
  const interval = amount.money_ci95;
  const range = interval === null ? '' : ` (${significant(interval[0], 3)} to ${significant(interval[1], 3)})`;
  return `${significant(amount.money)}${range} ${currency}`;
}

/** What the costs rest on. */
export function costsNote({ costs }: Findings): string {
  if (!costs) return '';
  return [
    costs.price && `Price: ${short(costs.price.per_kwh, 4)} ${costs.price.currency} a kilowatt-hour.`,
    costs.intensity_g_per_kwh === null
      ? null
      : `Carbon: ${short(costs.intensity_g_per_kwh, 4)} g CO₂e a kilowatt-hour.`,
    costs.task && `Task: ${costs.task.name}, ${short(costs.task.runs, 6)} runs.`,
    'Of the mean gross energy on the primary channel.',
  ]
    .filter(Boolean)
    .join(' ');
}
