// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { logRatio } from '../../src/stats/log-ratio.ts';
import { signFlip } from '../../src/stats/sign-flip.ts';
import { pairedEstimate, tTest } from '../../src/stats/welch.ts';
import { pairedCases } from './expected.ts';
import { expectNear } from './near.ts';

describe('signFlip', () => {
  const d = Array.from({ length: 40 }, (_, i) => Math.sin(i * 12.9898) * 0.01 + 0.002);

  it.each(pairedCases)('$name', ({ x, y, expected: { paired } }) => {
    const ratios = x.map((value, i) => logRatio(value, y[i] as number));
    if (ratios.length <= 12) expectNear(signFlip(ratios, 1), paired.signFlip);
    else if (ratios.every((value) => value === ratios[0])) expect(signFlip(ratios, 1)).toBeNull();
    else expect(signFlip(ratios, 1)).toBeGreaterThanOrEqual(1 / 10_000);
  });

  it('comes close to the t test where signs are drawn, and is the same for the same seed', () => {
    const t = pairedEstimate(d);
    expect(signFlip(d, 9)).toBe(signFlip(d, 9));
    expect(Math.abs((signFlip(d, 9) ?? 0) - (t ? tTest(t).p : 1))).toBeLessThan(0.03);
  });

  it('is never zero', () => {
    expect(signFlip([...d.map((value) => 1 + value)], 3)).toBe(1 / 10_000);
  });

  it('is null for nothing', () => {
    expect(signFlip([], 1)).toBeNull();
  });
});
