// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { interimResult } from '../../src/analysis/interims.ts';
import { walshEstimate, walshInterval } from '../../src/stats/hodges-lehmann.ts';
import { signedRank } from '../../src/stats/signed-rank.ts';
import { createRandom } from '../simulate/random.ts';

const planOf = (planned: readonly number[]) => ({ planned, spending: 'obrien-fleming' }) as const;
const looks = planOf([20, 30, 40]);

/** Log ratios around a change, with a spread of 1 % and no pattern. */
function ratios(count: number, change: number): number[] {
  const random = createRandom(count);
  return Array.from({ length: count }, () => change + 0.01 * random.normal());
}

describe('a look', () => {
  it('is none while fewer blocks are in', () => {
    expect(interimResult(ratios(19, 0.5), looks)).toBeNull();
  });

  it('has the levels of the plan', () => {
    const levels = [20, 30, 40].map((n) => interimResult(ratios(n, 0.004), looks)?.levels.change);
    [0.00305, 0.01832, 0.044].forEach((level, i) => {
      expect(levels[i]).toBeCloseTo(level, 4);
    });
  });

  it('has the interval of its level, wider than without looks', () => {
    const d = ratios(20, 0.03);
    const look = interimResult(d, looks);
    expect(look).toMatchObject({ look: 1, p: signedRank(d)?.p });
    const [low, high] = look?.changeInterval as [number, number];
    const [low95, high95] = walshEstimate(d)?.ci95?.interval as [number, number];
    expect(low).toBeLessThan(100 * Math.expm1(low95));
    expect(high).toBeGreaterThan(100 * Math.expm1(high95));
    expect(low).toBeGreaterThan(0);
    const [least, most] = look?.equivalenceInterval as [number, number];
    expect([least > low, most < high]).toEqual([true, true]);
  });

  it('takes a look with the blocks that there are', () => {
    const at = (n: number) => interimResult(ratios(n, 0.004), looks);
    expect(at(31)?.look).toBe(2);
    expect(at(31)?.levels.change).toBeGreaterThan(at(30)?.levels.change as number);
    expect(at(45)?.look).toBe(3);
  });

  it('has no interval where so few blocks can’t reach the level', () => {
    const early = interimResult(ratios(8, 0.2), planOf([8, 60]));
    expect(early).toMatchObject({ look: 1, changeInterval: null });
    expect(early?.levels.change).toBeLessThan(2 / 2 ** 8);
  });

  it('with one look is the plan without looks', () => {
    const d = ratios(30, 0.01);
    const look = interimResult(d, planOf([30]));
    expect(look?.levels.change).toBeCloseTo(0.05, 12);
    const fixed = walshEstimate(d)?.ci95?.interval.map((end) => 100 * Math.expm1(end));
    expect(look?.changeInterval).toEqual(fixed);
    expect(walshInterval(d, 0.1)).toEqual(walshEstimate(d)?.ci90);
  });

  it.each([[[]], [[0]], [[30, 30]], [[40, 30]], [[20.5]]])('refuses looks at %j', (wrong) => {
    expect(() => interimResult([], planOf(wrong))).toThrow(RangeError);
  });
});
