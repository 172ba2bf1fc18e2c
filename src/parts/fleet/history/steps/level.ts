/** One experiment of a line, for the step detection. */
export interface LevelPoint {
  /** Natural logarithm of the mean energy. */
  readonly logEnergy: number;
  /** Standard error of it within the experiment; null: not known. */
  readonly se: number | null;
}

/** A line made ready: outliers clipped to their surroundings, and its scatter described. */
export interface Prepared {
  readonly values: Float64Array;
  /** Weights: 1, or less for an experiment with a larger standard error. */
  readonly weights: Float64Array;
  /** Variance of a mean of m neighbors, times m: the larger, the longer neighbors keep together. Never falls with m. */
  varianceOfMean(m: number): number;
  /** Approximate number of independent stretches behind the variance. */
  readonly df: number;
}

/** Maximum deviation from the local median, in standard deviations; outliers are clipped to it. */
const CLIP = 3;
/** Neighbors on each side that make the surroundings: three outliers in a row move no median of seven. */
const REACH = 3;
/** Sizes of blocks. Longer ones would take levels of about thirty experiments, one after another all along a line, for scatter. */
const BLOCKS = [1, 2, 4, 6] as const;
/** The third and longer ones are at most this part of a line: of fewer differences a single step would be a large part. */
const LONGEST_BLOCK = 1 / 12;
const MIN_FOR_TWO = 16;

/**
 * Experiments of the same hour or day lie closer together than those of another, so that the scatter of single values says too little about means.
 * It is found for blocks of 1 to 6 neighbors from the differences of adjacent blocks, which a few steps touch in a few places only
 * (as in Wu and Zhao 2007, J. R. Statist. Soc. B 69, 391). At least 8 points.
 */
export function prepare(points: readonly LevelPoint[]): Prepared {
  const raw = Float64Array.from(points, ({ logEnergy }) => logEnergy);
  const values = clip(raw, Math.sqrt(varianceOfDifferences(raw, 1)));
  const longest = Math.max(points.length < MIN_FOR_TWO ? 1 : 2, points.length * LONGEST_BLOCK);
  const blocks = BLOCKS.filter((block) => block <= longest);
  let most = 0;
  const variances = blocks.map((block) => {
    most = Math.max(most, varianceOfDifferences(values, block));
    return most;
  });
  // A table, since it is read millions of times for a long line.
  const ofMean = Float64Array.from({ length: points.length + 1 }, (_, m) => at(blocks, variances, m));
  return {
    values,
    weights: computeWeights(points, variances[0]!),
    varianceOfMean: (m) => ofMean[m]!,
    df: Math.max(3, Math.floor(points.length / blocks.at(-1)!) - 2),
  };
}

/** Between the sizes of blocks in a straight line of the logarithm, so that no place of a step is favored by where they lie. */
function at(blocks: readonly number[], variances: readonly number[], m: number): number {
  const next = blocks.findIndex((block) => block >= m);
  if (next < 0) return variances.at(-1)!;
  if (next === 0) return variances[0]!;
  const [low, high] = [blocks[next - 1]!, blocks[next]!];
  const part = Math.log(m / low) / Math.log(high / low);
  return variances[next - 1]! + part * (variances[next]! - variances[next - 1]!);
}

function clip(x: Float64Array, sigma: number): Float64Array {
  return x.map((value, i) => {
    const center = computeMedian(x.slice(Math.max(0, i - REACH), i + REACH + 1));
    return Math.min(Math.max(value, center - CLIP * sigma), center + CLIP * sigma);
  });
}

/** What scatters beyond the middle standard error is the same for all; more certain than the middle counts no more. */
function computeWeights(points: readonly LevelPoint[], variance: number): Float64Array {
  const known = points.flatMap(({ se }) => (se === null ? [] : [se * se]));
  if (known.length === 0) return new Float64Array(points.length).fill(1);
  const middle = computeMedian(Float64Array.from(known));
  const whole = Math.max(variance, middle);
  return Float64Array.from(points, ({ se }) => {
    const beyond = se === null ? 0 : Math.max(0, se * se - middle);
    return whole > 0 ? whole / (whole + beyond) : 1;
  });
}

/** Robust standard deviations beyond which a difference is a step or outlier, and left out. */
const LIMIT = 3;
/** 1 / Φ⁻¹(¾): turns a median absolute deviation of normal values into their standard deviation. */
const MAD_TO_SD = 1.482602218505602;
/** E[z² | |z| ≤ 3] of a standard normal z. */
const KEPT_VARIANCE = 0.9733369246625415;

/**
 * Half the variance of the differences of the means of adjacent blocks of so many neighbors, times the size of a block: for independent
 * values, their variance. All overlapping places count. `x` needs 2 · block values at least.
 */
function varianceOfDifferences(x: Float64Array, block: number): number {
  const distances = new Float64Array(x.length - 2 * block + 1);
  let difference = 0;
  for (let i = 0; i < block; i++) difference += x[block + i]! - x[i]!;
  for (let t = 0; t < distances.length; t++) {
    distances[t] = Math.abs(difference) / block;
    if (t + 1 < distances.length) difference += x[t + 2 * block]! - 2 * x[t + block]! + x[t]!;
  }
  const limit = LIMIT * MAD_TO_SD * computeMedian(distances);
  let sum = 0;
  let kept = 0;
  for (const d of distances) {
    if (d > limit) continue;
    sum += d * d;
    kept += 1;
  }
  return ((sum / kept / KEPT_VARIANCE) * block) / 2;
}

function computeMedian(values: Float64Array): number {
  const sorted = values.slice().sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
