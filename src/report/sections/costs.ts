import type { Findings } from '../../findings/findings.ts';
import type { Amount, CostOf, Costs } from '../../findings/goals.ts';
import { decimalsFor, decimalsOf, fixed, short, signed, significant } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { folded, type Part, paragraph, type Section, section, type Table, table } from '../document/blocks.ts';
import { name, type Text, text } from '../document/text.ts';
import { executionsPerRun } from '../per-execution.ts';
import { byInterest, failedChecks, primaryComparisons } from '../verdict.ts';
import { comparisonName } from '../words/change.ts';
import { provenance } from '../words/provenance.ts';

/** Maximum comparisons with visible costs; more are folded. */
const MAX_OPEN = 3;

/** Money and carbon of at most `most` comparisons; null: neither price nor intensity was given. */
export function costs(findings: Findings, most = Number.POSITIVE_INFINITY): Section | null {
  const { costs: found } = findings;
  // No costs for numbers that can't be trusted.
  if (!found || most === 0 || failedChecks(findings).length > 0) return null;
  const rows = costTable(findings, found, most);
  if (rows.rows.length === 0) return null;
  const left = countOf(found) - most;
  const more = left > 0 ? paragraph(`${left} more ${left === 1 ? 'is' : 'are'} in findings.json.`) : null;
  return section('costs', ['Cost'], paragraph(...costIntro(findings, found)), rows, more);
}

/** Costs within a text: a few are visible, with a title. */
export function costsInText(findings: Findings, most: number): Part {
  const part = costs(findings, most);
  if (part === null || !findings.costs || countOf(findings.costs) > MAX_OPEN) return folded(part);
  const [, ...tables] = part.blocks;
  return [paragraph({ strong: ['Cost.'] }, ' ', ...costIntro(findings, findings.costs)), ...tables];
}

function countOf({ differences, variants }: Costs): number {
  return differences.length === 0 ? variants.length : differences.length;
}

/** Assumptions of the costs, in one or two sentences. */
function costIntro(findings: Findings, costs: Costs): Text {
  const { price, intensity_g_per_kwh: intensity, task } = costs;
  const prices = [
    price && `${priceText(price.per_kwh)} ${price.currency}/kWh`,
    intensity !== null && `${short(intensity, 6)} g CO₂e/kWh`,
  ].filter(Boolean);
  const counted: Text =
    task === null ? [] : text` ${name(task.name)} = ${short(task.runs, 4)} ${task.runs === 1 ? 'run' : 'runs'}.`;
  return text`At ${prices.join(' and ')}, of ${energyOf(findings, costs.channel)}.${counted}${batchWords(findings)}`;
}

/** A price with at least two decimals. */
function priceText(price: number): string {
  const written = short(price, 6);
  return decimalsOf(written) < 2 ? fixed(price, 2) : written;
}

/** Names the energy that the costs are based on, so that it is clear if it is a part of the machine, or modelled. */
function energyOf(findings: Findings, channel: string | null): string {
  const { part, source } = findings.meter;
  const on = channel === null || channel === '' ? '' : ` on the channel ${channel}`;
  if (source === 'modelled') return `the energy that the model estimates${on}, which was not measured`;
  if (source === 'emulated') return `the energy of an emulated meter${on}, which is not a measurement`;
  if (source === 'unknown') return `the energy${on}, ${provenance(findings).short}`;
  if (part === 'machine' || part === null) return `the gross energy${on}`;
  return `the gross energy${on}: of the processor’s own counters, not of the whole machine`;
}

function batchWords({ variants }: Findings): string {
  const executions = executionsPerRun({ variants });
  return executions === 1 ? '' : ` A run here is one of the ${plural(executions, 'execution')} in a window.`;
}

