import { describe, expect, it } from '@jest/globals';
import { benjaminiHochberg, holm } from '../../src/stats/adjust.ts';
import { fisherExact } from '../../src/stats/fisher-exact.ts';
import { kruskalWallis } from '../../src/stats/kruskal-wallis.ts';
import { detectablePaired, detectableTwoSample, powerOfT } from '../../src/stats/power.ts';
import { expected } from './expected.ts';
import { expectNear } from './near.ts';

describe('several comparisons', () => {
  it.each(expected.adjusted)('$p adjusted by Holm and by Benjamini and Hochberg', ({ p, holm: byHolm, bh }) => {
    expectNear(holm(p), byHolm, 1e-12);
    expectNear(benjaminiHochberg(p), bh, 1e-12);
  });

  it('several groups by Kruskal and Wallis', () => {
    const { groups, h, p } = expected.kruskal;
    expectNear(kruskalWallis(groups), { h, p, df: 2 });
  });

  it.each(expected.fisher)('%i of %i against %i of %i by Fisher', (a, n, b, m, p) => {
    expectNear(fisherExact(a, n, b, m), p);
  });
});

describe('the power of the t test', () => {
  it.each(expected.power)('%s, n = %i, d = %f', (design, n, d, power) => {
    expectNear(powerOfT(design, n, d, 0.05), power);
  });

  it('is 80 % at the detectable effect', () => {
    for (const n of [3, 10, 40]) {
      expectNear(powerOfT('two', n, detectableTwoSample(n, n) ?? 0, 0.05), 0.8);
      expectNear(powerOfT('paired', n, detectablePaired(n) ?? 0, 0.05), 0.8);
    }
    expect(detectableTwoSample(1, 5)).toBeNull();
    expect(detectablePaired(1)).toBeNull();
  });
});
