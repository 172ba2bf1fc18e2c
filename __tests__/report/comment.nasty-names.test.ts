// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../src/analysis/results.ts';
import { COMMENT_BYTES } from '../../src/forge/comment.ts';
import { formatMarker, parseMarker } from '../../src/forge/marker.ts';
import { SUMMARY_BYTES } from '../../src/forge/summary.ts';
import { COMMENT_BUDGET, commentMarkdown } from '../../src/report/comment.ts';
import { SUMMARY_BUDGET, summaryMarkdown } from '../../src/report/summary.ts';
import { checkNaming, cost, limits } from './fixtures.ts';
import { nastyNames } from './nasty-names.ts';
import { elements, render, visible } from './render.ts';
import { syntheticAnalysis } from './synthetic/analysis.ts';
import { withMany } from './synthetic/many.ts';

/** So many comparisons, with nasty names everywhere that a name can stand. */
function nasty(comparisons: number, seed: number): Analysis {
  const names = nastyNames(comparisons + 20, seed);
  const own = names.splice(comparisons);
  const checks = own.slice(0, 8).map((text) => checkNaming(text, 'warn'));
  const models = Array.from({ length: 9 }, (_, i) => ({ name: `model ${i}`, meanJ: 250 + i, sdJ: 1 + (i % 3) }));
  const analyzed = syntheticAnalysis({
    name: own[8]!,
    variants: [{ name: own[9]! }, ...models],
    runs: 8,
    traces: false,
    checks,
    goals: { cost: { ...cost!, task: { name: own[10]!, runs: 3 } }, failOn: limits },
  });
  const made = withMany(analyzed, names);
  const { findings } = made;
  const meter = { ...findings.meter, type: own[11]!, remarks: [own[12]!], identity: { [own[13]!]: own[14]! } };
  const comparisonsWithPhases = findings.comparisons.map((c) => ({
    ...c,
    phases: [
      {
        phase: own[15]!,
        blocks: 8,
        mean_energy_j: { baseline: 1, variant: 2 },
        percent: { estimate: 1, ci95: null },
        difference_j: 1,
        share: 0.9,
        short: false,
        outside: false,
      },
    ],
  }));
  return { ...made, findings: { ...findings, meter, comparisons: comparisonsWithPhases } };
}

const OURS = ['blockquote', 'code', 'details', 'h3', 'h4', 'li', 'p', 'pre', 'span', 'strong', 'sub', 'summary', 'ul'];
const TABLE = ['table', 'tbody', 'td', 'th', 'thead', 'tr', 'br'];
const LINKS = '<sub>[Report and raw data](https://github.com/octo/demo/actions/runs/12/artifacts/1)</sub>';
const MARKER = formatMarker({ key: `${'k'.repeat(120)}/`.repeat(3), runId: 1, attempt: 1, headSha: 'd'.repeat(64) });

/** What a document must be, whatever the names in it are. */
function judge(text: string): void {
  const html = render(text);
  expect([...OURS, ...TABLE]).toEqual(expect.arrayContaining(elements(html)));
  expect(html).not.toMatch(/<[a-z]+ (?!class="language-|align=)/i);
  expect(text).not.toContain('<!--');
  expect(parseMarker(text)).toBeNull();
  const prose = visible(html.replace(/<code[^>]*>.*?<\/code>/gs, ''));
  expect(prose).not.toMatch(
    /@[a-z0-9]|#\d|\bGH-\d|:\/\/|\bwww\.|:[a-z0-9_+-]+:|[\u202a-\u202e\u2066-\u2069\u200b\u0000]/i,
  );
  // Every table has as many cells in each row as in its head: nothing was split, and nothing was cut.
  for (const table of html.match(/<table>.*?<\/table>/gs) ?? []) {
    const cells = (table.match(/<tr>.*?<\/tr>/gs) ?? []).map((row) => row.match(/<t[dh]/g)?.length);
    expect(new Set(cells).size).toBe(1);
  }
  const unfenced = text.replace(/^```\w*\n[\s\S]*?^```$/gm, '');
  for (const line of unfenced.split('\n')) if (line.startsWith('|')) expect(line.endsWith(' |')).toBe(true);
  expect(unfenced).not.toMatch(/^```/m);
  expect(html.match(/<details>/g)?.length).toBe(html.match(/<\/details>/g)?.length);
  expect(text.trimEnd().endsWith('</sub>')).toBe(true);
}

describe('the comment', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('of few comparisons makes nothing of any name (seed %i)', (seed) => {
    judge(commentMarkdown(nasty(1 + (seed % 7), seed).findings));
  });

  it.each([21, 22, 23])('of 200 comparisons stays whole in 60,000 bytes with marker and links (seed %i)', (seed) => {
    const text = commentMarkdown(nasty(200, seed).findings);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(COMMENT_BUDGET);
    expect(Buffer.byteLength(`${MARKER}\n${text}\n\n${LINKS}`)).toBeLessThan(COMMENT_BYTES);
    judge(text);
    expect(text).toMatch(/^### .*: of 200 comparisons against /);
  });

  it('stays whole at every budget', () => {
    const { findings } = nasty(40, 31);
    for (const budget of [50_000, 30_000, 20_000, 12_000, 8_000, 5_000]) {
      const text = commentMarkdown(findings, budget);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
      judge(text);
    }
  });
});

describe('the job summary', () => {
  it.each([41, 42])('of few comparisons makes nothing of any name (seed %i)', (seed) => {
    const { findings, runs } = nasty(5, seed);
    judge(summaryMarkdown(findings, runs));
  });

  it('of 1,000 comparisons stays whole below 900 KiB', () => {
    const { findings, runs } = nasty(1000, 51);
    const text = summaryMarkdown(findings, runs);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(SUMMARY_BUDGET);
    expect(SUMMARY_BUDGET).toBeLessThanOrEqual(SUMMARY_BYTES);
    judge(text);
    expect(text).toMatch(/^### .*: of 1000 comparisons against /);
  });
});
