// Class: system.
import { describe, expect, it } from '@jest/globals';
import { ObservationBuffer } from '../../src/measure/observation-buffer.ts';
import { sampleTimes } from '../../src/sampling/sample-clock.ts';

const bufferWith = (...tNs: number[]): ObservationBuffer => {
  const buffer = new ObservationBuffer();
  for (const t of tNs) buffer.sample('wall', { tNs: BigInt(t * 1e9), powerW: 40, durationS: 1 });
  return buffer;
};

describe('ObservationBuffer.longestPauseS', () => {
  it('counts from and to the ends of the stretch', () => {
    const buffer = bufferWith(1, 2, 4, 5);
    expect(buffer.longestPauseS('wall', 1_000_000_000n, 5_000_000_000n)).toBe(2);
    expect(buffer.longestPauseS('wall', 4_000_000_000n, 9_000_000_000n)).toBe(4);
    expect(buffer.longestPauseS('wall', 6_000_000_000n, 9_000_000_000n)).toBe(3);
    expect(buffer.longestPauseS('package', 0n, 7_000_000_000n)).toBe(7);
  });
});

describe('ObservationBuffer.missingIn', () => {
  const meter = { channel: 'wall', integration: 'guard', clock: 'meter', samplingPeriodS: 1 } as const;
  const followed = (arrivals: readonly number[]): ObservationBuffer => {
    const buffer = new ObservationBuffer([meter]);
    for (const t of arrivals) buffer.sample('wall', { tNs: BigInt(Math.round(t * 1e9)), powerW: 40, durationS: 1 });
    return buffer;
  };

  it('counts what a meter left out, not what came late', () => {
    expect(followed([1, 2, 3, 5, 6]).missingIn('wall', 0n, 9_000_000_000n)).toBe(1);
    expect(followed([1, 2, 3, 7, 8]).missingIn('wall', 0n, 9_000_000_000n)).toBe(3);
    expect(followed([1, 2, 3.4, 4, 5]).missingIn('wall', 0n, 9_000_000_000n)).toBe(0);
    expect(followed([1, 2, 3, 5, 6]).missingIn('wall', 5_000_000_000n, 9_000_000_000n)).toBe(0);
  });

  it('finds what the analysis finds, on any train of arrivals', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return seed / 2147483647;
    };
    let found = 0;
    for (let train = 0; train < 200; train++) {
      const arrivals: number[] = [];
      for (let k = 1; k < 60; k++) if (random() > 0.05) arrivals.push(100 + k * 1.003 + random() ** 4 * 0.9);
      arrivals.sort((a, b) => a - b);
      const tNs = Float64Array.from(arrivals, (t) => Math.round(t * 1e9));
      const { missingBefore } = sampleTimes('meter', tNs, 1);
      const buffer = followed(arrivals);
      for (let i = 1; i < tNs.length; i++) {
        const missing = buffer.missingIn('wall', BigInt(tNs[i - 1] as number) - 1n, BigInt(tNs[i] as number));
        expect(missing > 0).toBe(missingBefore[i] === 1);
        found += missing > 0 ? 1 : 0;
      }
    }
    expect(found).toBeGreaterThan(200);
  });
});
