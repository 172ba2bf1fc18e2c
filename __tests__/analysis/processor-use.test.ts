// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { processorUse, useSteps } from '../../src/analysis/processor-use.ts';

/** A reading at a moment in seconds, of so many busy seconds among all seconds. */
const at = (seconds: number, busyS: number, allS: number) => ({ tNs: BigInt(Math.round(seconds * 1e9)), busyS, allS });
const window = { startNs: 10_000_000_000n, endNs: 13_500_000_000n };

const steps = (...readings: readonly ReturnType<typeof at>[]) => {
  const use = processorUse(readings, window);
  return use && useSteps(use).map(({ x, y }) => [x, Math.round(y)]);
};

describe('processor use', () => {
  it('is the share of all processors in each stretch of the window, from its start to its end', () => {
    // Four processors: an idle stretch, a busy one, and one with a single busy processor; the ends come a little beside the window.
    const readings = [at(9.9, 50, 400), at(11, 50, 404.4), at(12, 54, 408.4), at(13.6, 55.6, 414.8)];
    expect(steps(...readings)).toEqual([
      [0, 0],
      [1, 0],
      [2, 100],
      [3.5, 25],
    ]);
  });

  it('joins a stretch in which the counters did not advance to the next one, and is never beyond 0 and 100 %', () => {
    expect(steps(at(10, 50, 400), at(11, 50, 400), at(12, 51, 402))).toEqual([
      [0, 50],
      [2, 50],
    ]);
    expect(steps(at(10, 50, 400), at(11, 49.9, 402), at(12, 52, 404))).toEqual([
      [0, 0],
      [1, 0],
      [2, 100],
    ]);
  });

  it('is none where there is no stretch', () => {
    expect(steps()).toBeNull();
    expect(steps(at(10, 50, 400))).toBeNull();
    expect(steps(at(10, 50, 400), at(11, 50, 400))).toBeNull();
  });
});
