// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { logSlack, resolve, stepOf } from '../../src/stats/resolution.ts';

describe('the step of readings', () => {
  it('is the least distance of two that differ, where some are equal', () => {
    expect(stepOf([10, 10, 12, 11])).toBe(1);
    // Equal but for the arithmetic.
    expect(stepOf([0.1 + 0.2, 0.3, 0.4])).toBeCloseTo(0.1, 12);
  });

  it('is not known where no two are equal, or all are', () => {
    expect(stepOf([10, 11, 12.5])).toBeNull();
    expect(stepOf([10, 10, 10])).toBeNull();
  });
});

describe('readings that come in steps', () => {
  it('stay as they are where none are equal', () => {
    expect(resolve([1, 2.5], [3, 4.2])).toEqual({ x: [1, 2.5], y: [3, 4.2], slackX: 0, slackY: 0 });
  });

  it('are spread evenly over their step', () => {
    const { x } = resolve([10, 10, 11, 11], [12, 13]);
    expect(x).toEqual([9.75, 10.25, 10.75, 11.25]);
  });

  it('leave half a step of slack where nearly all are on one', () => {
    const { slackX, slackY } = resolve([10, 10, 10, 10, 10], [11, 12, 13, 11]);
    expect([slackX, slackY]).toEqual([0.5, 0]);
    expect(logSlack([10, 10, 10], slackX)).toBeCloseTo(Math.log(10.5 / 10), 12);
  });
});
