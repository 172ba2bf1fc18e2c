import type { Analysis, RunTrace } from '../../analysis/results.ts';

/** Readings of all runs as whole numbers: times in steps of `stepS`, powers in steps of `stepW`. */
export interface PackedTraces {
  readonly stepS: number;
  readonly stepW: number;
  /** Every n-th reading of a run is included; if n > 1, also the minimum and maximum of each stretch of n. */
  readonly every: number;
  /** Number of readings in the experiment, and of those included. */
  readonly readings: { readonly all: number; readonly kept: number };
  readonly names: readonly string[];
  readonly traces: readonly PackedTrace[];
}

interface PackedTrace {
  readonly run: number;
  /** Index in `names`. */
  readonly variant: number;
  readonly durationS: number;
  /** Times as second differences. */
  readonly t: readonly number[];
  /** Powers as differences. */
  readonly p: readonly number[];
  /** Distances of the stretch's minimum and maximum from `p`. */
  readonly below?: readonly number[];
  readonly above?: readonly number[];
  /** Moments of the processor use and its sums, as differences in steps of `stepS`; every n-th one. */
  readonly use?: readonly [tS: readonly number[], fullS: readonly number[]];
}

/** A trace in the page. */
export interface PageTrace extends RunTrace {
  /** Minimum and maximum of each reading's stretch; absent: all readings are included. */
  readonly lowW?: Float64Array;
  readonly highW?: Float64Array;
}

/** Digits of the largest power, and step of times in seconds: for complete readings, and for thinned ones, which are only drawn. */
const WHOLE = { digits: 6, stepS: 1e-6 };
const THINNED = { digits: 4, stepS: 1e-4 };

export function packTraces({ traces }: Analysis, every: number): PackedTraces {
  const { digits, stepS } = every === 1 ? WHOLE : THINNED;
  const stepW = stepOf(traces, digits);
  const names = [...new Set(traces.map((t) => t.variant))];
  const packed = traces.map((trace) => packTrace(trace, names.indexOf(trace.variant), every, { stepW, stepS }));
  const all = traces.reduce((sum, t) => sum + t.tS.length, 0);
  const kept = packed.reduce((sum, t) => sum + t.t.length, 0);
  return { stepS, stepW, every, readings: { all, kept }, names, traces: packed };
}

export function unpackTraces({ stepS, stepW, names, traces }: PackedTraces): PageTrace[] {
  const decimal = (step: number): ((steps: number) => number) => {
    const parts = Math.round(1 / step);
    return (steps) => steps / parts;
  };
  const watts = stepW < 1 ? decimal(stepW) : (steps: number) => steps * stepW;
  const seconds = decimal(stepS);
  return traces.map(({ run, variant, durationS, t, p, below, above, use }) => {
    const steps = summed(p);
    const extremes = (away: readonly number[], sign: 1 | -1): Float64Array =>
      Float64Array.from(away, (d, i) => watts(steps[i]! + sign * d));
    return {
      run,
      variant: names[variant]!,
      durationS,
      tS: Float64Array.from(summed(summed(t)), seconds),
      powerW: Float64Array.from(steps, watts),
      ...(below && above ? { lowW: extremes(below, -1), highW: extremes(above, 1) } : {}),
      ...(use && {
        use: { tS: Float64Array.from(summed(use[0]), seconds), fullS: Float64Array.from(summed(use[1]), seconds) },
      }),
    };
  });
}

function packTrace(
  trace: RunTrace,
  variant: number,
  every: number,
  { stepW, stepS }: { stepW: number; stepS: number },
): PackedTrace {
  const { run, durationS, tS, powerW } = trace;
  const times: number[] = [];
  const steps: number[] = [];
  const below: number[] = [];
  const above: number[] = [];
  const round = (w: number): number => Math.round(w / stepW);
  for (let from = 0; from < tS.length; from += every) {
    // The middle reading, so that it also represents the stretch in time.
    const stretch = powerW.subarray(from, from + every);
    const at = from + ((stretch.length - 1) >> 1);
    times.push(Math.round(tS[at]! / stepS));
    steps.push(round(powerW[at]!));
    below.push(round(powerW[at]!) - round(stretch.reduce((a, b) => Math.min(a, b))));
    above.push(round(stretch.reduce((a, b) => Math.max(a, b))) - round(powerW[at]!));
  }
  const packUse = (values: Float64Array): number[] =>
    differences(
      [...values].filter((_, i) => i % every === 0 || i === values.length - 1).map((s) => Math.round(s / stepS)),
    );
  const use = trace.use && ([packUse(trace.use.tS), packUse(trace.use.fullS)] as const);
  const kept = {
    run,
    variant,
    durationS,
    t: differences(differences(times)),
    p: differences(steps),
    ...(use && { use }),
  };
  return every === 1 ? kept : { ...kept, below, above };
}

/** The power of ten that all powers are multiples of, limited to this number of digits of the largest. */
function stepOf(traces: readonly RunTrace[], digits: number): number {
  let largest = 0;
  for (const { powerW } of traces) for (const w of powerW) largest = Math.max(largest, Math.abs(w));
  const least = Math.ceil(Math.log10(largest || 1)) - digits;
  for (let power = 0; power > least; power--) {
    const scale = 10 ** -power;
    if (traces.every(({ powerW }) => powerW.every((w) => Math.abs(w * scale - Math.round(w * scale)) < 1e-6))) {
      return 10 ** power;
    }
  }
  return 10 ** least;
}

function differences(values: readonly number[]): number[] {
  return values.map((value, i) => (i === 0 ? value : value - values[i - 1]!));
}

function summed(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}
