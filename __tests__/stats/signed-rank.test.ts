// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { logRatio } from '../../src/stats/log-ratio.ts';
import { roundedSign, signedRank } from '../../src/stats/signed-rank.ts';
import { pairedCases } from './expected.ts';
import { expectNear } from './near.ts';

describe('signedRank', () => {
  it.each(pairedCases)('$name', ({ x, y, expected: { paired } }) => {
    const d = x.map((value, i) => logRatio(value, y[i] as number));
    expectNear(signedRank(d), paired.signedRank);
    expectNear(signedRank(d, 'pratt')?.p, paired.pratt);
    expectNear(signedRank(d)?.rankBiserial, paired.rankBiserial);
  });

  it('ranks zeros before dropping them where asked (Pratt)', () => {
    // Of the ranks 4 … 8, the sets {}, {4}, {5}, {6} sum to 6 or less; without the zeros {}, {1}, {2}, {3}, {1, 2} to 3 or less.
    const differences = [0, 0, 0, 0.1, 0.2, -0.3, 0.4, 0.5];
    expectNear(signedRank(differences, 'pratt')?.p, 8 / 32, 1e-12);
    expectNear(signedRank(differences)?.p, 10 / 32, 1e-12);
  });

  it('counts the sign of a difference as its test does', () => {
    const differences = [4e-10, -4e-10, 6e-10, -6e-10, 0.1];
    expect(differences.map(roundedSign).map((sign) => sign + 0)).toEqual([0, 0, 1, -1, 1]);
    expect(signedRank(differences)).toMatchObject({ nZero: 2 });
  });

  it('takes differences closer than 1e-9 for ties', () => {
    expect(signedRank([0.1, 0.1 + 1e-16, -0.1 - 1e-12, 0.2])).toMatchObject({ wPlus: 8, ties: true });
  });

  it('goes over to the normal approximation above 400 differences without a jump', () => {
    const differences = (n: number): number[] => Array.from({ length: n }, (_, i) => ((i * 7919) % n) / n - 0.46);
    const exact = signedRank(differences(400));
    const approximate = signedRank(differences(401));
    expect([exact?.method, approximate?.method]).toEqual(['exact', 'asymptotic']);
    expectNear(approximate?.p, exact?.p ?? null, 0.15);
  });

  it('is null for nothing', () => {
    expect(signedRank([])).toBeNull();
  });
});
