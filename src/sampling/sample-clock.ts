import { AWAY_STEPS, PhaseFollower } from './phase-follower.ts';

/**
 * Who sets the times of the samples.
 * `meter`: it sends at its own even period, and a time stamp is an arrival with the host's jitter on it.
 * `host`: it is read when the host asks; time stamps are exact, and each sample holds for its own `durationS`, the time since the one before.
 */
export type SampleClockOwner = 'meter' | 'host';

/** Pause, in periods, beyond which a reading is missing; for sample clocks of the host. */
export const LONGEST_HOLD_PERIODS = 2.5;

/** What stretch of time each reading of one session and channel stands for. */
export interface SampleTimes {
  /** Seconds between readings: fitted where the meter sets the times, as planned where the host does. */
  readonly periodS: number;
  /** Seconds that each reading stands for. */
  readonly lengthS: Float64Array;
  /** 1: a reading is missing right before this one. */
  readonly missingBefore: Uint8Array;
  /** Standard deviation of the arrivals around the even clock, seconds: of the intervals around their mean where the host sets them. */
  readonly jitterS: number;
  /** Longest time between two readings, seconds. */
  readonly longestS: number;
}

/** The meter's own clock as seen from the host: arrival k is near originNs + k · periodNs. */
export interface SampleClock {
  /** Fitted seconds between readings. */
  readonly periodS: number;
  /** Standard deviation of the arrivals around the fit, seconds. */
  readonly residualS: number;
  /** Number of each reading on that clock; a missing reading is a missing number. */
  readonly index: Int32Array;
}

/** `tNs`: arrivals, nanoseconds. `nominalS`: nominal period, seconds. */
export function sampleTimes(owner: SampleClockOwner, tNs: Float64Array, nominalS: number): SampleTimes {
  return owner === 'meter' ? meterTimes(tNs, nominalS) : hostTimes(tNs, nominalS);
}

/** The meter sends at its own even period: every reading stands for one period, whenever it arrived. */
function meterTimes(tNs: Float64Array, nominalS: number): SampleTimes {
  const { periodS, residualS, index } = fitSampleClock(tNs, nominalS);
  const missingBefore = new Uint8Array(tNs.length);
  for (let i = 1; i < tNs.length; i++) {
    missingBefore[i] = (index[i] as number) - (index[i - 1] as number) === 1 ? 0 : 1;
  }
  const lengthS = new Float64Array(tNs.length).fill(periodS);
  return { periodS, lengthS, missingBefore, jitterS: residualS, longestS: longestInterval(tNs) };
}

/** The host asks: a reading holds for the time since the one before it (sample-and-hold), however uneven the questions were. */
function hostTimes(tNs: Float64Array, nominalS: number): SampleTimes {
  const lengthS = Float64Array.from(tNs, (t, i) => (i === 0 ? nominalS : (t - (tNs[i - 1] as number)) / 1e9));
  const missingBefore = Uint8Array.from(lengthS, (s) => (s > LONGEST_HOLD_PERIODS * nominalS ? 1 : 0));
  const intervals = lengthS.subarray(1);
  const mean = intervals.reduce((sum, s) => sum + s, 0) / intervals.length;
  const squares = intervals.reduce((sum, s) => sum + (s - mean) ** 2, 0);
  const jitterS = intervals.length < 2 ? 0 : Math.sqrt(squares / (intervals.length - 1));
  return { periodS: nominalS, lengthS, missingBefore, jitterS, longestS: longestInterval(tNs) };
}

function longestInterval(tNs: Float64Array): number {
  let longest = 0;
  for (let i = 1; i < tNs.length; i++) longest = Math.max(longest, (tNs[i] as number) - (tNs[i - 1] as number));
  return longest / 1e9;
}

/**
 * Fits t ≈ t0 + k·Δ by least squares, with k from following the phase (method reference: the de-jittered clock). After an
 * absence of the meter t0 is another one, with the same Δ.
 * Arrivals in ns and the nominal period in seconds; fewer than 3 readings give the nominal period.
 */
export function fitSampleClock(tNs: Float64Array, nominalS: number): SampleClock {
  const index = new Int32Array(tNs.length);
  const stretches: number[] = [0];
  const follower = new PhaseFollower(nominalS);
  follower.steps(tNs[0] ?? 0);
  for (let i = 1; i < tNs.length; i++) {
    const steps = follower.steps(tNs[i] as number);
    index[i] = (index[i - 1] as number) + steps;
    if (steps >= AWAY_STEPS) stretches.push(i);
  }
  const freedom = tNs.length - stretches.length - 1;
  if (freedom < 1) return { periodS: nominalS, residualS: 0, index };
  return { ...leastSquares(tNs, index, stretches, freedom), index };
}

/** Least squares with one common slope, and an offset of its own for each stretch. */
function leastSquares(
  tNs: Float64Array,
  index: Int32Array,
  stretches: readonly number[],
  freedom: number,
): { periodS: number; residualS: number } {
  let kk = 0;
  let kt = 0;
  let tt = 0;
  stretches.forEach((first, s) => {
    const end = stretches[s + 1] ?? tNs.length;
    const t0 = tNs[first] as number;
    const k0 = index[first] as number;
    let meanT = 0;
    let meanK = 0;
    for (let i = first; i < end; i++) {
      meanT += ((tNs[i] as number) - t0) / (end - first);
      meanK += ((index[i] as number) - k0) / (end - first);
    }
    for (let i = first; i < end; i++) {
      const k = (index[i] as number) - k0 - meanK;
      const t = (tNs[i] as number) - t0 - meanT;
      kk += k * k;
      kt += k * t;
      tt += t * t;
    }
  });
  const slope = kt / kk;
  return { periodS: slope / 1e9, residualS: Math.sqrt(Math.max(0, tt - slope * kt) / freedom) / 1e9 };
}
