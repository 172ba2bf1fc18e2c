import { createPrng } from '../../src/stats/prng.ts';

/** Random numbers for simulations: the same seed gives the same ones on every machine. */
export interface Random {
  /** In [0, 1), with 53 bits. */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
  /** A seed for another generator. */
  seed(): number;
}

export function createRandom(seed: number): Random {
  const prng = createPrng(seed);
  let spare: number | null = null;
  const uniform = (): number => ((prng.u32() >>> 5) * 2 ** 26 + (prng.u32() >>> 6)) / 2 ** 53;
  return {
    uniform,
    seed: () => prng.u32(),
    /** Box and Muller: two at a time. */
    normal() {
      if (spare !== null) {
        const kept = spare;
        spare = null;
        return kept;
      }
      const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
      const angle = 2 * Math.PI * uniform();
      spare = radius * Math.sin(angle);
      return radius * Math.cos(angle);
    },
  };
}
