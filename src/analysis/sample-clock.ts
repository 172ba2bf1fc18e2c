/** The meter's own clock as seen from the host: arrival k is near originNs + k · periodNs. */
export interface SampleClock {
  /** Fitted seconds between readings. */
  readonly periodS: number;
  /** Standard deviation of the arrivals around the fit, seconds. */
  readonly residualS: number;
  /** Number of each reading on that clock; a missing reading is a missing number. */
  readonly index: Int32Array;
}

/** Part of a residual that moves the followed phase: slow enough for a late arrival, quick enough for a clock 0.5 % off. */
const FOLLOW = 0.2;

/**
 * Fits t ≈ t0 + k·Δ by least squares, with k from following the phase (method reference: the de-jittered clock).
 * Arrivals in ns and the nominal period in seconds; fewer than 3 readings give the nominal period.
 */
export function fitSampleClock(tNs: Float64Array, nominalS: number): SampleClock {
  const nominalNs = nominalS * 1e9;
  const index = new Int32Array(tNs.length);
  let phase = tNs[0] ?? 0;
  for (let i = 1; i < tNs.length; i++) {
    const t = tNs[i] as number;
    const steps = Math.max(1, Math.round((t - phase) / nominalNs));
    index[i] = (index[i - 1] as number) + steps;
    phase += steps * nominalNs;
    phase += FOLLOW * (t - phase);
  }
  if (tNs.length < 3) return { periodS: nominalS, residualS: 0, index };
  return { ...leastSquares(tNs, index), index };
}

function leastSquares(tNs: Float64Array, index: Int32Array): { periodS: number; residualS: number } {
  const n = tNs.length;
  const t0 = tNs[0] as number;
  let meanT = 0;
  let meanK = 0;
  for (let i = 0; i < n; i++) {
    meanT += ((tNs[i] as number) - t0) / n;
    meanK += (index[i] as number) / n;
  }
  let kk = 0;
  let kt = 0;
  let tt = 0;
  for (let i = 0; i < n; i++) {
    const k = (index[i] as number) - meanK;
    const t = (tNs[i] as number) - t0 - meanT;
    kk += k * k;
    kt += k * t;
    tt += t * t;
  }
  const slope = kt / kk;
  return { periodS: slope / 1e9, residualS: Math.sqrt(Math.max(0, tt - slope * kt) / (n - 2)) / 1e9 };
}
