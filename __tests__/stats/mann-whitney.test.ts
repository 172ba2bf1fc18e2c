// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { mannWhitney, mannWhitneyDoubled, mannWhitneyZ } from '../../src/stats/mann-whitney.ts';
import { normalTwoSided } from '../../src/stats/normal.ts';
import { expected, tooLittle } from './expected.ts';
import { expectNear } from './near.ts';

describe('mannWhitney', () => {
  it.each(expected.cases)('$name', ({ x, y, expected: { two } }) => {
    expectNear(mannWhitney(x, y), two.mannWhitney);
    expectNear(mannWhitneyDoubled(x, y), two.doubled);
  });

  it('has a normal p where the exact one would cost too much, close to it', () => {
    const arm = (n: number, shift: number): number[] =>
      Array.from({ length: n }, (_, i) => shift + ((i * 7919) % n) / n);
    const x = arm(100, 10);
    const y = arm(100, 10.09995);
    const exact = mannWhitney(x, y);
    const z = mannWhitneyZ(exact?.u ?? 0, 100, 100, new Array(200).fill(1), true) ?? 0;
    expect(exact?.method).toBe('exact');
    expectNear(normalTwoSided(z), exact?.p ?? null, 0.02);
    expect(mannWhitney([...x, 11], y)?.method).toBe('asymptotic');
  });

  it('is null for too little', () => {
    for (const [x, y] of tooLittle) expect(mannWhitney(x, y)).toBeNull();
  });
});
