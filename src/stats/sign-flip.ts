import { createPrng } from './prng.ts';
import { isConstant } from './sums.ts';

/** Maximum number of differences for trying all signs; above it the signs are drawn at random. */
export const MAX_ENUMERATED = 14;
export const FLIPS = 9999;

/**
 * Two-sided randomization p of the mean difference: how often random signs give a mean as far from zero. All 2ⁿ signs up to n = 14,
 * else 9,999 seeded ones with p = (1 + #)/(9,999 + 1), which is never 0. Null for no differences or when all are the same number.
 */
export function signFlip(differences: readonly number[], seed: number): number | null {
  const n = differences.length;
  if (n === 0 || (n > 1 && isConstant(differences))) return null;
  const size = differences.reduce((total, d) => total + Math.abs(d), 0);
  // Sums of the same terms in another order may differ in their last bits and still be ties.
  const observed = Math.abs(differences.reduce((total, d) => total + d, 0)) - 1e-12 * size;
  return n <= MAX_ENUMERATED ? enumerated(differences, observed) : sampled(differences, observed, seed);
}

function enumerated(differences: readonly number[], observed: number): number {
  const all = 2 ** differences.length;
  let extreme = 0;
  for (let signs = 0; signs < all; signs++) {
    if (Math.abs(signedSum(differences, signs, 0)) >= observed) extreme++;
  }
  return extreme / all;
}

function sampled(differences: readonly number[], observed: number, seed: number): number {
  const prng = createPrng(seed);
  let extreme = 0;
  for (let flip = 0; flip < FLIPS; flip++) {
    let total = 0;
    for (let from = 0; from < differences.length; from += 32) total += signedSum(differences, prng.u32(), from);
    if (Math.abs(total) >= observed) extreme++;
  }
  return (1 + extreme) / (FLIPS + 1);
}

/** Sum of up to 32 differences from `from`, each with the sign of its bit. */
function signedSum(differences: readonly number[], signs: number, from: number): number {
  const to = from + 32 < differences.length ? from + 32 : differences.length;
  let total = 0;
  for (let i = from; i < to; i++) {
    const d = differences[i] as number;
    total += (signs >>> (i - from)) & 1 ? d : -d;
  }
  return total;
}
