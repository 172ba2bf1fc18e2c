import { describe, expect, it } from '@jest/globals';
import { Recorder } from '../../src/measure/recorder.ts';

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
