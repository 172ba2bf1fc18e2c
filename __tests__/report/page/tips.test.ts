// Class: system, browser.
import { expect, it } from '@jest/globals';
import type { Chart } from 'chart.js';
import { paper } from '../../../src/report/charts/canvas/theme.ts';
import { axisAround, linearScale } from '../../../src/report/charts/parts/axis.ts';
import { tipLines } from '../../../src/report/page/tips.ts';

it('tells a point in the units of its axes', () => {
  const scales = {
    x: linearScale(axisAround(10, 20), 'Time since the start of the run (s)', paper),
    y: linearScale(axisAround(0.002, 0.003), 'Energy of the run (J)', paper),
  };
  const chart = { options: { scales }, data: { datasets: [{ label: 'native' }] } } as unknown as Chart;
  const item = { raw: { x: 12.5, y: 0.0025 }, datasetIndex: 0 } as never;
  expect(tipLines(chart, item, new Map())).toEqual([
    'native',
    'Energy of the run: 2.500 mJ',
    'Time since the start of the run: 12.50 s',
  ]);
});
