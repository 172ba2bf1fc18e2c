// Class: unit.
import { expect, it } from '@jest/globals';
import { paper, seriesStyle } from '../../../src/report/charts/canvas/theme.ts';
import { runChart } from '../../../src/report/page/run-chart.ts';

it('draws a run of two hundred thousand readings', () => {
  const tS = Float64Array.from({ length: 200_000 }, (_, i) => i + 0.5);
  const powerW = tS.map((t) => 20 + (t % 7));
  const trace = { run: 3, variant: 'native', durationS: 200_000, tS, powerW };
  const { description, config } = runChart({ trace, run: null, band: null, style: seriesStyle(0) }, paper);
  expect(description).toBe('200000 readings over 200,000 s, from 20.50 W to 26.50 W');
  const { x, y } = config.options!.scales as Record<string, { min: number; max: number }>;
  expect([x!.min, x!.max, y!.min, y!.max]).toEqual([0, 210_000, expect.closeTo(20.2), expect.closeTo(26.8)]);
});
