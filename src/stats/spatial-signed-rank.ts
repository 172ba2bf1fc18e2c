import { chiSquaredTail } from './gamma.ts';
import { createPrng } from './prng.ts';
import { FLIPS, MAX_ENUMERATED } from './sign-flip.ts';

type Vector = readonly number[];

export interface SpatialSignedRank {
  /** |Σ Q|²: the squared length of the sum of the signed ranks. */
  readonly t: number;
  readonly p: number;
  readonly method: 'exact' | 'sampled' | 'asymptotic';
}

/** Vectors shorter than this count as zero, so that rounding of a logarithm decides no direction. */
const MIN_LENGTH = 1e-9;
/** Maximum number of vectors for drawing sign flips; above it their distribution is approximated, since drawing takes seconds. */
const MAX_FLIPPED = 200;

/**
 * Whether vectors scatter around zero: the spatial signed-rank test (Möttönen and Oja 1995). The signed rank of a vector is the mean of the
 * directions to it from all others and from their mirror images; p is how often random signs of the vectors give so long a sum: all signs up to 14
 * vectors, 9,999 seeded draws up to 200, else a scaled chi-squared with the mean and variance of the flips (Box 1954). Rotating the vectors changes nothing. In one dimension it is
 * the signed-rank test with ranks less a half. Null for no vectors, or where all are zero.
 */
export function spatialSignedRank(vectors: readonly Vector[], seed: number): SpatialSignedRank | null {
  const ranks = signedRanks(vectors);
  const size = ranks.reduce((sum, rank) => sum + dot(rank, rank), 0);
  if (!(size > 0)) return null;
  const signedSquaredLength = squaredLength(ranks);
  const t = signedSquaredLength(() => 1);
  // Sums of the same terms in another order may differ in their last bits and still be ties.
  const observed = t - 1e-10 * size;
  const n = ranks.length;
  if (n <= MAX_ENUMERATED) return { t, p: enumerated(n, signedSquaredLength, observed), method: 'exact' };
  if (n <= MAX_FLIPPED) return { t, p: sampled(n, signedSquaredLength, observed, seed), method: 'sampled' };
  return { t, p: approximated(ranks, t, size), method: 'asymptotic' };
}

function signedRanks(vectors: readonly Vector[]): number[][] {
  const n = vectors.length;
  return vectors.map((x) => {
    const rank = new Array<number>(x.length).fill(0);
    for (const other of vectors) {
      addDirection(rank, x, other, -1);
      addDirection(rank, x, other, 1);
    }
    return rank.map((value) => value / (2 * n));
  });
}

/** Adds the direction of x + sign · y. */
function addDirection(sum: number[], x: Vector, y: Vector, sign: number): void {
  let squared = 0;
  for (let i = 0; i < x.length; i++) squared += ((x[i] as number) + sign * (y[i] as number)) ** 2;
  const length = Math.sqrt(squared);
  if (length < MIN_LENGTH) return;
  for (let i = 0; i < x.length; i++)
    sum[i] = (sum[i] as number) + ((x[i] as number) + sign * (y[i] as number)) / length;
}

function dot(a: Vector, b: Vector): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
}

type SquaredLength = (sign: (i: number) => number) => number;

/** |Σ sᵢ Qᵢ|², for any signs. */
function squaredLength(ranks: readonly Vector[]): SquaredLength {
  const dimensions = ranks[0]?.length ?? 0;
  const flat = Float64Array.from(ranks.flat());
  const sum = new Float64Array(dimensions);
  return (sign) => {
    sum.fill(0);
    for (let i = 0, at = 0; i < ranks.length; i++) {
      const s = sign(i);
      for (let k = 0; k < dimensions; k++, at++) sum[k] = (sum[k] as number) + s * (flat[at] as number);
    }
    let total = 0;
    for (let k = 0; k < dimensions; k++) total += (sum[k] as number) ** 2;
    return total;
  };
}

/** All signs at once turn the sum around and change no length: half of them are all. */
function enumerated(n: number, signedSquaredLength: SquaredLength, observed: number): number {
  const all = 2 ** (n - 1);
  let extreme = 0;
  for (let signs = 0; signs < all; signs++) {
    if (signedSquaredLength((i) => ((signs >>> i) & 1 ? -1 : 1)) >= observed) extreme++;
  }
  return extreme / all;
}

function sampled(n: number, signedSquaredLength: SquaredLength, observed: number, seed: number): number {
  const prng = createPrng(seed);
  const bits = new Uint32Array(Math.ceil(n / 32));
  const sign = (i: number): number => (((bits[i >>> 5] as number) >>> (i & 31)) & 1 ? -1 : 1);
  let extreme = 0;
  for (let flip = 0; flip < FLIPS; flip++) {
    for (let k = 0; k < bits.length; k++) bits[k] = prng.u32();
    if (signedSquaredLength(sign) >= observed) extreme++;
  }
  return (1 + extreme) / (FLIPS + 1);
}

/** The flips have the mean Σ Gᵢᵢ and the variance 2 Σ Gᵢⱼ² over i ≠ j, where G holds the products of the ranks. */
function approximated(ranks: readonly Vector[], t: number, mean: number): number {
  let variance = 0;
  for (const [i, a] of ranks.entries()) {
    for (let j = 0; j < i; j++) variance += 4 * dot(a, ranks[j] as Vector) ** 2;
  }
  if (variance === 0) return 1;
  return chiSquaredTail((2 * mean * t) / variance, (2 * mean ** 2) / variance);
}
