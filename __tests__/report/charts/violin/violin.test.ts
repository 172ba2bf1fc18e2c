// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { seriesStyle } from '../../../../src/report/charts/canvas/theme.ts';
import { primaryComparisons } from '../../../../src/report/verdict.ts';
import { percent, percentInterval } from '../../../../src/text/numbers.ts';
import { richAnalysis } from '../../synthetic/rich.ts';
import { drawn, isDrawn, marks, ruler, ticksOf } from '../drawn.ts';

const analysis = richAnalysis();

describe('the picture of the durations', () => {
  it('has a point for every run at its duration', () => {
    const { svg, text } = drawn('duration-violin', analysis);
    const read = ruler(ticksOf(svg, 'middle'));
    const runs = analysis.runs.filter((r) => r.variant === 'native' && r.channel === 'wall' && r.status === 'ok');
    const found = marks(svg, seriesStyle(0).color)
      .map((m) => read(m.x))
      .sort((a, b) => a - b);
    expect(found).toHaveLength(runs.length);
    for (const [i, durationS] of runs
      .map((r) => r.durationS!)
      .sort((a, b) => a - b)
      .entries()) {
      expect(found[i]).toBeCloseTo(durationS, 1);
    }
    expect(text).toContain('Duration per run (s)');
  });

  it('tells the same difference as the tables', () => {
    const { text } = drawn('duration-violin', analysis);
    const { estimate, ci95 } = primaryComparisons(analysis.findings)[0]!.typical!.duration_s!.percent;
    expect(text).toContain(percent(estimate, ci95!));
    expect(text).toContain(`(${percentInterval(ci95!)})`);
  });

  it('is not drawn where no duration is known', () => {
    const none = { ...analysis, runs: analysis.runs.map((r) => ({ ...r, durationS: null })) };
    expect(isDrawn('duration-violin', none)).toBe(false);
    expect(isDrawn('energy-against-time', none)).toBe(false);
  });
});
