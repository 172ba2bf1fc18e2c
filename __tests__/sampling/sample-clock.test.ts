// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { fitSampleClock, LONGEST_HOLD_PERIODS, sampleTimes } from '../../src/sampling/sample-clock.ts';
import { createPrng } from '../../src/stats/prng.ts';

describe('fitSampleClock', () => {
  it('numbers the readings through jitter, and leaves a number out for each that is missing', () => {
    const random = createPrng(3);
    const k = Array.from({ length: 400 }, (_, i) => i).filter((i) => i !== 100 && i !== 101 && i !== 300);
    const tNs = Float64Array.from(k, (i) => 1e9 * (5 + i * 1.0004 + 0.3 * (random.u32() / 2 ** 32)));
    const clock = fitSampleClock(tNs, 1);
    expect([...clock.index]).toEqual(k);
    expect(clock.periodS).toBeCloseTo(1.0004, 3);
    expect(clock.residualS).toBeGreaterThan(0.05);
    expect(clock.residualS).toBeLessThan(0.12);
  });
});

describe('fitSampleClock of a meter that was away', () => {
  it('keeps the period when it begins anew with another phase', () => {
    const before = Array.from({ length: 200 }, (_, i) => 5 + i * 1.0002);
    const after = Array.from({ length: 200 }, (_, i) => 250.47 + i * 1.0002);
    const clock = fitSampleClock(
      Float64Array.from([...before, ...after], (s) => s * 1e9),
      1,
    );
    expect(clock.periodS).toBeCloseTo(1.0002, 9);
    expect(clock.residualS).toBeLessThan(1e-4);
    expect((clock.index[200] as number) - (clock.index[199] as number)).toBeGreaterThan(1);
  });
});

describe('sampleTimes where the host asks', () => {
  it('lets each reading hold for the time since the one before, and calls a longer pause a missing reading', () => {
    const tNs = Float64Array.from([5, 5.5, 6.1, 6.1 + 0.5 * LONGEST_HOLD_PERIODS + 0.01], (s) => s * 1e9);
    const { lengthS, missingBefore, longestS, periodS } = sampleTimes('host', tNs, 0.5);
    expect([...lengthS].map((s) => Number(s.toFixed(6)))).toEqual([0.5, 0.5, 0.6, 1.26]);
    expect([...missingBefore]).toEqual([0, 0, 0, 1]);
    expect(longestS).toBeCloseTo(1.26, 6);
    expect(periodS).toBe(0.5);
  });
});
