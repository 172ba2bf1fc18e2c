import { LONGEST_HOLD_PERIODS } from '../meters/meter.ts';
import type { SampleColumns } from '../store/records.ts';
import type { SampleTimes } from './sample-clock.ts';

/** Moments of a run or an idle stretch, nanoseconds after the session's origin. */
export interface IdleStretch {
  readonly fromNs: number;
  readonly toNs: number;
}

export interface RunMoments {
  readonly startNs: number;
  readonly endNs: number;
  readonly guardEndNs: number;
  /** Idle between preparation and the window. */
  readonly before: IdleStretch;
  /** The next idle stretch of the same session; null: there was none. */
  readonly after: IdleStretch | null;
}

export interface RunEnergy {
  /** Gross energy over the window, joules. */
  readonly energyJ: number;
  /** Above idle. */
  readonly netEnergyJ: number | null;
  readonly idlePowerW: number | null;
  readonly samples: number;
}

/** Why a run has no energy: a sentence without its end. */
export interface NoEnergy {
  readonly problem: string;
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
  // Readings stamped before the window hold nothing of it, so those that may still show the preparation can be left out.
  const fromNs = Math.min(startNs, Math.max(startNs - guardNs, run.before.fromNs + guardNs + periodNs));
  const toNs = Math.min(endNs + guardNs + periodNs, run.guardEndNs);
  const first = firstAfter(columns.tNs, fromNs);
  const last = firstAfter(columns.tNs, toNs) - 1;
  const n = last - first + 1;
  if (n < 2) return { problem: 'there are no readings between its guards' };
  if (isMissing(columns, times, { first, last, fromNs, toNs })) {
    return { problem: 'a reading is missing between its guards' };
  }
  const idle = idlePower(run, (stretch) => guardIdle(columns, stretch, guardNs, periodNs));
  if (idle === null) return { problem: 'there are no readings of idle around it' };
  let above = 0;
  for (let i = first; i <= last; i++) {
    above += ((columns.powerW[i] as number) - idle) * (times.lengthS[i] as number);
  }
  return { energyJ: above + (idle * (endNs - startNs)) / 1e9, netEnergyJ: above, idlePowerW: idle, samples: n };
}

/** A gap between two readings, or from a guard's outer end to the reading next to it. */
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

/** Parts of a window that no reading of a counter covers, beyond this share, leave its energy unknown. */
const UNCOVERED = 1e-3;

/**
 * Energy of a run on a counter that was read at the window's very edges: the sum over the stretches inside the window.
 * A stretch that reaches over an edge (some microseconds) counts with the part inside.
 */
export function counterEnergy(columns: SampleColumns, run: RunMoments): RunEnergy | NoEnergy {
  const { startNs, endNs } = run;
  const inside = overlap(columns, { fromNs: startNs, toNs: endNs });
  const lengthS = (endNs - startNs) / 1e9;
  if (inside.samples === 0 || Math.abs(inside.coveredS - lengthS) > UNCOVERED * lengthS + 1e-3) {
    return { problem: 'readings are missing in its window' };
  }
  const idle = idlePower(run, (stretch) => {
    const { energyJ, coveredS, samples } = overlap(columns, stretch);
    return samples > 0 && coveredS > 0 ? energyJ / coveredS : null;
  });
  const netEnergyJ = idle === null ? null : inside.energyJ - idle * lengthS;
  return { energyJ: inside.energyJ, netEnergyJ, idlePowerW: idle, samples: inside.samples };
}

/** Mean of idle before and after; each has the same weight, so that a slow drift cancels. */
function idlePower(run: RunMoments, mean: (stretch: IdleStretch) => number | null): number | null {
  const before = mean(run.before);
  const after = run.after && mean(run.after);
  if (before === null || after === null) return before ?? after;
  return (before + after) / 2;
}

/** Readings of idle outside the guards; where a rest is hardly longer than the guard, those inside it that precede the window. */
function guardIdle(columns: SampleColumns, stretch: IdleStretch, guardNs: number, periodNs: number): number | null {
  const outside = meanBetween(columns, stretch.fromNs + guardNs + periodNs, stretch.toNs - guardNs);
  if (outside.n >= 3) return outside.mean;
  const settled = meanBetween(columns, Math.max(stretch.fromNs + periodNs, stretch.toNs - guardNs), stretch.toNs);
  return settled.n > 0 ? settled.mean : null;
}

function meanBetween(columns: SampleColumns, fromNs: number, toNs: number): { n: number; mean: number } {
  const first = firstAfter(columns.tNs, fromNs);
  const end = firstAfter(columns.tNs, toNs);
  let sum = 0;
  for (let i = first; i < end; i++) sum += columns.powerW[i] as number;
  return { n: Math.max(0, end - first), mean: sum / (end - first) };
}

function overlap(
  columns: SampleColumns,
  { fromNs, toNs }: IdleStretch,
): { energyJ: number; coveredS: number; samples: number } {
  let energyJ = 0;
  let coveredS = 0;
  let samples = 0;
  for (let i = firstAfter(columns.tNs, fromNs); i < columns.tNs.length; i++) {
    const endNs = columns.tNs[i] as number;
    const startNs = endNs - (columns.durationS[i] as number) * 1e9;
    if (startNs >= toNs) break;
    const s = (Math.min(endNs, toNs) - Math.max(startNs, fromNs)) / 1e9;
    if (s <= 0) continue;
    energyJ += (columns.powerW[i] as number) * s;
    coveredS += s;
    samples++;
  }
  return { energyJ, coveredS, samples };
}

/** Index of the first reading later than the moment. */
export function firstAfter(tNs: Float64Array, momentNs: number): number {
  let low = 0;
  let high = tNs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tNs[middle] as number) > momentNs) high = middle;
    else low = middle + 1;
  }
  return low;
}
