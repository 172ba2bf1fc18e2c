import { describe, expect, it } from '@jest/globals';
import { incompleteBeta } from '../../src/stats/beta.ts';
import { chiSquaredTail, logGamma } from '../../src/stats/gamma.ts';
import { noncentralTCdf } from '../../src/stats/noncentral-t.ts';
import { normalCdf, normalQuantile, normalTail } from '../../src/stats/normal.ts';
import { tQuantile, tTail } from '../../src/stats/student.ts';
import { expected } from './expected.ts';
import { expectNear } from './near.ts';

type Distribution = (...args: readonly number[]) => number;

const functions: Readonly<Record<string, Distribution>> = {
  normalCdf: (z) => normalCdf(z as number),
  normalQuantile: (p) => normalQuantile(p as number),
  logGamma: (x) => logGamma(x as number),
  incompleteBeta: (a, b, x) => incompleteBeta(a as number, b as number, x as number, 1 - (x as number)),
  tTail: (t, df) => tTail(t as number, df as number),
  tQuantile: (p, df) => tQuantile(p as number, df as number),
  chiSquaredTail: (x, k) => chiSquaredTail(x as number, k as number),
};

describe('distributions', () => {
  it.each(Object.keys(functions))('%s agrees with 50-digit values to 1e-11', (name) => {
    const rows = expected.distributions.filter(([row]) => row === name);
    expect(rows.length).toBeGreaterThan(4);
    for (const [, args, value] of rows) expectNear(functions[name]?.(...args), value, 1e-11, 0);
  });

  it('the noncentral t agrees with 30-digit quadrature to 1e-13', () => {
    const rows = expected.distributions.filter(([name]) => name === 'noncentralTCdf');
    expect(rows.length).toBeGreaterThan(50);
    for (const [, args, value] of rows) {
      expectNear(noncentralTCdf(...(args as [number, number, number])), value, 0, 1e-13);
    }
  });

  it('resolves the step of the noncentral t however steep it is', () => {
    for (const t of [1, 10, 1000, 1e6]) {
      expectNear(noncentralTCdf(t, 38, t) - noncentralTCdf(-t, 38, -t), 2 * noncentralTCdf(t, 38, t) - 1, 1e-9);
      expect(noncentralTCdf(t, 38, 0.5 * t - 12)).toBeGreaterThan(0.999);
    }
  });

  it('keeps relative accuracy far out in the tails', () => {
    expectNear(normalTail(20), 2.7536241186062337e-89, 1e-13);
    expectNear(tTail(1e8, 1), 3.183098861837907e-9, 1e-13);
  });

  it('has the ends that a distribution has', () => {
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
    expect(tTail(Infinity, 4)).toBe(0);
    expect(tTail(0, 4)).toBe(0.5);
    expect(chiSquaredTail(0, 1)).toBe(1);
  });
});
