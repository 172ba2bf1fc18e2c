// Class: system, browser.
import { expect, it } from '@jest/globals';
import type { Chart } from 'chart.js';
import type { RunResult } from '../../../src/analysis/results.ts';
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

it('says of a run with several executions that its numbers are those of one', () => {
  const chart = { data: { datasets: [] } } as unknown as Chart;
  const tipOf = (executions?: number): string | undefined => {
    const run = { run: 7, variant: 'native', energyJ: 25, durationS: 2, meanPowerW: 12.5, status: 'ok', executions };
    const runs = new Map([[7, { ...run, block: null, position: null } as unknown as RunResult]]);
    return tipLines(chart, { raw: { x: 7, y: 25, run: 7 }, datasetIndex: 0 } as never, runs)[1];
  };
  expect(tipOf(10)).toBe('25.00 J in 2.000 s per execution');
  expect(tipOf()).toBe('25.00 J in 2.000 s');
});
