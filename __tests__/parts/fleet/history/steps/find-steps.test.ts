// Class: system.
import { describe, expect, it } from '@jest/globals';
import { findSteps } from '../../../../../src/parts/fleet/history/steps/find-steps.ts';
import { createRandom } from '../../../../simulate/random.ts';
import { correlated, pointsOf, SCATTERS, type Scatter } from '../../../../simulate/step-lines.ts';

const LINES = 400;
const SIZES = [10, 24, 60, 150];

/** How many of so many lines without a step show one. */
function falseSteps(scatter: Scatter, n: number): number {
  const random = createRandom(n);
  return Array.from({ length: LINES }, () => findSteps(pointsOf(scatter(random, n), 0.5))).filter(
    (steps) => steps.length > 0,
  ).length;
}

describe('a line without a step', () => {
  it.each(Object.entries(SCATTERS))('shows one in at most 1 % of cases: %s', (_, scatter) => {
    const found = SIZES.reduce((sum, n) => sum + falseSteps(scatter, n), 0);
    expect(found).toBeLessThanOrEqual(0.01 * LINES * SIZES.length);
  });

  it('shows none when every value is the same, or when there are only a few', () => {
    expect(findSteps(Array.from({ length: 50 }, () => ({ logEnergy: 5, se: 0.01 })))).toEqual([]);
    expect(findSteps(pointsOf([0, 0.1, 0, 9, 9.1, 9, 9], 0.5))).toEqual([]);
    expect(findSteps([])).toEqual([]);
  });
});

describe('a line with steps', () => {
  const noise = (seed: number, n: number) => correlated(0.3)(createRandom(seed), n);

  it('shows 2 % in at least 90 of 100 cases, where it is, with its size', () => {
    const found = Array.from({ length: 200 }, (_, seed) => findSteps(pointsOf(noise(seed, 60), 0.5, 2, 35)));
    const right = found.filter((steps) => steps.length === 1 && Math.abs(steps[0]!.at - 35) <= 1);
    expect(right.length).toBeGreaterThanOrEqual(180);
    const covering = right.filter(([step]) => step!.ci95[0] <= 2 && 2 <= step!.ci95[1]);
    expect(covering.length / right.length).toBeGreaterThan(0.9);
    const placed = right.filter(([step]) => step!.range[0] <= 35 && 35 <= step!.range[1]);
    expect(placed.length / right.length).toBeGreaterThan(0.9);
  });

  it('shows one up and one down that undo one another', () => {
    const line = noise(3, 120).map((value, i) => value + (i >= 50 && i < 70 ? 6 : 0));
    const steps = findSteps(pointsOf(line, 0.5));
    expect(steps.map(({ at }) => at)).toEqual([50, 70]);
    expect(steps[0]!.percent).toBeGreaterThan(2);
    expect(steps[1]!.percent).toBeLessThan(-2);
  });

  it('shows many, one after another', () => {
    const line = noise(7, 400).map((value, i) => value + (Math.floor(i / 40) % 2) * 5);
    expect(findSteps(pointsOf(line, 0.5)).map(({ at }) => at)).toEqual([40, 80, 120, 160, 200, 240, 280, 320, 360]);
  });

  it('shows the same whatever the unit, and twice the same', () => {
    const points = pointsOf(noise(4, 80), 0.5, -3, 30);
    const steps = findSteps(points);
    expect(findSteps(points)).toEqual(steps);
    const inKilojoules = points.map((point) => ({ ...point, logEnergy: point.logEnergy - Math.log(1000) }));
    expect(findSteps(inKilojoules).map(({ at }) => at)).toEqual(steps.map(({ at }) => at));
    expect(steps).toHaveLength(1);
    expect(steps[0]!.percent).toBeCloseTo(-3, 0);
  });

  it('gives less weight to experiments that know less', () => {
    const line = noise(5, 60);
    // The last ten lie higher, but each says itself that it may be off by that much.
    const points = pointsOf(line, 0.5, 2, 50);
    const unsure = points.map((point, i) => (i >= 50 ? { ...point, se: 0.03 } : point));
    expect(findSteps(points).map(({ at }) => at)).toEqual([50]);
    expect(findSteps(unsure)).toEqual([]);
  });

  it('finds its way in 10,000 experiments', () => {
    const line = noise(6, 10_000).map((value, i) => value + (i >= 4000 ? 3 : 0) + (i >= 9950 ? 5 : 0));
    const steps = findSteps(pointsOf(line, 0.5));
    expect(steps).toHaveLength(2);
    expect(Math.abs(steps[0]!.at - 4000)).toBeLessThanOrEqual(2);
    expect(Math.abs(steps[1]!.at - 9950)).toBeLessThanOrEqual(2);
  });
});
