// Class: system, browser.
import { describe, expect, it } from '@jest/globals';
import { drawnLines, trendChart } from '../../../../../src/parts/fleet/history/page/chart.ts';
import { drawnPoints, unitFor, type View, valueText } from '../../../../../src/parts/fleet/history/page/view.ts';
import { trendOf } from '../../../../../src/parts/fleet/history/trend.ts';
import { paper } from '../../../../../src/report/charts/canvas/theme.ts';
import { line } from '../records.ts';

const all: View = { variants: null, latest: null, unit: 'joules' };
const [place] = trendOf(line({ count: 1000, seed: 2, steps: { 333: 4 } }));
const [native] = place!.lines;

it('has the ends of an interval in the unit of its value', () => {
  expect(valueText(native!, 0.0501, [0.0499, 0.0503])).toBe('50.10 mJ (49.90 to 50.30)');
  expect(valueText(native!, 250.1, [249.6, 250.7])).toBe('250.1 J (249.6 to 250.7)');
});

describe('fewer points than experiments', () => {
  it('draws each experiment while there is room', () => {
    const [few] = trendOf(line({ count: 100 }));
    const { size, lines } = drawnLines(few!, 'energies', all, 1000);
    expect(size).toBe(1);
    expect(lines[0]!.points.map(({ y }) => y)).toEqual(few!.lines[0]!.values);
  });

  it('draws no more than one for five pixels, hardly', () => {
    for (const width of [280, 1000]) {
      const { lines } = drawnLines(place!, 'energies', all, width);
      for (const { points, line: each } of lines)
        expect(points.length).toBeLessThanOrEqual(width / 5 + each.steps.length);
    }
  });

  it('hides no extreme, and mixes no levels', () => {
    const points = drawnPoints(place!, native!, 0, 20, 'joules');
    expect(Math.min(...points.map(({ low }) => low!))).toBe(Math.min(...native!.lows.map((low) => low!)));
    expect(Math.max(...points.map(({ high }) => high!))).toBe(Math.max(...native!.highs.map((high) => high!)));
    const [step] = native!.steps;
    const behind = points.filter(({ x }) => x >= step!.at);
    const before = points.filter(({ x }) => x < step!.at);
    expect(Math.min(...behind.map(({ y }) => y))).toBeGreaterThan(Math.max(...before.map(({ y }) => y)));
  });

  it('tells the first and the last time of a group whose older commits were measured later', () => {
    const startedAt = place!.startedAt.toReversed();
    const [point] = drawnPoints({ ...place!, startedAt }, native!, 0, 20, 'joules');
    const [first, last] = [startedAt[19]!, startedAt[0]!].map((at) => at.slice(0, 16).replace('T', ' '));
    expect(point!.tip[1]).toBe(`${first} to ${last}`);
  });

  it('shows the latest alone', () => {
    const { lines, from } = drawnLines(place!, 'energies', { ...all, latest: 30 }, 1000);
    expect(from).toBe(970);
    expect(lines[0]!.points.map(({ x }) => x)).toEqual(Array.from({ length: 30 }, (_, i) => 970 + i));
  });
});

it('shows lines that lie far apart in percent', () => {
  const [near] = trendOf(line({ count: 5 }));
  const [far] = trendOf(line({ count: 5, variants: { native: 100, container: 200 } }));
  expect([unitFor(near!), unitFor(far!)]).toEqual(['joules', 'percent']);
  const [point] = drawnPoints(far!, far!.lines[1]!, 0, 5, 'percent');
  expect(Math.abs(point!.y)).toBeLessThan(1);
});

it('sets an experiment apart in which a check failed, and says so', () => {
  const records = line({ count: 4 }).map((each, i) => (i === 2 ? { ...each, failed_checks: ['sampling-rate'] } : each));
  const [series] = trendOf(records);
  const points = drawnPoints(series!, series!.differences[0]!, 0, 1, 'percent');
  expect(points.map(({ untrusted }) => untrusted)).toEqual([false, false, true, false]);
  expect(points[2]!.tip.join('; ')).toContain("can't be trusted (failed: sampling-rate)");
  const { datasets } = trendChart('t', series!, 'differences', all, paper)!.config.data;
  const filled = (datasets[0] as unknown as { pointBackgroundColor: string[] }).pointBackgroundColor;
  expect(filled.map((color) => color === paper.background)).toEqual([false, false, true, false]);
});
