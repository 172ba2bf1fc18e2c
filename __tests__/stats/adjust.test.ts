import { describe, it } from '@jest/globals';
import { benjaminiHochberg, holm } from '../../src/stats/adjust.ts';
import { expected } from './expected.ts';
import { expectNear } from './near.ts';

describe('several comparisons', () => {
  it.each(expected.adjusted)('$p adjusted by Holm and by Benjamini and Hochberg', ({ p, holm: byHolm, bh }) => {
    expectNear(holm(p), byHolm, 1e-12);
    expectNear(benjaminiHochberg(p), bh, 1e-12);
  });
});
