import type { RunReason } from '../findings/run-reason.ts';
import { LONGEST_HOLD_PERIODS, type SampleTimes } from '../sampling/sample-clock.ts';
import type { SampleColumns } from '../store/records.ts';
import { firstAfter, guardIdle, type IdleLevel, type IdleReadings, type IdleStretch, idleLevel } from './idle.ts';

/** Times of a run, nanoseconds after the session's origin. */
export interface RunMoments {
  readonly startNs: number;
  readonly endNs: number;
  readonly guardEndNs: number;
  /** Idle period between preparation and the window. */
  readonly before: IdleStretch;
  /** The next idle period of the same session; null: there was none. */
  readonly after: IdleStretch | null;
}

export interface RunEnergy {
  /** Gross energy over the window, joules. */
  readonly energyJ: number;
  /** Energy above idle, joules. */
  readonly netEnergyJ: number | null;
  readonly idle: IdleLevel | null;
  readonly samples: number;
  /** T: total time of the summed readings, window and guards; seconds. */
  readonly summedS: number;
  /** Standard deviation between successive readings in the window, watts; near 0 for a constant power, whose rounding error is always the same. */
  readonly scatterW: number;
  /** Error bound of a constant load's energy, joules: a counter's readings don't coincide with the window's edges. Absent: it is no counter. */
  readonly sharedJ?: number;
}

/** Why a run has no energy. */
export interface NoEnergy {
  readonly problem: RunReason;
}

/**
 * Energy of a run on a meter that averages and reports late: guard blocks. All readings from guard to guard are summed, each
 * over the time that it stands for, and idle is taken off for the time outside the window:
 *   T = Σ t,   E_above = Σ P·t − P_idle·T,   E = E_above + P_idle·L
 * Where the meter sets the times this is exact for any phase of the readings and any latency shorter than the guard, as long
 * as idle is steady. A polled meter adds that an edge is seen up to a poll late: without bias, since both edges are.
 */
export function guardEnergy(
  columns: SampleColumns,
  times: SampleTimes,
  run: RunMoments,
  guardNs: number,
): RunEnergy | NoEnergy {
  const periodNs = times.periodS * 1e9;
  const { startNs, endNs } = run;
  const { first, last, fromNs, toNs } = guardReadings(columns, times, run, guardNs);
  const n = last - first + 1;
  if (n < 2) return { problem: { kind: 'no-readings-between-guards' } };
  if (isMissing(columns, times, { first, last, fromNs, toNs })) {
    return { problem: { kind: 'missing-reading-between-guards' } };
  }
  const idleOf = (stretch: IdleStretch) => guardIdle(columns, stretch, guardNs, periodNs);
  const idle = idleLevel(idleOf(run.before), run.after && idleOf(run.after));
  if (idle === null) return { problem: { kind: 'no-idle-readings' } };
  let above = 0;
  let summedS = 0;
  for (let i = first; i <= last; i++) {
    const lengthS = times.lengthS[i] as number;
    above += ((columns.powerW[i] as number) - idle.powerW) * lengthS;
    summedS += lengthS;
  }
  const energyJ = above + (idle.powerW * (endNs - startNs)) / 1e9;
  const scatterW = scatter(columns.powerW.subarray(firstAfter(columns.tNs, startNs), firstAfter(columns.tNs, endNs)));
  return { energyJ, netEnergyJ: above, idle, samples: n, summedS, scatterW };
}

/** The first and last reading between the guards, with the times that they cover. */
export function guardReadings(
  { tNs }: SampleColumns,
  { periodS }: SampleTimes,
  run: RunMoments,
  guardNs: number,
): { first: number; last: number; fromNs: number; toNs: number } {
  const periodNs = periodS * 1e9;
  const { startNs, endNs } = run;
  // Readings stamped before the window contain nothing of it, so those that may still show the preparation are left out.
  const fromNs = Math.min(startNs, Math.max(startNs - guardNs, run.before.fromNs + guardNs + periodNs));
  const toNs = Math.min(endNs + guardNs + periodNs, run.guardEndNs);
  return { first: firstAfter(tNs, fromNs), last: firstAfter(tNs, toNs) - 1, fromNs, toNs };
}

