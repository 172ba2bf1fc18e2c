// Class: unit.
import { expect, it } from '@jest/globals';
import { spread } from '../../../../src/report/charts/parts/side-labels.ts';

it('keeps labels apart, in order and inside the limits', () => {
  expect(spread([10, 10, 10], 16, 0, 100)).toEqual([10, 26, 42]);
  expect(spread([95, 96, 99], 16, 0, 100)).toEqual([68, 84, 100]);
  expect(spread([10, 50, 90], 16, 0, 100)).toEqual([10, 50, 90]);
});
