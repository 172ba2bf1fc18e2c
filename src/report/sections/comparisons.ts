import type { Comparison } from '../../findings/comparison.ts';
import type { Findings } from '../../findings/findings.ts';
import type { SuiteFindings } from '../../findings/suite.ts';
import {
  type Block,
  type ColumnOf,
  details,
  firstItems,
  type Part,
  paragraph,
  type Table,
  table,
} from '../document/blocks.ts';
import { name, type Text } from '../document/text.ts';
import {
  byInterest,
  type Compared,
  isChanged,
  primaryChannel,
  primaryComparisons,
  type Standing,
  shownAs,
  standingOf,
} from '../verdict.ts';
import { armsTexts, changeText, effectText } from '../words/change.ts';
import { channelText } from '../words/provenance.ts';
import { othersText } from '../words/suite.ts';
import { whyText } from '../words/why.ts';
import { forestPlot } from './forest-plot.ts';
import { oneComparison } from './one-comparison.ts';

/** The columns of every table of comparisons. `margin`: shaded where intervals can be drawn. */
export function comparisonColumns(margin: number | null, suite?: SuiteFindings): (ColumnOf<Compared> | null)[] {
  const several = (suite?.variants.length ?? 0) > 2;
  const who: (ColumnOf<Compared> | null)[] =
    suite === undefined
      ? [
          { head: 'Variant', cell: ({ comparison }) => name(comparison.variant) },
          { head: 'Baseline', spare: 3, cell: ({ comparison }) => name(comparison.baseline) },
        ]
      : [
          { head: 'Benchmark', cell: ({ comparison }) => name(comparison.benchmark ?? comparison.variant) },
          several ? { head: 'Variant', cell: ({ comparison }) => name(variantOf(comparison)) } : null,
        ];
  return [
    ...who,
    { head: 'Typical energy', numeric: true, spare: 1, cell: energies },
    { head: 'Change', numeric: true, spare: 2, cell: ({ comparison }) => typicalEnergy(comparison)?.change ?? null },
    { head: 'Change in % (95 % CI)', numeric: true, cell: ({ comparison }) => changeText(comparison) },
    margin === null
      ? null
      : {
          head: 'Interval',
          margin,
          cell: (compared) => ({
            estimate: compared.comparison.percent.estimate,
            interval: compared.comparison.percent.ci95,
            verdict: shownAs(compared),
          }),
        },
    { head: 'Effect size', spare: 4, cell: ({ comparison }) => effectText(comparison) },
    { head: 'Verdict', cell: (compared) => ({ verdict: shownAs(compared) }) },
  ];
}

/** A row a comparison: the table that the verdict rests on. Channels are named where another than the primary one is among them. */
export function comparisonTable(findings: Findings, comparisons: readonly Comparison[]): Table {
  const isOther = comparisons.some((c) => c.channel !== primaryChannel(findings));
  const rows = comparisons.map((comparison): Compared => ({ findings, comparison }));
  return table('Comparisons', rows, [
    isOther && { head: 'Channel', cell: ({ comparison }) => name(channelText(findings, comparison.channel)) },
    ...comparisonColumns(findings.experiment.margin_percent, findings.suite),
  ]);
}

/** A variant as its suite calls it. */
export const variantOf = ({ benchmark = '', variant }: Comparison): string => variant.slice(benchmark.length + 1);

/** `249.7 J → 257.8 J`: a typical run of the baseline, of the variant. */
function energies({ comparison }: Compared): string | null {
  const typical = typicalEnergy(comparison);
  return typical && `${typical.baseline} → ${typical.variant}`;
}

function typicalEnergy({ typical }: Comparison): ReturnType<typeof armsTexts> | null {
  return typical?.energy_j ? armsTexts(typical.energy_j, 'J') : null;
}

/** Primary comparisons first, each group by interest. */
export function everyComparison(findings: Findings): Comparison[] {
  const primary = primaryComparisons(findings);
  return [...byInterest(primary), ...byInterest(otherComparisons(findings))];
}

function otherComparisons(findings: Findings): Comparison[] {
  const primary = primaryComparisons(findings);
  return findings.comparisons.filter((c) => !primary.includes(c));
}

/** Rows that stand in one table, changed or not. */
const MAX_OPEN = 5;

/** Every comparison: a single primary one by itself, and the others with the channels that they are on. */
export function everyTable(findings: Findings): Part {
  const [first, ...more] = everyComparison(findings);
  if (first === undefined) return null;
  if (findings.suite !== undefined) return suiteTables(findings, null);
  if (primaryComparisons(findings).length > 1) return comparisonTable(findings, [first, ...more]);
  return [oneComparison(findings, first), more.length === 0 ? null : comparisonTable(findings, more)];
}

