import type { Analysis, RunTrace } from '../../analysis/findings.ts';

/** Readings of all runs as whole numbers: times in microseconds, powers in steps of `stepW`. */
export interface PackedTraces {
  readonly stepW: number;
  /** Every so many-th reading of a run is here; with more than 1, the least and the greatest of each such stretch beside it. */
  readonly every: number;
  /** Of the experiment, and here. */
  readonly readings: { readonly all: number; readonly kept: number };
  readonly names: readonly string[];
  readonly traces: readonly PackedTrace[];
}

interface PackedTrace {
  readonly run: number;
  /** Place in `names`. */
  readonly variant: number;
  readonly durationS: number;
  /** Second differences. */
  readonly t: readonly number[];
  /** Differences. */
  readonly p: readonly number[];
  /** How far the least and the greatest of the stretch are away from `p`. */
  readonly below?: readonly number[];
  readonly above?: readonly number[];
}

/** A trace as the page has it. */
export interface PageTrace extends RunTrace {
  /** Of each reading's stretch; absent: every reading is here. */
  readonly lowW?: Float64Array;
  readonly highW?: Float64Array;
}

const SECOND = 1e6;
const DIGITS = 6;

export function packTraces({ traces }: Analysis, every: number): PackedTraces {
  const stepW = stepOf(traces);
  const names = [...new Set(traces.map((t) => t.variant))];
  const packed = traces.map((trace) => packTrace(trace, names.indexOf(trace.variant), every, stepW));
  const all = traces.reduce((sum, t) => sum + t.tS.length, 0);
  const kept = packed.reduce((sum, t) => sum + t.t.length, 0);
  return { stepW, every, readings: { all, kept }, names, traces: packed };
}

export function unpackTraces({ stepW, names, traces }: PackedTraces): PageTrace[] {
  const decimals = Math.max(0, Math.round(-Math.log10(stepW)));
  const watts = (steps: number): number => Number((steps * stepW).toFixed(decimals));
  return traces.map(({ run, variant, durationS, t, p, below, above }) => {
    const steps = summed(p);
    const beside = (away: readonly number[], sign: 1 | -1): Float64Array =>
      Float64Array.from(away, (d, i) => watts(steps[i]! + sign * d));
    return {
      run,
      variant: names[variant]!,
      durationS,
      tS: Float64Array.from(summed(summed(t)), (us) => us / SECOND),
      powerW: Float64Array.from(steps, watts),
      ...(below && above ? { lowW: beside(below, -1), highW: beside(above, 1) } : {}),
    };
  });
}

function packTrace(trace: RunTrace, variant: number, every: number, stepW: number): PackedTrace {
  const { run, durationS, tS, powerW } = trace;
  const us: number[] = [];
  const steps: number[] = [];
  const below: number[] = [];
  const above: number[] = [];
  const round = (w: number): number => Math.round(w / stepW);
  for (let from = 0; from < tS.length; from += every) {
    // The middle one, so that it stands for its stretch in time too.
    const stretch = powerW.subarray(from, from + every);
    const at = from + ((stretch.length - 1) >> 1);
    us.push(Math.round(tS[at]! * SECOND));
    steps.push(round(powerW[at]!));
    below.push(round(powerW[at]!) - round(stretch.reduce((a, b) => Math.min(a, b))));
    above.push(round(stretch.reduce((a, b) => Math.max(a, b))) - round(powerW[at]!));
  }
  const kept = { run, variant, durationS, t: differences(differences(us)), p: differences(steps) };
  return every === 1 ? kept : { ...kept, below, above };
}

/** The power of ten that all powers are multiples of, but not more than six digits of the largest. */
function stepOf(traces: readonly RunTrace[]): number {
  let largest = 0;
  for (const { powerW } of traces) for (const w of powerW) largest = Math.max(largest, Math.abs(w));
  const least = Math.ceil(Math.log10(largest || 1)) - DIGITS;
  for (let power = 0; power > least; power--) {
    const scale = 10 ** -power;
    if (traces.every(({ powerW }) => powerW.every((w) => Math.abs(w * scale - Math.round(w * scale)) < 1e-6))) {
      return 10 ** power;
    }
  }
  return 10 ** Math.min(least, 0);
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
