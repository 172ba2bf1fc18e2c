// Class: unit.
import { expect, it } from '@jest/globals';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { withMatrix } from '../../synthetic/effects.ts';
import { printing } from '../../synthetic/printing.ts';
import { drawn, isDrawn, points, ruler, ticksOf } from '../drawn.ts';

const ID = 'metric-against-metric';
const MATRIX = withMatrix('{ image: [debian, alpine], network: [host, bridge] }');

it('a metric is drawn against another, a point for each level of a factor and a line for each level of another', () => {
  const picture = drawn(ID, printing(MATRIX, ['set', 'p99']));
  expect(picture.text).toContain('p99 against set by image and network');
  expect(picture.text).toContain('set (requests/s)');
  expect(picture.text).toContain('p99 (ms)');
  expect(picture.text).toContain('image: alpine');
  const heightAt = ruler(ticksOf(picture.svg, 'end'));
  const heights = [0, 1].map((line) => points(picture.svg, line).map(({ y }) => Math.round(heightAt(y))));
  expect(heights).toEqual([
    [2, 2],
    [3, 3],
  ]);
  expect(picture.spec.description).toMatch(
    /^host: debian 80,00\d requests\/s at 2\.0\d+ ms, alpine .*; bridge: debian 75,00\d requests\/s at 3\.0\d+ ms/,
  );
});

it('says over which other factors its values are averaged', () => {
  const matrix = withMatrix(
    '{ clients: { a: { env: { C: 1 } }, b: { env: { C: 2 } }, c: { env: { C: 3 } } }, image: [debian, alpine], network: [host, bridge] }',
  );
  const whole = drawn(ID, printing(matrix, ['set', 'p99']));
  expect(whole.text).toMatch(/Averaged over \d combinations of the other factors\./);
});

it('is not there for one metric, for two of one unit, or without a matrix', () => {
  expect(isDrawn(ID, printing(MATRIX, ['set']))).toBe(false);
  expect(isDrawn(ID, printing(MATRIX, ['set', 'get']))).toBe(false);
  const variants = [{ name: 'native' }, { name: 'bridge' }];
  expect(isDrawn(ID, printing(syntheticAnalysis({ variants }), ['set', 'p99']))).toBe(false);
});
