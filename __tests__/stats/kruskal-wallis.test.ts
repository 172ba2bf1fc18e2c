// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { kruskalWallis } from '../../src/stats/kruskal-wallis.ts';
import { expected, tooLittle } from './expected.ts';
import { expectNear } from './near.ts';

describe('kruskalWallis', () => {
  it.each(expected.cases)('of two groups: $name', ({ x, y, expected: { two } }) => {
    expectNear(kruskalWallis([x, y]), two.kruskalWallis);
  });

  it('of several groups', () => {
    const { groups, h, p } = expected.kruskal;
    expectNear(kruskalWallis(groups), { h, p, df: 2 });
  });

  it('is null for too little', () => {
    for (const [x, y] of tooLittle) expect(kruskalWallis([x, y])).toBeNull();
  });
});
