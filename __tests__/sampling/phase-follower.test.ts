// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { PhaseFollower } from '../../src/sampling/phase-follower.ts';

const stepsOf = (...arrivalsS: number[]) => {
  const follower = new PhaseFollower(1);
  return arrivalsS.map((s) => follower.steps(s * 1e9));
};

describe('PhaseFollower', () => {
  it('counts a second a reading, through arrivals that jitter', () => {
    expect(stepsOf(5, 6.2, 6.9, 8.1, 9)).toEqual([1, 1, 1, 1, 1]);
  });

  it('counts what is missing, and never less than one', () => {
    expect(stepsOf(5, 7, 7.1, 8)).toEqual([1, 2, 1, 1]);
  });

  it('follows a clock that is half a percent off', () => {
    const arrivals = Array.from({ length: 1000 }, (_, k) => 5 + k * 1.005);
    expect(stepsOf(...arrivals).every((steps) => steps === 1)).toBe(true);
  });

  it('takes the phase of a meter that comes back after an absence', () => {
    expect(stepsOf(5, 6, 10.4, 11.4, 12.4)).toEqual([1, 1, 4, 1, 1]);
  });
});
