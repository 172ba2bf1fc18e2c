/** Null distribution of the signed-rank statistic: every sign is a fair coin. */

/**
 * P(W⁺ ≤ w) for w = 0 … top of the sum of those of the given whole numbers whose coin shows heads. Exact by dynamic programming;
 * counts stay finite up to 1000 numbers.
 */
export function lowerTailOfSignedSum(weights: readonly number[], top: number): Float64Array {
  const counts = new Float64Array(top + 1);
  counts[0] = 1;
  let reached = 0;
  for (const weight of weights) {
    reached = Math.min(top, reached + weight);
    for (let s = reached; s >= weight; s--) counts[s]! += counts[s - weight] as number;
  }
  const total = 2 ** weights.length;
  let below = 0;
  return counts.map((count) => {
    below += count;
    return below / total;
  });
}
