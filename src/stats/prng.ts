/** Locals for the functions of Math: a global lookup takes longer than the multiplication itself. */
const { floor, imul } = Math;
const { isInteger } = Number;

/** A seeded source of random numbers: the same seed gives the same numbers on every machine. */
export interface Prng {
  /** The next integer in [0, 2³²). */
  u32(): number;
  /** The next integer in [0, n): floor(u32 · n / 2³²), with a bias below n / 2³². n must be an integer in 1 … 2³². */
  index(n: number): number;
  /** A shuffled copy by Fisher–Yates, drawing index(i + 1) for i from the last place down to 1. */
  shuffle<T>(items: readonly T[]): T[];
}

/**
 * xoshiro128** 1.1 (Blackman and Vigna), its state being four outputs of splitmix32(seed).
 * Throws RangeError if the seed is not an integer in 0 … 2³² − 1.
 */
export function createPrng(seed: number): Prng {
  if (!isInteger(seed) || seed < 0 || seed > 0xffffffff) {
    throw new RangeError(`seed is ${seed}; it must be an integer from 0 to 4294967295`);
  }
  const next = splitmix32(seed);
  let s0 = next();
  let s1 = next();
  let s2 = next();
  let s3 = next();

  function u32(): number {
    const result = imul(rotateLeft(imul(s1, 5), 7), 9) >>> 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = rotateLeft(s3, 11);
    return result;
  }

  function index(n: number): number {
    if (!isInteger(n) || n < 1 || n > 0x100000000) {
      throw new RangeError(`index(${n}): n must be an integer from 1 to 4294967296`);
    }
    return floor((u32() * n) / 0x100000000);
  }

  function shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = index(i + 1);
      const moved = shuffled[i] as T;
      shuffled[i] = shuffled[j] as T;
      shuffled[j] = moved;
    }
    return shuffled;
  }

  return { u32, index, shuffle };
}

function splitmix32(seed: number): () => number {
  let a = seed | 0;
  return () => {
    a = (a + 0x9e3779b9) | 0;
    let t = a ^ (a >>> 16);
    t = imul(t, 0x21f0aaad);
    t ^= t >>> 15;
    t = imul(t, 0x735a2d97);
    return t ^ (t >>> 15);
  };
}

function rotateLeft(x: number, k: number): number {
  return (x << k) | (x >>> (32 - k));
}
