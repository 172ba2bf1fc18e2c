// Class: unit.
import { expect, it } from '@jest/globals';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { withMatrix } from '../../synthetic/effects.ts';
import { printing } from '../../synthetic/printing.ts';
import { drawn, isDrawn, points, ruler, ticksOf } from '../drawn.ts';

const ID = 'printed-metrics';
function readOff(svg: string, line: number): number[] {
  const valueAt = ruler(ticksOf(svg, 'end'));
  return points(svg, line).map(({ y }) => Math.round(valueAt(y) / 100) * 100);
}

it('a metric is drawn over the levels of a factor, a line for each level of another', () => {
  const picture = drawn(ID, printing(withMatrix('{ image: [debian, alpine], network: [host, bridge] }')));
  expect(picture.text).toContain('what the workload printed by image and network');
  expect(picture.text).toContain('set (requests/s)');
  expect(picture.text).toContain('Printed by the workload');
  expect(picture.text).not.toMatch(/mean energy/i);
  expect([readOff(picture.svg, 0), readOff(picture.svg, 1)]).toEqual([
    [80_000, 80_000],
    [75_000, 75_000],
  ]);
});

it('without a matrix, variants are the levels, and nothing joins them', () => {
  const picture = drawn(ID, printing(syntheticAnalysis({ variants: [{ name: 'native' }, { name: 'bridge' }] })));
  expect(picture.text).toContain('what the workload printed by variant');
  // Each in its own color, as in the other charts.
  expect([readOff(picture.svg, 0), readOff(picture.svg, 1)]).toEqual([[80_000], [75_000]]);
  expect(picture.spec.description).toMatch(/^native 80,00\d requests\/s; bridge 75,00/);
  expect(picture.text).not.toContain('a line for each level');
});

it('each metric has a panel with its own axis', () => {
  const two = drawn(ID, printing(withMatrix('{ image: [debian, alpine], network: [host, bridge] }'), ['set', 'p99']));
  expect(two.text).toContain('set (requests/s)');
  expect(two.text).toContain('p99 (ms)');
  expect(two.spec.description).toMatch(/p99 \(ms\), bridge: debian 3\.010 ms/);
  // One below the other: two points a line and panel.
  expect(points(two.svg, 0)).toHaveLength(4);
});

it('is not there where the workload prints none', () => {
  expect(isDrawn(ID, syntheticAnalysis())).toBe(false);
});
