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

  it('may have a limit for each variant that is the first of a pair, even the baseline', () => {
    const { failOn } = parse(`${THREE}comparisons: [[b, a], [c, a]]\nfail-on: [{ above: 5%, variant: b }, 1%]`);
    expect(failOn).toMatchObject([{ variant: 'b' }, { variant: null }]);
  });

  it('may be of variants whose names are numbers', () => {
    const { comparisons } = parse('workload: { run: x }\nvariants: { 1: {}, 2: {} }\ncomparisons: [[2, 1]]');
    expect(comparisons).toEqual([{ baseline: '1', variant: '2' }]);
  });

  it.each([
    ['[[c, dd]]', '"dd" was given, which is no variant; it must be one of "a", "b", "c"'],
    ['[[c, c]]', '"c" was given twice'],
    ['[[c, a], [a, c]]', '"a" and "c" are compared already'],
    ['[[c]]', 'comparisons'],
    ['some', 'it must be "all", or a list of pairs'],
    ['[[a, b]]\nfail-on: { above: 5%, variant: c }', '"c" was given, which comparisons compare with no other'],
    ['[[a, b]]\nfail-on: { above: 5%, variant: b }', 'it must be the first of a pair, such as "a"'],
    ['all\nfail-on: { above: 5%, variant: b }', '"b" was given, which is the baseline'],
  ])('are refused as %s', (given, message) => {
    expect(refusal(() => parse(`${THREE}comparisons: ${given}`))).toContain(message);
  });
});
