import { describe, expect, it } from '@jest/globals';
import { bootstrapPercent } from '../../src/stats/bootstrap.ts';
import { walshEstimate } from '../../src/stats/hodges-lehmann.ts';
import { logRatio, toPercent } from '../../src/stats/log-ratio.ts';
import { fiellerPercent } from '../../src/stats/ratio-of-means.ts';
import { signFlip } from '../../src/stats/sign-flip.ts';
import { signFlipInterval } from '../../src/stats/sign-flip-interval.ts';
import { signedRank } from '../../src/stats/signed-rank.ts';
import { moments } from '../../src/stats/sums.ts';
import { pairedEstimate, tost, tTest } from '../../src/stats/welch.ts';
import { pairedCases } from './expected.ts';
import { expectNear } from './near.ts';

describe.each(pairedCases)('pairs: $name', ({ x, y, expected: { paired } }) => {
  const d = x.map((value, i) => logRatio(value, y[i] as number));

  it('by ranks: the exact signed-rank test, its estimate and its interval', () => {
    const walsh = walshEstimate(d);
    const percent = (ends: readonly number[] | undefined): number[] | undefined => ends?.map(toPercent);
    expectNear(signedRank(d), paired.signedRank);
    expectNear(signedRank(d, 'pratt')?.p, paired.pratt);
    expectNear(signedRank(d)?.rankBiserial, paired.rankBiserial);
    expectNear(
      {
        percent: toPercent(walsh?.estimate ?? Number.NaN),
        k: walsh?.ci95?.k,
        ci95: percent(walsh?.ci95?.interval),
        confidence: walsh?.ci95?.confidence,
        ci90: percent(walsh?.ci90?.interval),
        k90: walsh?.ci90?.k,
        confidence90: walsh?.ci90?.confidence,
      },
      paired.walsh,
      1e-9,
      1e-13,
    );
  });

  it('by means', () => {
    const estimate = pairedEstimate(d);
    const margin = Math.log(1.01);
    expectNear(estimate && tTest(estimate), paired.t);
    expectNear({ p: estimate && tost(estimate, -margin, margin).p }, { p: paired.tost });
    expectNear(toPercent(moments(d).mean), paired.meanPercent, 1e-9, 1e-13);
    expectNear(fiellerPercent(x, y, true), paired.fieller);
  });

  it('by flipped signs', () => {
    if (d.length <= 12) expectNear(signFlip(d, 1), paired.signFlip);
    else if (d.every((value) => value === d[0])) expect(signFlip(d, 1)).toBeNull();
    else expect(signFlip(d, 1)).toBeGreaterThanOrEqual(1 / 10_000);
    if (d.length <= 10) {
      expectNear(signFlipInterval(d, 1)?.interval.map(toPercent) ?? null, paired.signFlipInterval, 1e-9, 1e-13);
    }
  });

  it('by drawing blocks again', () => {
    const { ci95, se, ...options } = paired.bootstrap;
    expectNear(bootstrapPercent(x, y, true, options), { ci95, se }, 1e-9, 1e-11);
  });
});

describe('the signed-rank test', () => {
  it('ranks zeros before dropping them where asked (Pratt)', () => {
    // Of the ranks 4 … 8, the sets {}, {4}, {5}, {6} sum to 6 or less; without the zeros {}, {1}, {2}, {3}, {1, 2} to 3 or less.
    const differences = [0, 0, 0, 0.1, 0.2, -0.3, 0.4, 0.5];
    expectNear(signedRank(differences, 'pratt')?.p, 8 / 32, 1e-12);
    expectNear(signedRank(differences)?.p, 10 / 32, 1e-12);
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
    const [of400, of401] = [walshEstimate(differences(400)), walshEstimate(differences(401))];
    expectNear(of401?.ci95?.interval, of400?.ci95?.interval ?? null, 0.05);
    expect(of401?.ci95?.confidence).toBeGreaterThanOrEqual(0.95);
  });
});

describe('sampled sign flips', () => {
  const d = Array.from({ length: 40 }, (_, i) => Math.sin(i * 12.9898) * 0.01 + 0.002);

  it('come close to the t test and are the same for the same seed', () => {
    const t = pairedEstimate(d);
    expect(signFlip(d, 9)).toBe(signFlip(d, 9));
    expect(Math.abs((signFlip(d, 9) ?? 0) - (t ? tTest(t).p : 1))).toBeLessThan(0.03);
  });

  it('have an interval that holds just what they do not reject', () => {
    const found = signFlipInterval(d, 9) as NonNullable<ReturnType<typeof signFlipInterval>>;
    const [low, high] = found.interval;
    const pAt = (mean: number): number =>
      signFlip(
        d.map((value) => value - mean),
        9,
      ) ?? 0;
    const step = 1e-7;
    expect([pAt(low - step), pAt(high + step)].every((p) => p < 0.05)).toBe(true);
    expect([pAt(low + step), pAt(high - step)].every((p) => p >= 0.05)).toBe(true);
    expect(found.confidence).toBeCloseTo(0.95, 3);
  });

  it('are never zero', () => {
    expect(signFlip([...d.map((value) => 1 + value)], 3)).toBe(1 / 10_000);
  });
});

describe('too little', () => {
  it('is null, never a number', () => {
    expect(signedRank([])).toBeNull();
    expect(walshEstimate([])).toBeNull();
    expect(walshEstimate([0.3])).toEqual({ estimate: 0.3, ci95: null, ci90: null });
    expect(walshEstimate([0.3, 0.5])?.ci95).toEqual({ interval: [0.3, 0.5], confidence: 0.5, k: 1 });
    expect(pairedEstimate([0.1])).toBeNull();
    expect(signFlip([], 1)).toBeNull();
    expect(signFlipInterval([0.1], 1)).toBeNull();
    expect(signFlipInterval([0.1, 0.1], 1)).toBeNull();
    expect(signFlipInterval([0.1, 0.3], 1)).toEqual({ interval: [0.1, 0.3], confidence: 0.5, k: 1 });
    expect(bootstrapPercent([1], [2, 3], false, { seed: 1, resamples: 10 })).toBeNull();
    expect(() => bootstrapPercent([1, 2], [2, 3, 4], true, { seed: 1, resamples: 10 })).toThrow(RangeError);
  });
});
