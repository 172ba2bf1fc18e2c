// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type ComparedRun, compare } from '../../../src/analysis/compare.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { plainText } from '../../../src/report/document/text.ts';
import { statisticsTable } from '../../../src/report/sections/statistics.ts';
import { summaryMarkdown } from '../../../src/report/summary.ts';
import { createRandom } from '../../simulate/random.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

const random = createRandom(12);
const runs = (level: number, first: number): ComparedRun[] =>
  Array.from({ length: 20 }, (_, i) => ({
    run: 2 * i + first,
    block: i + 1,
    energyJ: level * (1 + 0.004 * random.normal()),
    durationS: 10 + 0.1 * random.normal(),
  }));
const options = { baseline: 'native', variant: 'container', channel: 'wall', marginPercent: 1, seed: 3 };
const real = compare(runs(250, 1), runs(256, 2), options);
const withReal = (): ReturnType<typeof syntheticAnalysis> => {
  const made = syntheticAnalysis();
  return { ...made, findings: { ...made.findings, comparisons: [real] } };
};

describe('the table of statistics', () => {
  const rows = new Map(statisticsTable([real]).rows.map(({ cells: [label, value] }) => [String(label), String(value)]));

  it('calls what decides nothing sensitivity or descriptive', () => {
    expect(rows.get('Sensitivity: mean log ratio by sign flips')).toMatch(/^\+\S+ to \+\S+ %, confidence 95\.0 %$/);
    expect(rows.get('Sensitivity: change of means, intervals')).toMatch(
      /^log-delta \S+ to \S+ %; Fieller \S+ to \S+ %; Fieller by blocks \S+ to \S+ %$/,
    );
    expect(rows.get('Descriptive: bootstrap of the change of means')).toMatch(
      /^\+\S+ to \+\S+ % \(percentile, 10000 by block, seed 3\)$/,
    );
    expect(rows.get('Descriptive: the differences in time')).toMatch(/^Mann–Kendall p = \S+, lag-1 −?0\.\d\d$/);
  });

  it('has the confidence that an interval reached, or with interim analyses the one that it was asked for', () => {
    const looks = { planned: [20], spending: 'pocock', through: 20, stoppedBecause: null } as const;
    const looked = compare(runs(250, 1), runs(256, 2), { ...options, looks });
    expect(looked.percent.confidence).toBeCloseTo(0.95, 9);
    const told = statisticsTable([real, looked]).rows.find(({ cells: [label] }) => String(label).startsWith('Hodges'))!;
    expect(told.cells.slice(1)).toEqual([
      expect.stringMatching(/\), confidence 95\.1 %$/),
      expect.stringMatching(/\), confidence at least 95\.0 %$/),
    ]);
  });

  it('has them in the summary, and not in the comment', () => {
    const { findings, runs: all } = withReal();
    expect(summaryMarkdown(findings, all)).toContain('Descriptive: d\\_z of the differences');
    expect(commentMarkdown(findings)).not.toContain('Descriptive: ');
    expect(commentMarkdown(findings)).toContain('Wilcoxon signed-rank');
  });

  it('names the baselines of comparisons that have several', () => {
    const pairs = [real, { ...real, baseline: 'alpine' }];
    const heads = statisticsTable(pairs).columns.map(({ head }) => plainText([head]));
    expect(heads).toEqual(['Statistic', 'container against native', 'container against alpine']);
    const channels = statisticsTable([...pairs, { ...real, channel: 'cpu' }]).columns;
    expect(plainText([channels.at(-1)!.head])).toBe('container against native [cpu]');
    // Each benchmark of a suite has a baseline of its own.
    const suite = ['a', 'b'].map((of) => ({ ...real, benchmark: of, variant: `${of}/head`, baseline: `${of}/base` }));
    expect(statisticsTable(suite).columns.map(({ head }) => plainText([head]))).toEqual([
      'Statistic',
      'a/head',
      'b/head',
    ]);
  });

  it('has a row for what one of two comparisons has', () => {
    const alone = { ...real, variant: 'other', alternatives: null, descriptive: null } as unknown as typeof real;
    const both = statisticsTable([alone, real]);
    const row = both.rows.find(({ cells: [label] }) => label === 'Descriptive: d_z of the differences');
    expect(row?.cells[1]).toBeNull();
    expect(row?.cells[2]).toMatch(/^\d/);
  });
});
