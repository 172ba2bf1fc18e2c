import type { Findings } from '../findings/findings.ts';
import type { ThresholdResult } from '../findings/goals.ts';
import { markdownName, markdownText } from './escape.ts';
import { alertBox, folded, markdownTable } from './markdown.ts';
import {
  byWeight,
  failing,
  limitList,
  notJudged,
  thresholdCount,
  thresholdsOf,
  thresholdTable,
} from './threshold-words.ts';

import { plainText } from './words/compose.ts';
import { limitText, thresholdText, variantName } from './words/threshold.ts';

/** Sentences of each kind that stand in the open. */
const MOST_FAILING = 3;
/** Variants named of one limit. */
const MOST_NAMED = 5;
const MOST_OPEN = 3;

/** What fails the job in a box, what is open, and in a few words what is kept; null: there are no thresholds. */
export function thresholdSection(findings: Findings): string | null {
  const cut = notJudged(findings);
  if (cut !== null) return markdownText(cut);
  const all = thresholdsOf(findings);
  const failed = failing(findings);
  const open = all.filter(({ state, fails }) => state === 'open' && !fails);
  const kept = all.filter(({ state }) => state === 'kept');
  const parts = [
    failed.length === 0 ? null : alertBox('CAUTION', ['**This fails the job:**', ...failures(findings, failed)]),
    open.length === 0 ? null : `Open thresholds:\n${sentences(findings, open, MOST_OPEN).join('\n')}`,
    kept.length === 0 ? null : markdownText(keptWords(kept)),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('\n\n');
}

function sentences(findings: Findings, results: readonly ThresholdResult[], most: number): string[] {
  const lines = results
    .slice(0, most)
    .map((result) => `- ${markdownText(plainText(thresholdText(findings, result)), 600)}`);
  return results.length > most ? [...lines, `- … and ${results.length - most} more.`] : lines;
}

/** A sentence each, or, where they are many, a line for each limit. */
function failures(findings: Findings, failed: readonly ThresholdResult[]): string[] {
  if (failed.length <= MOST_FAILING) return sentences(findings, failed, MOST_FAILING);
  const lines = [...Map.groupBy(failed, limitText)].map(([limit, results]) => {
    const size = ({ estimate }: ThresholdResult): number => Math.abs(estimate ?? 0);
    const sorted = results.toSorted((a, b) => size(b) - size(a));
    const named = sorted.slice(0, MOST_NAMED).map((result) => markdownName(plainText([variantName(result)]), 40));
    const more = sorted.length > named.length ? ` and ${sorted.length - named.length} more` : '';
    const open = sorted.filter(({ state }) => state === 'open').length;
    const asked = open === 0 ? 'crossed by' : open === sorted.length ? 'open for' : 'crossed by, or open for,';
    return `- The limit of ${markdownText(limit)} is ${asked} ${named.join(', ')}${more}.`;
  });
  return lines.length > 10 ? [...lines.slice(0, 10), `- … and ${lines.length - 10} more limits.`] : lines;
}

/** `Thresholds kept: +5 %, +20 J (12 times).` */
function keptWords(kept: readonly ThresholdResult[]): string {
  const limits = new Set(kept.map(limitText)).size;
  const of = kept.length > limits ? ` (${kept.length} times)` : '';
  return `${kept.length === 1 ? 'Threshold' : 'Thresholds'} kept: ${limitList(kept)}${of}.`;
}

/** Every one is told in a sentence by `thresholdSection`. */
function allTold(all: readonly ThresholdResult[]): boolean {
  const failed = all.filter(({ fails }) => fails).length;
  const open = all.filter(({ state, fails }) => state === 'open' && !fails).length;
  return failed + open === all.length && failed <= MOST_FAILING && open <= MOST_OPEN;
}

/** All of them with their numbers, folded; null: there are none, or none that isn't told in the open. */
export function thresholdDetails(findings: Findings, most: number): string | null {
  const all = byWeight(thresholdsOf(findings));
  if (allTold(all) || most === 0 || !findings.experiment.complete) return null;
  const more = all.length - Math.min(all.length, most);
  const note = more === 0 ? '' : `\n\n${more} more are in findings.json.`;
  const table = markdownTable(thresholdTable(findings, all.slice(0, most)));
  return folded(markdownText((thresholdCount(findings) ?? '').replace(/\.$/, '')), `${table}${note}`);
}
