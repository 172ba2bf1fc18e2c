import type { Findings } from '../../findings/findings.ts';
import type { ThresholdResult } from '../../findings/goals.ts';
import { plural } from '../../text/plain.ts';
import {
  alert,
  type Details,
  details,
  firstItems,
  type Part,
  paragraph,
  type Section,
  section,
  type Table,
  table,
} from '../document/blocks.ts';
import { listedUpTo, type Text, text } from '../document/text.ts';
import { byWeight, failing } from '../verdict.ts';
import { comparisonName } from '../words/change.ts';
import { limitText, limitWithScope, outcomeText, thresholdText, variantName } from '../words/threshold.ts';

/** Maximum visible sentences for thresholds that fail the job. */
const MAX_FAILING = 3;
const MAX_OPEN = 3;
/** Maximum variants named for one limit. */
const MAX_NAMED = 5;
/** Maximum limits in one sentence, and with their own line. */
const MAX_LIMITS = 10;

/** Thresholds: an alert for those that fail the job, then open ones, then kept ones in short. */
export function thresholdOverview(findings: Findings): Part {
  const all = findings.thresholds ?? [];
  if (all.length === 0) return null;
  if (!findings.experiment.complete) return paragraph(notJudged(findings));
  const failed = failing(findings);
  const open = openOnes(all);
  const kept = all.filter(({ state }) => state === 'kept');
  const sentences = (results: readonly ThresholdResult[], most: number) =>
    firstItems(
      results.map((result) => thresholdText(findings, result)),
      most,
      (count) => `… and ${count} more.`,
    );
  return [
    failed.length === 0
      ? null
      : alert(
          'caution',
          paragraph({ strong: ['This fails the job:'] }),
          failed.length <= MAX_FAILING ? sentences(failed, MAX_FAILING) : byLimit(findings, failed),
        ),
    open.length === 0 ? null : [paragraph('Open thresholds:'), sentences(open, MAX_OPEN)],
    kept.length === 0 ? null : paragraph(keptText(findings, kept)),
  ];
}

/** All thresholds with their numbers; null: there are none. */
export function thresholds(findings: Findings): Section | null {
  const all = byWeight(findings.thresholds ?? []);
  return all.length === 0 ? null : section('thresholds', ['Thresholds'], thresholdTable(findings, all));
}

/** All thresholds, folded, if the overview does not list each. */
export function thresholdDetails(findings: Findings, most: number): Details | null {
  const all = byWeight(findings.thresholds ?? []);
  if (most === 0 || !findings.experiment.complete || isReportedWhole(findings)) return null;
  const left = all.length - most;
  const more = left > 0 ? paragraph(`${left} more ${left === 1 ? 'is' : 'are'} in findings.json.`) : null;
  return details([countText(findings)], thresholdTable(findings, all.slice(0, most)), more);
}

/** `3 thresholds: 1 crossed, 2 kept`. */
export function countText(findings: Findings): string {
  const all = findings.thresholds ?? [];
  const counts = (['crossed', 'open', 'kept'] as const).flatMap((state) => {
    const count = all.filter((result) => result.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  return `${plural(all.length, 'threshold')}: ${counts.join(', ')}`;
}

function openOnes(all: readonly ThresholdResult[]): ThresholdResult[] {
  return all.filter(({ state, fails }) => state === 'open' && !fails);
}

function isReportedWhole(findings: Findings): boolean {
  const all = findings.thresholds ?? [];
  const [failed, open] = [failing(findings).length, openOnes(all).length];
  return failed + open === all.length && failed <= MAX_FAILING && open <= MAX_OPEN;
}

function thresholdTable(findings: Findings, results: readonly ThresholdResult[]): Table {
  return table('Thresholds', results, [
    { head: 'Limit', numeric: true, cell: limitText },
    { head: 'Variant', cell: variantName },
    { head: 'State', cell: ({ state, fails }) => `${state}${fails ? ', fails' : ''}` },
    { head: 'Outcome', cell: (result) => outcomeText(findings, result) },
  ]);
}

/** One line per limit if many fail the job. */
function byLimit(findings: Findings, failed: readonly ThresholdResult[]) {
  const nameOf = ({ of, variant, baseline }: ThresholdResult): Text =>
    of || !variant ? [variantName({ variant })] : comparisonName({ variant, baseline }, findings.comparisons);
  const lines = [...Map.groupBy(failed, (result) => limitWithScope(findings, result))].map(([limit, results]): Text => {
    const size = ({ estimate }: ThresholdResult): number => Math.abs(estimate ?? 0);
    const sorted = results.toSorted((a, b) => size(b) - size(a));
    const named = listedUpTo(sorted.map(nameOf), MAX_NAMED);
    const open = sorted.filter(({ state }) => state === 'open').length;
    const asked = open === 0 ? 'crossed by' : open === sorted.length ? 'open for' : 'crossed by, or open for,';
    return text`The limit of ${limit} is ${asked} ${named}.`;
  });
  return firstItems(lines, MAX_LIMITS, (count) => `… and ${count} more limits.`);
}

/** All thresholds of an experiment that was cut short, in one sentence. */
function notJudged(findings: Findings): string {
  return `No threshold was judged (${limitList(findings, findings.thresholds ?? [])}): the experiment was cut short.`;
}

/** `Thresholds kept: +5 %, +20 J (12 times).` */
function keptText(findings: Findings, kept: readonly ThresholdResult[]): string {
  const limits = new Set(kept.map((result) => limitWithScope(findings, result))).size;
  const times = kept.length > limits ? ` (${kept.length} times)` : '';
  return `${kept.length === 1 ? 'Threshold' : 'Thresholds'} kept: ${limitList(findings, kept)}${times}.`;
}

/** `+5 %, +20 J`: each once. */
function limitList(findings: Findings, results: readonly ThresholdResult[]): string {
  const limits = [...new Set(results.map((result) => limitWithScope(findings, result)))];
  return `${limits.slice(0, MAX_LIMITS).join(', ')}${limits.length > MAX_LIMITS ? ', …' : ''}`;
}
