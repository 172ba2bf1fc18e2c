// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { drawnLines } from '../../../../../src/parts/fleet/history/page/chart.ts';
import { historyHtml } from '../../../../../src/parts/fleet/history/page/page.ts';
import type { HistoryRecord } from '../../../../../src/parts/fleet/history/record.ts';
import { trendOf } from '../../../../../src/parts/fleet/history/trend.ts';
import { line } from '../records.ts';

const MOVED = 'bench 33';

/** One of forty benchmarks rises in the middle of the history. */
const records = line({
  count: 40,
  seed: 21,
  variants: Object.fromEntries(['base', ...Array.from({ length: 40 }, (_, i) => `bench ${i}`)].map((of) => [of, 100])),
}).map((record, i): HistoryRecord => {
  const rises = i < 20 ? 0 : 12;
  const up = (value: number): number => value * (1 + rises / 100);
  return {
    ...record,
    variants: record.variants.map((one) => (one.name === MOVED ? { ...one, energy_j: up(one.energy_j) } : one)),
    comparisons: record.variants.slice(1).map(({ name }) => ({
      ...record.comparisons[0]!,
      variant: name,
      percent: (record.comparisons[0]!.percent ?? 0) + (name === MOVED ? rises : 0),
    })),
  };
});
const [series] = trendOf(records);

describe('the history of a suite', () => {
  it('draws the lines that moved most, and of a choice all that have room', () => {
    const drawn = (variants: ReadonlySet<string> | null) =>
      drawnLines(series!, 'differences', { variants, latest: null, unit: 'joules' }, 800).lines;
    const names = drawn(null).map(({ line: { variant } }) => variant);
    expect(names).toHaveLength(12);
    expect(names).toContain(MOVED);
    const chosen = ['bench 1', 'bench 2', 'bench 3'];
    expect(drawn(new Set(chosen)).map(({ line: { variant } }) => variant)).toEqual(chosen);
  });

  it('says what is left out of its charts, its tables and its remarks', () => {
    const html = historyHtml(trendOf(records)).replaceAll('\u00a0', ' ');
    const page = html.slice(0, html.indexOf('<script type="application/json"'));
    expect(page).toContain('Of 40 lines, or of those that are chosen above, the 12 that moved most are drawn.');
    expect(page).toContain('Columns: 24 of 81 lines, those that moved most; all of them are in history.csv.');
    const heads = page.slice(page.indexOf('aria-label="Experiments"')).match(/<th /g) ?? [];
    expect(heads).toHaveLength(24 + 4);
    const short = historyHtml(trendOf(records.slice(0, 3)));
    expect(short).toMatch(/the search for steps needs 8 without failed checks/);
    expect(page).toContain(MOVED);
  });

  it('lists the lines with a step in the open, and all lines folded', () => {
    const html = historyHtml(trendOf(records)).replaceAll('\u00a0', ' ');
    const [, open, folded] = /<div class="lines">(.*?)<details>(.*?)<\/details>/s.exec(html)!;
    expect(open!.match(/<tr>/g)).toHaveLength(1 + 1);
    expect(open).toContain(MOVED);
    expect(folded!.match(/<tr>/g)).toHaveLength(1 + 40);
    expect(folded).toContain('All 40 lines');
    expect(historyHtml(trendOf(line({ count: 20 })))).not.toContain('class="lines"');
  });
});
