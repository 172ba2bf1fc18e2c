/** Differences beyond so many robust standard deviations are steps or outliers, and left out. */
const LIMIT = 3;
/** 1 / Φ⁻¹(¾): turns a median absolute deviation of normal values into their standard deviation. */
const MAD_TO_SD = 1.482602218505602;
/** E[z² | |z| ≤ 3] of a standard normal z. */
const KEPT_VARIANCE = 0.9733369246625415;

/**
 * Half the variance of the differences of the means of adjacent blocks of so many neighbours, times the size of a block: for independent
 * values, their variance. All overlapping places count. `x` needs 2 · block values at least.
 */
export function varianceOfDifferences(x: Float64Array, block: number): number {
  const distances = new Float64Array(x.length - 2 * block + 1);
  let difference = 0;
  for (let i = 0; i < block; i++) difference += x[block + i]! - x[i]!;
  for (let t = 0; t < distances.length; t++) {
    distances[t] = Math.abs(difference) / block;
    if (t + 1 < distances.length) difference += x[t + 2 * block]! - 2 * x[t + block]! + x[t]!;
  }
  const limit = LIMIT * MAD_TO_SD * medianOf(distances);
  let sum = 0;
  let kept = 0;
  for (const d of distances) {
    if (d > limit) continue;
    sum += d * d;
    kept += 1;
  }
  return ((sum / kept / KEPT_VARIANCE) * block) / 2;
}

export function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
