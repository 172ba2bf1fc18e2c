import type { Comparison } from '../../findings/comparison.ts';
import type { Findings } from '../../findings/findings.ts';
import type { SuiteFindings } from '../../findings/suite.ts';
import { fixed } from '../../text/numbers.ts';
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
import { name, plainText, type Text } from '../document/text.ts';
import {
  byInterest,
  type Compared,
  getStanding,
  isChanged,
  primaryChannel,
  primaryComparisons,
  type Standing,
  shownAs,
} from '../verdict.ts';
import { armsTexts, changeText, comparisonName, effectText } from '../words/change.ts';
import { channelText } from '../words/provenance.ts';
import { othersText } from '../words/suite.ts';
import { whyText } from '../words/why.ts';
import { forestPlot } from './forest-plot.ts';
import { oneComparison } from './one-comparison.ts';

/** Columns of all comparison tables. `margin`: shaded in formats that draw intervals; `baselines`: how many the comparisons have. */
export function comparisonColumns(
  margin: number | null,
  { suite, baselines = 1 }: { readonly suite?: SuiteFindings | undefined; readonly baselines?: number } = {},
): (ColumnOf<Compared> | null)[] {
  const several = (suite?.variants.length ?? 0) > 2;
  const who: (ColumnOf<Compared> | null)[] =
    suite === undefined
      ? [
          { head: 'Variant', cell: ({ comparison }) => name(comparison.variant) },
          // With several, no line can be understood without its own.
          { head: 'Baseline', ...(baselines < 2 && { spare: 3 }), cell: ({ comparison }) => name(comparison.baseline) },
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

/** A table with a row per comparison. Channels are named if others than the primary one are included. */
export function comparisonTable(findings: Findings, comparisons: readonly Comparison[]): Table {
  const isOther = comparisons.some((c) => c.channel !== primaryChannel(findings));
  const rows = comparisons.map((comparison): Compared => ({ findings, comparison }));
  return table('Comparisons', rows, [
    isOther && { head: 'Channel', cell: ({ comparison }) => name(channelText(findings, comparison.channel)) },
    ...comparisonColumns(findings.experiment.margin_percent, {
      suite: findings.suite,
      baselines: new Set(comparisons.map(({ baseline }) => baseline)).size,
    }),
  ]);
}

/** Name of the variant in its suite. */
export const variantOf = ({ benchmark = '', variant }: Comparison): string => variant.slice(benchmark.length + 1);

/** `249.7 J → 257.8 J`: typical runs of the baseline and the variant. */
function energies({ comparison }: Compared): string | null {
  const typical = typicalEnergy(comparison);
  return typical && `${typical.baseline} → ${typical.variant}`;
}

function typicalEnergy({ typical }: Comparison): ReturnType<typeof armsTexts> | null {
  return typical?.energy_j ? armsTexts(typical.energy_j, 'J') : null;
}

/** Comparisons on the primary channel first, each group in order of presentation. */
export function everyComparison(findings: Findings): Comparison[] {
  const primary = primaryComparisons(findings);
  return [...byInterest(primary), ...byInterest(otherComparisons(findings))];
}

function otherComparisons(findings: Findings): Comparison[] {
  const primary = primaryComparisons(findings);
  return findings.comparisons.filter((c) => !primary.includes(c));
}

/** Maximum comparisons in a single table. */
const MAX_OPEN = 5;

/** All comparisons: a single primary one separately, the others with their channels. */
export function everyTable(findings: Findings): Part {
  const [first, ...more] = everyComparison(findings);
  if (first === undefined) return null;
  if (findings.suite !== undefined) return suiteTables(findings, null);
  if (primaryComparisons(findings).length > 1) return comparisonTable(findings, [first, ...more]);
  return [oneComparison(findings, first), more.length === 0 ? null : comparisonTable(findings, more)];
}

/** Tables of the primary comparisons: changed ones visible; unchanged ones folded if there are many. */
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

/** Table of the changed benchmarks, the largest change first, at most `most` rows. The others are counted, and folded if there is room. */
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

/** Comparisons on other channels than the primary one, folded, since the verdict does not depend on them. */
export function otherChannels(findings: Findings, most: number): Block | null {
  const others = byInterest(otherComparisons(findings));
  if (others.length === 0 || most === 0) return null;
  const left = others.length - most;
  const more = left > 0 ? paragraph(`${left} more ${left === 1 ? 'is' : 'are'} in the report.`) : null;
  return details(['Other channels'], comparisonTable(findings, others.slice(0, most)), more);
}

/** Changes with intervals on a common scale, as characters; the table has their numbers. */
export function forest(findings: Findings, most: number, width?: number): Block | null {
  if (primaryComparisons(findings).length < 2) return null;
  const reported = byInterest(primaryComparisons(findings)).filter((c) => findings.suite === undefined || isChanged(c));
  const rows = reported.slice(0, most);
  const lines = forestPlot(
    rows.map((c) => ({
      label: plainText(comparisonName(c, rows)),
      estimate: c.percent.estimate,
      interval: c.percent.ci95,
    })),
    width,
  );
  return lines.length === 0 ? null : { kind: 'code', language: 'text', lines };
}

/** Verdicts without an explanation: open comparisons have no clear difference, untrusted ones no reliable one. */
const UNEXPLAINED = new Set<Standing>(['inconclusive', 'failed', 'untrusted']);

/** Maximum visible explanations; more are folded. */
const MAX_WHY = 3;

/** A clause about the start of a variant's container, where that is much of its windows and the baseline starts none. */
function startText({ quality: { checks } }: Findings, { variant, baseline }: Comparison): string {
  const seen = checks.flatMap((check) =>
    check.name === 'start-up' && check.reason === 'large' ? check.facts.seen : [],
  );
  const own = seen.find((one) => one.variant === variant);
  if (own === undefined || seen.some((one) => one.variant === baseline)) return '';
  return `; starting its container takes ${fixed(own.percent, 0)} % of a window`;
}

/**
 * Sources of each clear difference; null if there is none, or the numbers can't be trusted. `shown`: a single
 * comparison's changes of time and power are already shown above.
 */
export function why(findings: Findings, most: number, shown = true): Part {
  const comparisons = byInterest(primaryComparisons(findings)).filter(
    (comparison) => !UNEXPLAINED.has(getStanding({ findings, comparison })),
  );
  const reasons = comparisons.flatMap((c): { of: Comparison; text: string }[] => {
    const text = c.why.time_share === null ? null : whyText(c, shown && comparisons.length === 1);
    return text === null ? [] : [{ of: c, text: `${text}${startText(findings, c)}` }];
  });
  const [first] = reasons;
  if (first === undefined || most === 0) return null;
  if (comparisons.length === 1) return paragraph(`Why: ${first.text}.`);
  const items = reasons.map(({ of, text }): Text => [...comparisonName(of, comparisons), `: ${text}`]);
  const listed = firstItems(items, most, (count) => `… and ${count} more in the report`);
  return items.length > MAX_WHY ? details(['Why'], listed) : [paragraph('Why:'), listed];
}
