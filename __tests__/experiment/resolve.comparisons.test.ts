// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { parse, refusal } from './support.ts';

const THREE = 'workload: { run: x }\nvariants: { a: {}, b: { env: { X: y } }, c: { env: { X: z } } }\nbaseline: b\n';

describe('comparisons', () => {
  it('are of every variant with the baseline, unless pairs are given', () => {
    expect(parse(THREE).comparisons).toBeUndefined();
    expect(parse(`${THREE}comparisons: [[c, a], [a, b]]`).comparisons).toEqual([
      { baseline: 'a', variant: 'c' },
      { baseline: 'b', variant: 'a' },
    ]);
  });

  it('may be of all pairs, the baseline before the others', () => {
    expect(parse(`${THREE}comparisons: all`).comparisons).toEqual([
      { baseline: 'b', variant: 'a' },
      { baseline: 'b', variant: 'c' },
      { baseline: 'a', variant: 'c' },
    ]);
  });

  it.each([
    ['[[c, d]]', '"d" was given, which is no variant; it must be one of "a", "b", "c"'],
    ['[[c, c]]', '"c" was given twice'],
    ['[[c, a], [a, c]]', '"a" and "c" are compared already'],
    ['[[c]]', 'comparisons'],
    ['some', 'it must be "all", or a list of pairs'],
  ])('are refused as %s', (given, message) => {
    expect(refusal(() => parse(`${THREE}comparisons: ${given}`))).toContain(message);
  });
});
