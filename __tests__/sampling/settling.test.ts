// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { FULL_REST_S, Settling } from '../../src/sampling/settling.ts';
import { createRandom } from '../simulate/random.ts';

const VALUE_S = 0.5;

/** Rests one after the other, each with its own course of idle power over the seconds; how long each took, 60 s at most. */
function rests(courses: readonly ((s: number) => number)[], noise = 0.1, leastNoise = 0): number[] {
  const random = createRandom(3);
  const settling = new Settling(leastNoise);
  return courses.map((course) => {
    settling.begin();
    let s = 0;
    do {
      s += VALUE_S;
      settling.add(course(s) + noise * random.normal());
    } while (s < 60 && !settling.isSettled(s));
    settling.end(s);
    return s;
  });
}

const still = () => 50;
const cooling = (tauS: number) => (s: number) => 50 + 3 * Math.exp(-s / tauS);
const times = <T>(n: number, one: T): T[] => Array.from({ length: n }, () => one);

describe('a machine that rests', () => {
  it('shows its noise first, then where it falls back to after a run, and then settles at once where it has no heat', () => {
    const [first, second, ...others] = rests(times(30, still));
    expect(first).toBeLessThan(10);
    expect(second).toBe(FULL_REST_S);
    expect(others.filter((s) => s <= 4 * VALUE_S).length).toBeGreaterThan(24);
  });

  it('is waited for until its heat is in the noise, and not for longer', () => {
    const fast = rests(times(20, cooling(1))).slice(3);
    const slow = rests(times(20, cooling(5))).slice(3);
    const middle = (list: number[]) => list.toSorted((a, b) => a - b)[8] as number;
    expect(middle(fast)).toBeLessThan(6);
    expect(middle(slow)).toBeGreaterThan(6);
    expect(middle(slow)).toBeLessThan(FULL_REST_S);
    // What is left of the heat is less than the noise that is told apart.
    expect(3 * Math.exp(-middle(slow) / 5)).toBeLessThan(0.5);
  });

  it('takes the longest rest while its power still changes, and a full one while it is elsewhere than before', () => {
    const [, , , rising, away, back] = rests([still, still, still, (s) => 50 + s, () => 60, () => 60]);
    expect(rising).toBe(60);
    expect(away).toBeLessThanOrEqual(FULL_REST_S + 2);
    expect(back).toBeLessThanOrEqual(6 * VALUE_S);
  });

  it('follows a level that falls without waiting for it', () => {
    const levels = times(12, 0).map((_, i) => () => 50 - i);
    expect(Math.max(...rests(levels).slice(3))).toBeLessThan(6);
  });

  it('takes the steps of its readings for noise', () => {
    const steps = (s: number) => (s % 3 < 1.5 ? 40 : 41);
    expect(Math.max(...rests(times(8, steps), 0, 0.5).slice(3))).toBeLessThan(6);
  });
});
