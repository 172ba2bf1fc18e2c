import { describe, expect, it } from '@jest/globals';
import { nextLook } from '../../src/analysis/looks.ts';
import { walshEstimate, walshInterval } from '../../src/stats/hodges-lehmann.ts';
import { signedRank } from '../../src/stats/signed-rank.ts';
import { createRandom } from '../simulate/random.ts';

const looks = [20, 30, 40];

/** Log ratios around a change, with a spread of 1 % and no pattern. */
function ratios(count: number, change: number): number[] {
  const random = createRandom(count);
  return Array.from({ length: count }, () => change + 0.01 * random.normal());
}

describe('the next look', () => {
  it('is the first while fewer blocks are in, and says nothing yet', () => {
    expect(nextLook(ratios(19, 0.5), looks, 1)).toEqual({
      look: 0,
      looks,
      blocks: 19,
      levels: null,
      p: null,
      estimate: null,
      changeInterval: null,
      equivalenceInterval: null,
      stop: null,
      next: 20,
    });
  });

  it('has the levels of the plan', () => {
    const levels = [20, 30, 40].map((n) => nextLook(ratios(n, 0.004), looks, 0.01).levels?.change);
    [0.00305, 0.01832, 0.044].forEach((level, i) => {
      expect(levels[i]).toBeCloseTo(level, 4);
    });
  });

  it('stops early at a clear change, with the interval of its level', () => {
    const d = ratios(20, 0.03);
    const look = nextLook(d, looks, 1);
    expect(look).toMatchObject({ look: 1, stop: 'changed', next: null, p: signedRank(d)?.p });
    const [low, high] = look.changeInterval as [number, number];
    const [low95, high95] = walshEstimate(d)?.ci95?.interval as [number, number];
    expect(low).toBeLessThan(100 * Math.expm1(low95));
    expect(high).toBeGreaterThan(100 * Math.expm1(high95));
    expect(low).toBeGreaterThan(0);
  });

  it('stops early when both are equivalent beyond doubt', () => {
    expect(nextLook(ratios(30, 0), looks, 2)).toMatchObject({ look: 2, stop: 'equivalent', next: null });
  });

  it('goes on where neither is shown, up to the last look', () => {
    expect(nextLook(ratios(20, 0.004), looks, 0.5)).toMatchObject({ look: 1, stop: null, next: 30 });
    expect(nextLook(ratios(30, 0.002), looks, 0.1)).toMatchObject({ look: 2, stop: null, next: 40 });
    expect(nextLook(ratios(40, 0.001), looks, 0.1)).toMatchObject({ look: 3, stop: 'last', next: null });
  });

  it('takes a look with the blocks that there are', () => {
    const at = (n: number) => nextLook(ratios(n, 0.004), looks, 0.01);
    expect(at(31).look).toBe(2);
    expect(at(31).levels?.change).toBeGreaterThan(at(30).levels?.change as number);
    expect(at(45)).toMatchObject({ look: 3, blocks: 45 });
  });

  it('has no interval where so few blocks can’t reach the level', () => {
    const early = nextLook(ratios(8, 0.2), [8, 60], 1);
    expect(early).toMatchObject({ changeInterval: null, stop: null, next: 60 });
    expect(early.levels?.change).toBeLessThan(2 / 2 ** 8);
  });

  it('with one look is the plan without looks', () => {
    const d = ratios(30, 0.01);
    const { levels, changeInterval } = nextLook(d, [30], 1);
    expect(levels?.change).toBeCloseTo(0.05, 12);
    const fixed = walshEstimate(d)?.ci95?.interval.map((end) => 100 * Math.expm1(end));
    expect(changeInterval).toEqual(fixed);
    expect(walshInterval(d, 0.1)).toEqual(walshEstimate(d)?.ci90);
  });

  it.each([[[]], [[0]], [[30, 30]], [[40, 30]], [[20.5]]])('refuses looks at %j', (wrong) => {
    expect(() => nextLook([], wrong, 1)).toThrow(RangeError);
  });
});
