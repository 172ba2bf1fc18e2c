// Class: unit.
import { describe, it } from '@jest/globals';
import { fisherExact } from '../../src/stats/fisher-exact.ts';
import { expected } from './expected.ts';
import { expectNear } from './near.ts';

describe('fisherExact', () => {
  it.each(expected.fisher)('%i of %i against %i of %i', (a, n, b, m, p) => {
    expectNear(fisherExact(a, n, b, m), p);
  });
});
