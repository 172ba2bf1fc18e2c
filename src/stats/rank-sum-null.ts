/** Exact null distributions of the Mann–Whitney U and of rank sums with ties. */

/**
 * P(U ≤ u) for u = 0 … floor(n·m/2), without ties: the counts are the Gaussian binomial coefficients of (n + m choose n), built by
 * one multiplication and one division a step.
 */
export function lowerTailOfU(n: number, m: number): Float64Array {
  const small = Math.min(n, m);
  const large = Math.max(n, m);
  const top = Math.floor((n * m) / 2);
  const counts = new Float64Array(top + 1);
  counts[0] = 1;
  for (let i = 1; i <= small; i++) {
    for (let u = top; u >= large + i; u--) counts[u]! -= counts[u - large - i] as number;
    for (let u = i; u <= top; u++) counts[u]! += counts[u - i] as number;
  }
  let total = 1;
  for (let i = 1; i <= small; i++) total *= (large + i) / i;
  let below = 0;
  return counts.map((count) => {
    below += count;
    return below / total;
  });
}

/**
 * P(|T − E| ≥ |t − E|) of the sum T of `size` of the given doubled midranks, all choices being equally likely: the exact conditional
 * p with ties. `sum` is the observed doubled sum.
 */
export function rankSumTwoSided(doubled: readonly number[], size: number, sum: number): number {
  const all = doubled.reduce((total, rank) => total + rank, 0);
  // The complement's sum is as extreme, so the smaller group is enough.
  if (size > doubled.length / 2) return rankSumTwoSided(doubled, doubled.length - size, all - sum);
  const expected = (size * all) / doubled.length;
  const distance = Math.abs(sum - expected) - 1e-6;
  let extreme = 0;
  let total = 0;
  rankSums(doubled, size).forEach((count, s) => {
    total += count;
    if (Math.abs(s - expected) >= distance) extreme += count;
  });
  return Math.min(1, extreme / total);
}

/** min(1, 2·min(P(T ≤ t), P(T ≥ t))) of the same sum. */
export function rankSumDoubledTail(doubled: readonly number[], size: number, sum: number): number {
  const all = doubled.reduce((total, rank) => total + rank, 0);
  if (size > doubled.length / 2) return rankSumDoubledTail(doubled, doubled.length - size, all - sum);
  let [below, above, total] = [0, 0, 0];
  rankSums(doubled, size).forEach((count, s) => {
    total += count;
    if (s <= sum) below += count;
    if (s >= sum) above += count;
  });
  return Math.min(1, (2 * Math.min(below, above)) / total);
}

/** In how many ways `size` of the given doubled midranks have each sum (dynamic programming; Streitberg and Röhmel 1986). */
function rankSums(doubled: readonly number[], size: number): Float64Array {
  const largest = [...doubled].sort((a, b) => b - a).slice(0, size);
  const top = largest.reduce((total, rank) => total + rank, 0);
  const rows = Array.from({ length: size + 1 }, () => new Float64Array(top + 1));
  rows[0]![0] = 1;
  let reached = 0;
  doubled.forEach((rank, used) => {
    reached = Math.min(top, reached + rank);
    for (let chosen = Math.min(size, used + 1); chosen >= 1; chosen--) {
      const to = rows[chosen] as Float64Array;
      const from = rows[chosen - 1] as Float64Array;
      for (let s = rank; s <= reached; s++) to[s]! += from[s - rank] as number;
    }
  });
  return rows[size] as Float64Array;
}
