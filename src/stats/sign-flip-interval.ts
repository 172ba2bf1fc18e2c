import type { ShiftInterval } from './hodges-lehmann.ts';
import { createPrng } from './prng.ts';
import { FLIPS, MAX_ENUMERATED } from './sign-flip.ts';
import { isConstant, meanFrom } from './sums.ts';

/**
 * The means that the sign-flip test of the differences would not reject at 5 %, two-sided: turning the signs of a set of them makes the sum
 * as large again just when the mean of that set is below the mean in question, so that both ends are order statistics of the means of sets
 * (Hartigan 1969, "Using subsample values as typical values"). All sets up to 14 differences, else those of the same 9,999 seeded draws as
 * the test's, and their complements. Null below two differences, and where all are the same.
 */
export function signFlipInterval(differences: readonly number[], seed: number): ShiftInterval | null {
  const n = differences.length;
  if (n < 2 || isConstant(differences)) return null;
  const reference = differences[0] as number;
  const centered = differences.map((d) => d - reference);
  const all = n <= MAX_ENUMERATED;
  const means = all ? meansOfAllSets(centered) : meansOfDrawnSets(centered, seed);
  const flips = all ? 2 ** n : 2 * (FLIPS + 1);
  // Smallest k at which 2(1 + k) of all flips are 5 % or more; a drawn set and its complement make one flip.
  const k = Math.max(1, Math.ceil(0.025 * flips) - 1);
  const ascending = means.sort();
  const [low, high] = [ascending[k - 1] as number, ascending.at(-k) as number];
  return { interval: [reference + low, reference + high], confidence: 1 - (2 * k) / flips, k };
}

function meansOfAllSets(centered: readonly number[]): Float64Array {
  const n = centered.length;
  const sums = new Float64Array(2 ** n);
  const sizes = new Uint8Array(2 ** n);
  for (let i = 0; i < n; i++) {
    const bit = 2 ** i;
    for (let set = bit; set < 2 * bit; set++) {
      sums[set] = (sums[set - bit] as number) + (centered[i] as number);
      sizes[set] = (sizes[set - bit] as number) + 1;
    }
  }
  return sums.map((sum, set) => sum / (sizes[set] as number)).slice(1);
}

function meansOfDrawnSets(centered: readonly number[], seed: number): Float64Array {
  const n = centered.length;
  const prng = createPrng(seed);
  const total = n * meanFrom(centered, 0);
  const means = new Float64Array(2 * FLIPS);
  for (let flip = 0; flip < FLIPS; flip++) {
    let [sum, size] = [0, 0];
    for (let from = 0; from < n; from += 32) {
      const signs = prng.u32();
      const to = from + 32 < n ? from + 32 : n;
      for (let i = from; i < to; i++) {
        if ((signs >>> (i - from)) & 1) continue;
        sum += centered[i] as number;
        size++;
      }
    }
    // The empty set has every sum, the full one too: neither end can lie beyond them.
    means[2 * flip] = size === 0 ? total / n : sum / size;
    means[2 * flip + 1] = size === n ? total / n : (total - sum) / (n - size);
  }
  return means;
}
