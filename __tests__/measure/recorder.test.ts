import { describe, expect, it } from '@jest/globals';
import { Recorder } from '../../src/measure/recorder.ts';
import { sampleTimes } from '../../src/sampling/sample-clock.ts';

const recorderWith = (...tNs: number[]): Recorder => {
  const recorder = new Recorder();
  for (const t of tNs) recorder.sample('wall', { tNs: BigInt(t * 1e9), powerW: 40, durationS: 1 });
  return recorder;
};

describe('Recorder.longestPauseS', () => {
  it('counts from and to the ends of the stretch', () => {
    const recorder = recorderWith(1, 2, 4, 5);
    expect(recorder.longestPauseS('wall', 1_000_000_000n, 5_000_000_000n)).toBe(2);
    expect(recorder.longestPauseS('wall', 4_000_000_000n, 9_000_000_000n)).toBe(4);
    expect(recorder.longestPauseS('wall', 6_000_000_000n, 9_000_000_000n)).toBe(3);
    expect(recorder.longestPauseS('package', 0n, 7_000_000_000n)).toBe(7);
  });
});

describe('Recorder.missingIn', () => {
  const meter = { channel: 'wall', integration: 'guard', clock: 'meter', samplingPeriodS: 1 } as const;
  const followed = (arrivals: readonly number[]): Recorder => {
    const recorder = new Recorder();
    recorder.follow([meter]);
    for (const t of arrivals) recorder.sample('wall', { tNs: BigInt(Math.round(t * 1e9)), powerW: 40, durationS: 1 });
    return recorder;
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
      const recorder = followed(arrivals);
      for (let i = 1; i < tNs.length; i++) {
        const missing = recorder.missingIn('wall', BigInt(tNs[i - 1] as number) - 1n, BigInt(tNs[i] as number));
        expect(missing > 0).toBe(missingBefore[i] === 1);
        found += missing > 0 ? 1 : 0;
      }
    }
    expect(found).toBeGreaterThan(200);
  });
});
