// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { page } from '../../../src/report/charts/canvas/theme.ts';
import { CHART_IDS, chartSpec } from '../../../src/report/charts/charts.ts';
import { getFrameText } from '../../../src/report/charts/parts/frame.ts';
import { syntheticAnalysis, twoVariants } from '../synthetic/analysis.ts';

const lost = { name: 'alpine', energiesJ: [], durationS: 12 };
const made = syntheticAnalysis({ variants: [...twoVariants, lost], traces: true });
const analysis = { ...made, traces: made.traces.filter(({ variant }) => variant !== 'alpine') };
const drawn = CHART_IDS.flatMap((id) => {
  const spec = chartSpec(id, analysis, page);
  return spec === null ? [] : [{ id, caption: getFrameText(spec)?.caption ?? '' }];
});

describe('a variant that has nothing to draw', () => {
  it('is in this test for most of the charts', () => {
    expect(drawn.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'energy-change',
        'energy-violin',
        'duration-violin',
        'power-over-time',
        'energy-quantiles',
      ]),
    );
  });

  it.each(drawn)('is named in the caption of $id', ({ caption }) => {
    expect(caption).toMatch(/Not drawn: alpine, which has (no|fewer than) .*\./);
  });

  it('is not said of a chart that shows all', () => {
    const whole = syntheticAnalysis({ traces: true });
    for (const id of CHART_IDS) {
      const spec = chartSpec(id, whole, page);
      if (spec !== null) expect(getFrameText(spec)?.caption).not.toContain('Not drawn');
    }
  });
});
