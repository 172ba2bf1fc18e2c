// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { logRatio, toPercent } from '../../src/stats/log-ratio.ts';
import { signFlip } from '../../src/stats/sign-flip.ts';
import { signFlipInterval } from '../../src/stats/sign-flip-interval.ts';
import { pairedCases } from './expected.ts';
import { expectNear } from './near.ts';

describe('signFlipInterval', () => {
  it.each(pairedCases.filter(({ x }) => x.length <= 10))('$name', ({ x, y, expected: { paired } }) => {
    const d = x.map((value, i) => logRatio(value, y[i] as number));
    expectNear(signFlipInterval(d, 1)?.interval.map(toPercent) ?? null, paired.signFlipInterval, 1e-9, 1e-13);
  });

  it('holds just what the test does not reject', () => {
    const d = Array.from({ length: 40 }, (_, i) => Math.sin(i * 12.9898) * 0.01 + 0.002);
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

  it('says of too little what can be said', () => {
    expect(signFlipInterval([0.1], 1)).toBeNull();
    expect(signFlipInterval([0.1, 0.1], 1)).toBeNull();
    expect(signFlipInterval([0.1, 0.3], 1)).toEqual({ interval: [0.1, 0.3], confidence: 0.5, k: 1 });
  });
});
