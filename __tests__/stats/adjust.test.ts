// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { benjaminiHochberg, confidencesOfFound, familyRates, holm } from '../../src/stats/adjust.ts';
import { expected } from './expected.ts';
import { expectNear } from './near.ts';

describe('several comparisons', () => {
  it.each(expected.adjusted)('$p adjusted by Holm and by Benjamini and Hochberg', ({ p, holm: byHolm, bh }) => {
    expectNear(holm(p), byHolm, 1e-12);
    expectNear(benjaminiHochberg(p), bh, 1e-12);
    // One family is all that there is.
    expectNear(familyRates([p], 0.05)[0] ?? [], bh, 1e-12);
  });
});

describe('several families', () => {
  it('one that alone has something pays for all of them', () => {
    expect(familyRates([[0.01, 0.5], [0.5], [0.5]], 0.05)).toEqual([[expect.closeTo(0.06, 12), 1], [1], [1]]);
  });

  it('those that all have something pay for nothing', () => {
    expect(familyRates([[0.01], [0.02]], 0.05)).toEqual([[0.01], [0.02]]);
  });

  it('intervals of what was found in them are as wide as it was picked from many', () => {
    // One of two in one of two families, all in the other.
    const rates = familyRates([[0.001, 0.5], [0.001], [0.9]], 0.05);
    const expected = [1 - (0.05 * (1 / 2) * 2) / 3, 1 - (0.05 * 2) / 3, 0.95];
    expectNear(confidencesOfFound(rates, 0.05), expected, 1e-12);
    expectNear(confidencesOfFound(familyRates([[0.01]], 0.05), 0.05), [0.95], 1e-12);
  });
});
