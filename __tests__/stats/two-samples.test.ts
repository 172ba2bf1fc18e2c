import { describe, expect, it } from '@jest/globals';
import { bootstrapPercent } from '../../src/stats/bootstrap.ts';
import { brunnerMunzel } from '../../src/stats/brunner-munzel.ts';
import { cliffsDelta } from '../../src/stats/cliffs-delta.ts';
import { cohensD, hedgesG } from '../../src/stats/cohens-d.ts';
import { shiftEstimate } from '../../src/stats/hodges-lehmann.ts';
import { kruskalWallis } from '../../src/stats/kruskal-wallis.ts';
import { mannWhitney, mannWhitneyDoubled, mannWhitneyZ } from '../../src/stats/mann-whitney.ts';
import { normalTwoSided } from '../../src/stats/normal.ts';
import { fiellerPercent, logRatioOfMeans } from '../../src/stats/ratio-of-means.ts';
import { meanDifference, moments } from '../../src/stats/sums.ts';
import { tost, tTest, welchEstimate } from '../../src/stats/welch.ts';
import { expected } from './expected.ts';
import { expectNear } from './near.ts';

describe.each(expected.cases)('two arms: $name', ({ x, y, expected: { two } }) => {
  it('by means', () => {
    const welch = welchEstimate(x, y);
    const margin = moments(x).mean / 100;
    expectNear(meanDifference(x, y), two.of_means, 1e-12);
    expectNear(welch && tTest(welch), two.welch);
    expectNear({ p: welch && tost(welch, -margin, margin).p }, { p: two.tost });
    expectNear(logRatioOfMeans(x, y), two.logRatio);
    expectNear(fiellerPercent(x, y, false), two.fieller);
  });

  it('by ranks', () => {
    expectNear(mannWhitney(x, y), two.mannWhitney);
    expectNear(mannWhitneyDoubled(x, y), two.doubled);
    expectNear(brunnerMunzel(x, y), two.brunnerMunzel);
    expectNear(kruskalWallis([x, y]), two.kruskalWallis);
  });

  it('by drawing again', () => {
    const { ci95, se, ...options } = two.bootstrap;
    expectNear(bootstrapPercent(x, y, false, options), { ci95, se }, 1e-9, 1e-11);
  });

  it('by their shift', () => {
    const shift = shiftEstimate(x, y);
    expectNear(shift?.estimate, two.shift.estimate);
    if (two.shift.ci === undefined) return;
    const { k = 0, ci, confidence = 0 } = two.shift;
    expectNear(shift?.ci95, { k, interval: ci, confidence });
  });

  it('by effect sizes', () => {
    const d = cohensD(x, y);
    expectNear(cliffsDelta(x, y), two.cliff);
    expectNear(d, two.cohen, 1e-9);
    expectNear(d && hedgesG(d, x.length + y.length - 2).value, two.hedges);
  });
});

describe('the huge samples', () => {
  const arm = (n: number, shift: number): number[] => Array.from({ length: n }, (_, i) => shift + ((i * 7919) % n) / n);

  it('have a shift interval beyond the exact tables, close to what those give', () => {
    const exact = shiftEstimate(arm(499, 10), arm(500, 10.1));
    const approximate = shiftEstimate(arm(501, 10), arm(500, 10.1));
    expectNear(approximate?.estimate, 0.1, 0.02);
    expectNear(approximate?.ci95?.interval, exact?.ci95?.interval ?? null, 0.02);
    expect(approximate?.ci95?.confidence).toBeGreaterThanOrEqual(0.95);
    expect(approximate?.ci95?.confidence).toBeLessThan(0.951);
  });

  it('have a normal Mann–Whitney p where the exact one would cost too much, close to it', () => {
    const x = arm(100, 10);
    const y = arm(100, 10.09995);
    const exact = mannWhitney(x, y);
    const z = mannWhitneyZ(exact?.u ?? 0, 100, 100, new Array(200).fill(1), true) ?? 0;
    expect(exact?.method).toBe('exact');
    expectNear(normalTwoSided(z), exact?.p ?? null, 0.02);
    expect(mannWhitney([...x, 11], y)?.method).toBe('asymptotic');
  });
});

describe('too little', () => {
  it('is null, never a number', () => {
    for (const [x, y] of [
      [[], []],
      [[], [1, 2]],
      [[1], []],
    ] as const) {
      expect(welchEstimate(x, y)).toBeNull();
      expect(mannWhitney(x, y)).toBeNull();
      expect(shiftEstimate(x, y)).toBeNull();
      expect(cliffsDelta(x, y)).toBeNull();
      expect(cohensD(x, y)).toBeNull();
      expect(brunnerMunzel(x, y)).toBeNull();
      expect(kruskalWallis([x, y])).toBeNull();
    }
    expect(shiftEstimate([1], [3])).toMatchObject({ estimate: 2, ci95: null });
    expect(cliffsDelta([1], [3])).toEqual({ delta: 1, ci95: null });
    expect(logRatioOfMeans([1, -1.5], [2, 3])).toBeNull();
    expect(fiellerPercent([1, -1.1], [2, 3], false)).toBeNull();
  });
});
