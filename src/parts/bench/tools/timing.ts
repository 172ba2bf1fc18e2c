import type { ChannelInfo, Sample } from '../../../contracts/reading.ts';
import { fitSampleClock, sampleTimes } from '../../../sampling/sample-clock.ts';

/** Regularity of a channel's readings. */
export interface Timing {
  readonly readings: number;
  /** Seconds between two readings. */
  readonly periodS: number;
  readonly nominalPeriodS: number;
  /** Standard deviation of arrivals around the meter's regular clock, or of the intervals if the host polls. Seconds. */
  readonly jitterS: number;
  /** Deviations whose standard deviation is `jitterS`. */
  readonly deviationsS: readonly number[];
  /** Longest time between two readings, seconds. */
  readonly longestS: number;
}

/** Timing of at least two readings; null: fewer. */
export function computeTiming({ clock, samplingPeriodS }: ChannelInfo, samples: readonly Sample[]): Timing | null {
  const first = samples[0];
  if (first === undefined || samples.length < 2) return null;
  // Relative to the first reading: absolute nanoseconds since boot lose digits as doubles after 104 days.
  const tNs = Float64Array.from(samples, (sample) => Number(sample.tNs - first.tNs));
  const { periodS, jitterS, longestS } = sampleTimes(clock, tNs, samplingPeriodS);
  const meanS = (tNs.at(-1) as number) / 1e9 / (samples.length - 1);
  return {
    readings: samples.length,
    periodS: clock === 'meter' ? periodS : meanS,
    nominalPeriodS: samplingPeriodS,
    jitterS,
    deviationsS: clock === 'meter' ? aroundClock(tNs, samplingPeriodS) : aroundMean(tNs, meanS),
    longestS,
  };
}

function aroundClock(tNs: Float64Array, nominalS: number): number[] {
  const { periodS, index } = fitSampleClock(tNs, nominalS);
  const lateS = Array.from(tNs, (t, i) => t / 1e9 - (index[i] as number) * periodS);
  const mean = lateS.reduce((sum, s) => sum + s, 0) / lateS.length;
  return lateS.map((s) => s - mean);
}

function aroundMean(tNs: Float64Array, meanS: number): number[] {
  return Array.from(tNs.subarray(1), (t, i) => (t - (tNs[i] as number)) / 1e9 - meanS);
}

/**
 * The smallest step between two readings, watts; null: all are equal. It compares only powers that
 * occur several times: the mean power between two polls of a counter can have any value while the power changes.
 */
export function resolutionW(samples: readonly Sample[]): number | null {
  const counts = new Map<number, number>();
  for (const powerW of samples.flatMap(({ powerW: mean, readings }) => readings?.map(([, watts]) => watts) ?? mean)) {
    const microwatts = Math.round(powerW * 1e6);
    counts.set(microwatts, (counts.get(microwatts) ?? 0) + 1);
  }
  const all = [...counts.keys()];
  return smallestStep(all.filter((power) => (counts.get(power) ?? 0) > 1)) ?? smallestStep(all);
}

function smallestStep(microwatts: readonly number[]): number | null {
  const powers = microwatts.toSorted((a, b) => a - b);
  const steps = powers.slice(1).map((power, i) => power - (powers[i] as number));
  return steps.length === 0 ? null : Math.min(...steps) / 1e6;
}

export interface HistogramRow {
  readonly fromS: number;
  readonly toS: number;
  readonly count: number;
}

const ROUND_STEPS = [1, 2, 5];

/** Histogram with at most `mostRows` ranges of a round width; empty without values. */
export function histogram(valuesS: readonly number[], mostRows = 11): HistogramRow[] {
  if (valuesS.length === 0) return [];
  const least = Math.min(...valuesS);
  const largest = Math.max(...valuesS);
  const widthS = roundWidth(least, largest, mostRows);
  const first = Math.floor(least / widthS);
  const counts = Array.from({ length: Math.floor(largest / widthS) - first + 1 }, () => 0);
  for (const value of valuesS) {
    const row = Math.floor(value / widthS) - first;
    counts[row] = (counts[row] ?? 0) + 1;
  }
  return counts.map((count, row) => ({ fromS: (first + row) * widthS, toS: (first + row + 1) * widthS, count }));
}

/** The smallest of 0.1, 0.2, 0.5, 1, … ms that needs no more rows. */
function roundWidth(least: number, largest: number, mostRows: number): number {
  for (let power = -4; ; power++) {
    for (const step of ROUND_STEPS) {
      const width = step * 10 ** power;
      if (Math.floor(largest / width) - Math.floor(least / width) < mostRows) return width;
    }
  }
}