/** Whether a reading is missing: between two readings, or between a guard's outer end and the nearest reading. */
function isMissing(
  { tNs }: SampleColumns,
  { missingBefore, periodS }: SampleTimes,
  { first, last, fromNs, toNs }: { first: number; last: number; fromNs: number; toNs: number },
): boolean {
  const longestNs = LONGEST_HOLD_PERIODS * periodS * 1e9;
  if ((tNs[first] as number) - fromNs > longestNs || toNs - (tNs[last] as number) > longestNs) return true;
  for (let i = first + 1; i <= last; i++) if (missingBefore[i] === 1) return true;
  return false;
}

/** Maximum share of a window without readings of a counter; beyond it the energy is unknown. */
const UNCOVERED = 1e-3;

/**
 * Energy of a run from a counter read at the window's edges: the sum of its readings inside the window. A reading across an edge counts
 * in proportion. It covers only microseconds, unless the edge was noticed late.
 */
export function counterEnergy(columns: SampleColumns, run: RunMoments): RunEnergy | NoEnergy {
  const { startNs, endNs } = run;
  const inside = overlap(columns, { fromNs: startNs, toNs: endNs });
  const lengthS = (endNs - startNs) / 1e9;
  if (inside.samples === 0 || Math.abs(inside.coveredS - lengthS) > UNCOVERED * lengthS + 1e-3) {
    return { problem: { kind: 'missing-readings-in-window' } };
  }
  const idleOf = (stretch: IdleStretch): IdleReadings | null => {
    const { energyJ, coveredS, samples, watts } = overlap(columns, stretch);
    return samples > 0 && coveredS > 0 ? { meanW: energyJ / coveredS, watts } : null;
  };
  const idle = idleLevel(idleOf(run.before), run.after && idleOf(run.after));
  const netEnergyJ = idle && inside.energyJ - idle.powerW * lengthS;
  const scatterW = scatter(inside.watts);
  const aboveW = Math.abs(netEnergyJ ?? inside.energyJ) / lengthS;
  const sharedJ = [startNs, endNs].reduce((sum, edgeNs) => sum + aboveW * sharedS(columns, edgeNs), 0);
  return { energyJ: inside.energyJ, netEnergyJ, idle, samples: inside.samples, summedS: lengthS, scatterW, sharedJ };
}

/**
 * Error of dividing a reading across an edge in proportion: with a seconds before the edge, b after it, idle on one side and load
 * on the other, a·b/(a + b) seconds of load are attributed to the wrong side.
 */
function sharedS({ tNs, durationS }: SampleColumns, edgeNs: number): number {
  const i = firstAfter(tNs, edgeNs);
  const wholeS = durationS[i];
  if (wholeS === undefined) return 0;
  const afterS = ((tNs[i] as number) - edgeNs) / 1e9;
  const beforeS = wholeS - afterS;
  return beforeS <= 0 || afterS <= 0 ? 0 : (beforeS * afterS) / wholeS;
}

/** Share of the differences left out as largest: they are steps between idle, load and phases, which don't dither the rounding. */
const STEPS = { share: 0.1, least: 3 };

function scatter(watts: Float64Array): number {
  const squares = watts.subarray(1).map((w, i) => (w - (watts[i] as number)) ** 2);
  const steps = Math.max(STEPS.least, Math.ceil(STEPS.share * squares.length));
  const few = squares.sort().subarray(0, Math.max(0, squares.length - steps));
  return few.length === 0 ? 0 : Math.sqrt(few.reduce((sum, square) => sum + square, 0) / few.length / 2);
}

function overlap(
  columns: SampleColumns,
  { fromNs, toNs }: IdleStretch,
): { energyJ: number; coveredS: number; samples: number; watts: Float64Array } {
  let energyJ = 0;
  let coveredS = 0;
  const watts: number[] = [];
  for (let i = firstAfter(columns.tNs, fromNs); i < columns.tNs.length; i++) {
    const endNs = columns.tNs[i] as number;
    const startNs = endNs - (columns.durationS[i] as number) * 1e9;
    if (startNs >= toNs) break;
    const s = (Math.min(endNs, toNs) - Math.max(startNs, fromNs)) / 1e9;
    if (s <= 0) continue;
    energyJ += (columns.powerW[i] as number) * s;
    coveredS += s;
    watts.push(columns.powerW[i] as number);
  }
  return { energyJ, coveredS, samples: watts.length, watts: Float64Array.from(watts) };
}
