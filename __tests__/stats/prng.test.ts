// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { createPrng } from '../../src/stats/prng.ts';

// From an implementation of xoshiro128** and splitmix32 in Python's integers.
const known = [
  {
    seed: 0,
    u32: [1789933344, 44971166, 2521387044, 3848737593],
    index30: [12, 0, 17, 26, 7, 5, 13, 13],
    shuffled: [7, 2, 3, 5, 8, 1, 6, 9, 0, 4],
  },
  {
    seed: 7,
    u32: [210494603, 711084892, 3993689120, 4089369890],
    index30: [1, 4, 27, 28, 11, 19, 9, 3],
    shuffled: [5, 4, 9, 8, 3, 2, 6, 7, 1, 0],
  },
  {
    seed: 20261120,
    u32: [181125643, 2429530818, 2268574528, 2173390642],
    index30: [1, 16, 15, 15, 9, 27, 29, 24],
    shuffled: [9, 8, 2, 6, 7, 1, 3, 4, 5, 0],
  },
  {
    seed: 4294967295,
    u32: [4104197751, 1825856343, 1152209388, 2427537429],
    index30: [28, 12, 8, 16, 25, 4, 29, 10],
    shuffled: [7, 4, 1, 6, 0, 5, 8, 2, 3, 9],
  },
];

describe('the seeded generator', () => {
  it.each(known)('gives the published numbers for seed $seed', ({ seed, u32, index30, shuffled }) => {
    const numbers = createPrng(seed);
    expect(u32.map(() => numbers.u32())).toEqual(u32);
    const indices = createPrng(seed);
    expect(index30.map(() => indices.index(30))).toEqual(index30);
    expect(createPrng(seed).shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual(shuffled);
  });

  it('shuffles a copy and leaves the original alone', () => {
    const items = ['native', 'container'];
    const prng = createPrng(3);
    const orders = new Set<string>();
    for (let i = 0; i < 64; i++) orders.add(prng.shuffle(items).join());
    expect([...orders].sort()).toEqual(['container,native', 'native,container']);
    expect(items).toEqual(['native', 'container']);
  });

  it('puts every item in every place about equally often', () => {
    const counts = [0, 0, 0];
    const prng = createPrng(11);
    for (let i = 0; i < 30_000; i++) counts[prng.shuffle([0, 1, 2]).indexOf(0)]! += 1;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it.each([-1, 1.5, 2 ** 32, Number.NaN])('refuses the seed %p', (seed) => {
    expect(() => createPrng(seed)).toThrow(/seed is/);
  });

  it('refuses a range that it cannot draw from', () => {
    expect(() => createPrng(1).index(0)).toThrow(/n must be/);
  });
});
