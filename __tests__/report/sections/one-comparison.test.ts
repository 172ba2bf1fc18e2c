// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { summaryMarkdown } from '../../../src/report/summary.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { visible } from '../render.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

const analysis = syntheticAnalysis();
const { findings, runs } = analysis;

/** What is read before anything is unfolded or scrolled to. */
const open: Record<string, string> = {
  comment: commentMarkdown(findings).split('<details')[0]!,
  summary: summaryMarkdown(findings, runs).split('| Variant |')[0]!,
  terminal: terminalReport(analysis, { color: false, width: 200 }),
  page: visible(/<header>[\s\S]*?<\/header>/.exec(reportHtml(analysis))![0]),
};

/** Numbers of a row of the terminal's table: baseline, variant, change in the unit, change in percent. */
function numbersOf(row: string): number[] {
  return Array.from(row.replaceAll('−', '-').matchAll(/[+-]?\d+(?:\.\d+)?(?= (?:m?J|m?s|m?W|%))/g), ([found]) =>
    Number(found),
  );
}

describe('one comparison by itself', () => {
  it.each(Object.entries(open))('has its change with its interval in the %s', (_, shown) => {
    const text = shown.replaceAll('\u00a0', ' ');
    expect(text).toContain('3.2 %');
    expect(text.match(/2\.7 to 3\.7 %/g)).toHaveLength(1);
  });

  it('is of one execution where a run is several', () => {
    const [whole, each] = [1, 50].map((executions_per_run) => {
      const variants = findings.variants.map((v) => ({ ...v, executions_per_run }));
      const text = terminalReport({ ...analysis, findings: { ...findings, variants } }, { color: false, width: 200 });
      return (row: string) => text.split('\n').find((line) => line.startsWith(row))!;
    });
    expect(each!('Median run')).toMatch(/^Median run, per execution /);
    for (const row of ['Energy ', 'Duration', 'Mean energy']) {
      const [of, part] = [numbersOf(whole!(row)), numbersOf(each!(row))];
      expect(part[0]! / of[0]!).toBeCloseTo(1 / 50, 3);
      expect(part.at(-1)).toBeCloseTo(of.at(-1)!, 1);
    }
    expect(numbersOf(each!('Mean power'))).toEqual(numbersOf(whole!('Mean power')));
  });

  it.each([
    { of: 'an even scatter', arms: [240, 250], spread: 9 },
    { of: 'a change that is hardly there', arms: [240, 240.02], spread: 3 },
    { of: 'a skewed scatter', arms: [300, 260], spread: 90 },
    { of: 'small amounts', arms: [0.05, 0.06], spread: 0.001 },
  ])('has rows that add up as printed, with $of', ({ arms, spread }) => {
    const energiesJ = (mean: number, step: number) =>
      Array.from({ length: 30 }, (_, i) => mean + spread * ((i * step) % 7 === 0 ? 1 : ((i * step) % 7) / 30));
    const variants = [
      { name: 'native', energiesJ: energiesJ(arms[0]!, 3) },
      { name: 'container', energiesJ: energiesJ(arms[1]!, 5) },
    ];
    const text = terminalReport(syntheticAnalysis({ variants }), { color: false, width: 500 });
    const rows = text.split('\n').filter((line) => /^(Energy|Duration|Mean power|Mean energy) /.test(line));
    expect(rows).toHaveLength(4);
    for (const row of rows) {
      const [from, to, change, percent] = numbersOf(row);
      expect([row, to! - from!]).toEqual([row, expect.closeTo(change!, 9)]);
      // The change in percent is rounded by itself.
      expect([row, Math.abs((100 * change!) / from! - percent!) < 0.15]).toEqual([row, true]);
    }
  });

  it('has the medians and the means of the compared runs where they tell different stories', () => {
    const energiesJ = Array.from({ length: 30 }, (_, i) => (i % 9 === 0 ? 340 : 250) + (i % 5));
    const variants = [
      { name: 'native', energiesJ: Array.from({ length: 30 }, (_, i) => 240 + (i % 4)) },
      { name: 'container', energiesJ },
    ];
    const text = terminalReport(syntheticAnalysis({ variants }), { color: false, width: 500 });
    expect(text).toMatch(/container used 4\.\d+ % more energy/);
    expect(text).toMatch(/^Energy .* J, \+4\.\d %$/m);
    expect(text).toMatch(/^Mean energy .* J, \+9\.\d %$/m);
  });
});