/** A row for the task and one for a run, of money and of carbon, per comparison; without comparisons, per variant. */
function costTable(findings: Findings, costs: Costs, most: number): Table {
  const { price, intensity_g_per_kwh: intensity, task } = costs;
  const kinds = [...(price === null ? [] : ['money' as const]), ...(intensity === null ? [] : ['carbon' as const])];
  const pairs = pairsOf(findings, costs);
  const rows = pairs.slice(0, most).flatMap(({ variant, baseline, difference }) =>
    (['task', 'run'] as const).flatMap((per) => {
      if (variant[per] === null) return [];
      const label = difference === null ? name(variant.variant) : comparisonName(difference, findings.comparisons);
      return kinds.map((kind) => {
        const of = (cost: CostOf | null) => priced(cost?.[per], kind, price?.currency ?? '');
        const [both, change] = costCells(of(baseline), of(variant), of(difference));
        return { label, unit: per === 'run' ? 'a run' : name(task?.name ?? ''), both, change };
      });
    }),
  );
  return table('Money and carbon', rows, [
    { head: 'Variant', cell: ({ label }) => label },
    { head: 'For', cell: ({ unit }) => unit },
    { head: 'From → to', numeric: true, cell: ({ both }) => both },
    { head: 'Δ (95 % CI)', numeric: true, cell: ({ change }) => change },
  ]);
}

interface Pair {
  readonly variant: CostOf;
  readonly baseline: CostOf | null;
  readonly difference: Costs['differences'][number] | null;
}

/** Pairs in the order of the main table. */
function pairsOf(findings: Findings, { variants, differences }: Costs): Pair[] {
  if (differences.length === 0) return variants.map((variant) => ({ variant, baseline: null, difference: null }));
  const find = (wanted: string) => variants.find(({ variant }) => variant === wanted) ?? null;
  const order = byInterest(primaryComparisons(findings));
  const place = ({ variant, baseline }: { variant: string; baseline: string }): number =>
    order.findIndex((c) => c.variant === variant && c.baseline === baseline);
  return differences
    .toSorted((a, b) => place(a) - place(b))
    .flatMap((difference) => {
      const variant = find(difference.variant);
      return variant === null ? [] : [{ variant, baseline: find(difference.baseline), difference }];
    });
}

interface Priced {
  readonly value: number | null;
  readonly ci95: readonly [number, number] | null;
  /** Currency; null: the amount is carbon, in grams. */
  readonly currency: string | null;
}

function priced(amount: Amount | null | undefined, kind: 'money' | 'carbon', currency: string): Priced {
  const value = (kind === 'money' ? amount?.money : amount?.carbon_g) ?? null;
  const ci95 = (kind === 'money' ? amount?.money_ci95 : amount?.carbon_ci95_g) ?? null;
  return { value, ci95, currency: kind === 'money' ? currency : null };
}

/** Units of mass, from the largest, in grams. */
const MASSES = [
  ['t', 1e6],
  ['kg', 1e3],
  ['g', 1],
  ['mg', 1e-3],
  ['µg', 1e-6],
] as const;

/** Unit for small amounts: below a thousandth, costs are given in millionths of the currency, then in billionths. */
function moneyUnit(values: readonly number[], currency: string): readonly [unit: string, size: number] {
  const largest = Math.max(...values.map(Math.abs));
  if (largest === 0 || largest >= 1e-3) return [currency, 1];
  return largest >= 1e-7 ? [`× 10⁻⁶ ${currency}`, 1e-6] : [`× 10⁻⁹ ${currency}`, 1e-9];
}

function unitOf(values: readonly number[], currency: string | null): readonly [unit: string, size: number] {
  if (currency !== null) return moneyUnit(values, currency);
  const largest = Math.max(...values.map(Math.abs));
  const [unit, size] = MASSES.find(([, one]) => largest >= one) ?? (['µg', 1e-6] as const);
  return [`${unit} CO₂e`, size];
}

/** `1.287 → 1.427 USD` and `+0.14 USD (+0.12 to +0.16)`, in one unit. */
function costCells(from: Priced, to: Priced, change: Priced): [string | null, string | null] {
  const values = [from.value, to.value].filter((value) => value !== null);
  if (values.length === 0) return [null, null];
  const [unit, size] = unitOf(values, to.currency);
  const both = `${values.map((value) => significant(value / size)).join(' → ')} ${unit}`;
  if (change.value === null) return [both, null];
  if (change.ci95 === null)
    return [both, `${change.value > 0 ? '+' : ''}${significant(change.value / size, 2)} ${unit}`];
  const ends = [change.ci95[0] / size, change.ci95[1] / size] as const;
  const decimals = decimalsFor(ends);
  const interval = ends.map((end) => signed(end, decimals)).join(' to ');
  return [both, `${signed(change.value / size, decimals)} ${unit} (${interval})`];
}