/** The primary comparisons: what changed in the open, what did not folded as soon as there are many. */
export function primaryTables(findings: Findings, most: number): Part {
  const all = byInterest(primaryComparisons(findings));
  if (all.length === 0) return null;
  if (findings.suite !== undefined) return suiteTables(findings, most);
  const [first] = all;
  if (first !== undefined && all.length === 1) return most === 0 ? null : oneComparison(findings, first);
  const shown = all.slice(0, most);
  const dropped = all.length - shown.length;
  const left =
    dropped === 0
      ? null
      : paragraph(
          `${dropped} of ${all.length} comparisons are left out of this table because of its size; they are in the report.`,
        );
  const rows = (some: readonly Comparison[]): Part => (some.length === 0 ? null : comparisonTable(findings, some));
  if (shown.length <= MAX_OPEN) return [rows(shown), left];
  const others = shown.filter((c) => !isChanged(c));
  const more = `${others.length} more: inconclusive or within the margin`;
  return [rows(shown.filter(isChanged)), others.length === 0 ? null : details([more], rows(others)), left];
}

/** A table of the benchmarks that changed, the largest change first, `most` rows at most. The others are counted; rows that are left show them, folded. */
export function suiteTables(findings: Findings, most: number | null): Part {
  const all = byInterest(primaryComparisons(findings));
  const everyChange = all.filter(isChanged);
  const changed = everyChange.slice(0, most ?? EVERY);
  const dropped = everyChange.length - changed.length;
  const others = all.filter((comparison) => !isChanged(comparison));
  const words = othersText(findings);
  const shown = others.slice(0, Math.max(0, (most ?? 0) - changed.length));
  return [
    changed.length === 0 ? null : comparisonTable(findings, changed),
    dropped === 0
      ? null
      : paragraph(
          `${dropped} of the ${everyChange.length} changes are left out because of the size; they are in the report.`,
        ),
    words === null
      ? null
      : shown.length === 0
        ? paragraph(`${words}.`)
        : details([words], comparisonTable(findings, shown)),
  ];
}

const EVERY = Number.POSITIVE_INFINITY;

/** The comparisons on the channels beside the primary one, folded: the verdict doesn't rest on them. */
export function otherChannels(findings: Findings, most: number): Block | null {
  const others = byInterest(otherComparisons(findings));
  if (others.length === 0 || most === 0) return null;
  const left = others.length - most;
  const more = left > 0 ? paragraph(`${left} more ${left === 1 ? 'is' : 'are'} in the report.`) : null;
  return details(['Other channels'], comparisonTable(findings, others.slice(0, most)), more);
}

/** The changes of several comparisons with their intervals on one scale, in characters: their numbers stand in the table. */
export function forest(findings: Findings, most: number, width?: number): Block | null {
  if (primaryComparisons(findings).length < 2) return null;
  const told = byInterest(primaryComparisons(findings)).filter((c) => findings.suite === undefined || isChanged(c));
  const rows = told.slice(0, most);
  const lines = forestPlot(
    rows.map(({ variant, percent: { estimate, ci95 } }) => ({ label: variant, estimate, interval: ci95 })),
    width,
  );
  return lines.length === 0 ? null : { kind: 'code', language: 'text', lines };
}

/** What is open has no difference to explain, and what can't be trusted none to believe. */
const UNEXPLAINED = new Set<Standing>(['inconclusive', 'failed', 'untrusted']);

/** Reasons that stand in the open; more are folded. */
const MAX_WHY = 3;

/**
 * Where each clear difference comes from: without one there is nothing to explain, nor where the numbers can't be trusted. `shown`: a single
 * comparison's changes of time and power stand above it.
 */
export function why(findings: Findings, most: number, shown = true): Part {
  const comparisons = byInterest(primaryComparisons(findings)).filter(
    (comparison) => !UNEXPLAINED.has(standingOf({ findings, comparison })),
  );
  const reasons = comparisons.flatMap((c): { of: Comparison; text: string }[] => {
    const text = c.why.time_share === null ? null : whyText(c, shown && comparisons.length === 1);
    return text === null ? [] : [{ of: c, text }];
  });
  const [first] = reasons;
  if (first === undefined || most === 0) return null;
  if (comparisons.length === 1) return paragraph(`Why: ${first.text}.`);
  const items = reasons.map(({ of, text }): Text => [name(of.variant), `: ${text}`]);
  const listed = firstItems(items, most, (count) => `… and ${count} more in the report`);
  return items.length > MAX_WHY ? details(['Why'], listed) : [paragraph('Why:'), listed];
}
