import { type ProcessorUse, useSteps } from '../../../analysis/processor-use.ts';
import type { RunTrace } from '../../../analysis/results.ts';
import { median, quantileOfSorted } from '../../../stats/quantiles.ts';

/** Power of several runs on a common time grid. All arrays have the same length. */
export interface PowerBand {
  readonly tS: readonly number[];
  readonly medianW: readonly number[];
  /** 10 % and 90 % quantiles of the runs. */
  readonly lowW: readonly number[];
  readonly highW: readonly number[];
  /** Median processor use of the runs, percent; empty: not recorded. */
  readonly use: readonly number[];
  /** Number of runs with readings to draw. */
  readonly runs: number;
  readonly medianDurationS: number;
}

/**
 * Resamples runs of different lengths on a grid from 0 to their median duration. A reading is the mean power of
 * one sampling period around its time; only periods completely inside a run are used, since those across its edges include
 * idle. A grid point gets the nearest reading, unless it is more than three quarters of a period away.
 * Where fewer than half of the runs have a value, the band is NaN. `null` when fewer than two points can be drawn.
 */
export function powerBand(traces: readonly RunTrace[], samplingPeriodS: number | null, points = 240): PowerBand | null {
  const usable = traces.filter((t) => t.tS.length > 0 && t.durationS > 0);
  if (usable.length === 0) return null;
  const medianDurationS = median(usable.map((t) => t.durationS));
  const period = samplingPeriodS ?? medianPeriod(usable) ?? medianDurationS;
  const steps = Math.max(2, Math.min(points, Math.ceil((2 * medianDurationS) / period)));
  const readers = usable.map((trace) => wholeReadings(trace, period));
  const uses = usable.flatMap(({ use, durationS }) => (use ? [useReader(use, durationS)] : []));

  const band = { tS: [] as number[], medianW: [] as number[], lowW: [] as number[], highW: [] as number[] };
  const use: number[] = [];
  for (let i = 0; i <= steps; i++) {
    const t = i === steps ? medianDurationS : (medianDurationS * i) / steps;
    const values = readers.map((read) => read(t)).filter((w) => w !== null);
    values.sort((a, b) => a - b);
    const drawn = values.length >= usable.length / 2;
    const busy = uses.flatMap((read) => read(t) ?? []);
    if (uses.length > 0) use.push(busy.length >= usable.length / 2 ? median(busy) : Number.NaN);
    band.tS.push(t);
    band.medianW.push(drawn ? quantileOfSorted(values, 0.5) : Number.NaN);
    band.lowW.push(drawn ? quantileOfSorted(values, 0.1) : Number.NaN);
    band.highW.push(drawn ? quantileOfSorted(values, 0.9) : Number.NaN);
  }
  if (band.medianW.filter(Number.isFinite).length < 2) return null;
  return { ...band, use, runs: usable.length, medianDurationS };
}

/** Processor use in the stretch around a time, called with ascending times; undefined: the run was over. */
function useReader(use: ProcessorUse, durationS: number): (t: number) => number | undefined {
  const steps = useSteps(use);
  let i = 0;
  return (t) => {
    while (i + 1 < steps.length && steps[i]!.x < t) i++;
    return t > durationS ? undefined : steps[i]!.y;
  };
}

/** Power at a time, called with ascending times; null: no reading completely inside the run is near. */
function wholeReadings({ tS, powerW, durationS }: RunTrace, period: number): (t: number) => number | null {
  const whole = wholePlaces({ tS, durationS }, period);
  let k = 0;
  return (t) => {
    while (k + 1 < whole.length && Math.abs(tS[whole[k + 1]!]! - t) <= Math.abs(tS[whole[k]!]! - t)) k++;
    const nearest = whole[k];
    return nearest !== undefined && Math.abs(tS[nearest]! - t) <= 0.75 * period ? powerW[nearest]! : null;
  };
}

/** Indices of the readings whose period is completely inside the run. */
export function wholePlaces({ tS, durationS }: Pick<RunTrace, 'tS' | 'durationS'>, period: number): number[] {
  const margin = 0.48 * period;
  const places: number[] = [];
  for (let i = 0; i < tS.length; i++) if (tS[i]! >= margin && tS[i]! <= durationS - margin) places.push(i);
  return places;
}

/** The runs with only the readings completely inside them; runs without any are removed. */
export function wholeTraces(traces: readonly RunTrace[], samplingPeriodS: number | null): RunTrace[] {
  const period = samplingPeriodS ?? medianPeriod(traces) ?? 0;
  return traces.flatMap((trace) => {
    const places = wholePlaces(trace, period);
    if (places.length === 0) return [];
    const only = (values: Float64Array): Float64Array => Float64Array.from(places, (i) => values[i]!);
    return [{ ...trace, tS: only(trace.tS), powerW: only(trace.powerW) }];
  });
}

function medianPeriod(traces: readonly RunTrace[]): number | null {
  const gaps: number[] = [];
  for (const { tS } of traces) {
    for (let i = 1; i < tS.length; i++) gaps.push(tS[i]! - tS[i - 1]!);
  }
  return gaps.length === 0 ? null : median(gaps);
}
