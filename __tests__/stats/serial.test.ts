// Class: unit.
import { expect, it } from '@jest/globals';
import { serialStatistics } from '../../src/stats/serial.ts';

it('tells what a rise in the order of time shows, and nothing of too little', () => {
  const rise = serialStatistics([1, 2, 3, 4, 5, 6]);
  expect(rise).toMatchObject({ n: 6, mann_kendall: { s: 15 }, theil_sen: 1 });
  expect(rise.spearman?.rho).toBeCloseTo(1, 12);
  expect(serialStatistics([1, 2])).toMatchObject({ n: 2, mann_kendall: null });
});

it('leaves the slope of very many values out, which looks at every pair', () => {
  const many = serialStatistics(Array.from({ length: 2001 }, (_, i) => Math.sin(i)));
  expect(many.theil_sen).toBeNull();
  expect(many.lag1).toBeGreaterThan(0.5);
});
