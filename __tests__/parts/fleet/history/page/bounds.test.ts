// Class: system, browser.
import { describe, expect, it } from '@jest/globals';
import { bounded } from '../../../../../src/parts/fleet/history/page/bounds.ts';
import { historyHtml } from '../../../../../src/parts/fleet/history/page/page.ts';
import { trendOf } from '../../../../../src/parts/fleet/history/trend.ts';
import { line } from '../records.ts';

const places = trendOf([
  ...line({ count: 200, steps: { 60: 3, 150: 3 }, rebuilt: [20, 120] }),
  ...line({ count: 30, seed: 2, hostname: 'bench-02' }),
]);
const [long] = places.filter(({ startedAt }) => startedAt.length === 200);

describe('a page of too many experiments', () => {
  it('has all of short places, and the latest of long ones, with the numbers and steps that they had', () => {
    const { places: kept, experimentsLeft, placesLeft } = bounded(places, 130);
    expect([experimentsLeft, placesLeft]).toEqual([100, 0]);
    expect(kept.map(({ startedAt }) => startedAt.length).toSorted()).toEqual([100, 30]);
    const [cut] = kept.filter(({ startedAt }) => startedAt.length === 100);
    for (const [i, line] of cut!.lines.entries()) {
      const whole = long!.lines[i]!;
      expect(line.at).toEqual(Array.from({ length: 100 }, (_, at) => at));
      expect(line.values).toEqual(whole.values.slice(100));
      expect(line.steps).toEqual([{ ...whole.steps[1], before: 49, at: 50, range: expect.anything() }]);
      expect(line.levels.map(({ from, to }) => [from, to])).toEqual([
        [0, 49],
        [50, 99],
      ]);
      expect(line.levels.map(({ value }) => value)).toEqual(whole.levels.slice(1).map(({ value }) => value));
    }
    expect(cut!.lines[1]!.rebuilt.map(({ at }) => at)).toEqual([20]);
    expect(cut!.commits).toEqual(long!.commits.slice(100));
  });

  it('leaves out the places measured longest ago, and says so', () => {
    const all = trendOf(
      Array.from({ length: 302 }, (_, i) => line({ count: 1, seed: i + 1, experiment: `e${i}` })).flat(),
    );
    expect(bounded(all).places).toHaveLength(300);
    expect(historyHtml(all)).toContain(
      'Not on this page: 2 combinations of workload, machine and meter, measured longest ago; 2 of the oldest experiments. They are in history.csv.',
    );
  });

  it('is as it is where there are few', () => {
    expect(bounded(places).places).toEqual(places);
    expect(historyHtml(places)).not.toContain('Not on this page');
  });
});
