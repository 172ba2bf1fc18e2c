// Class: unit.
import { expect, it } from '@jest/globals';
import { inNumberOrder } from '../../src/text/order.ts';

it('numbers in names count as numbers', () => {
  const names = ['cpu10', 'cpu2', 'a', 'cpu02x', '12', '3'];
  expect(names.toSorted(inNumberOrder)).toEqual(['3', '12', 'a', 'cpu2', 'cpu02x', 'cpu10']);
});
