import type { Sample } from '../../../contracts/reading.ts';

/** A stretch in which the machine was kept idle or busy; CLOCK_MONOTONIC. */
export interface Phase {
  readonly busy: boolean;
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Share of its time that the machine worked, 0 to 1, while the meter settled and after it; null: not known. */
  readonly share: { readonly settling: number | null; readonly level: number | null };
}

/** A machine that works so much while it should rest, or so little while it should work, is disturbed by something else. */
const QUIET = { idle: 0.1, busy: 0.9 };

/** Did this share of work fit the phase? Yes where it is not known. */
export function isQuiet(busy: boolean, share: number | null): boolean {
  return share === null || (busy ? share >= QUIET.busy : share <= QUIET.idle);
}

export interface StepSettings {
  /** Readings that arrive so long after a step are of the new level, seconds. */
  readonly settleS: number;
  /** Seconds between readings. */
  readonly periodS: number;
}

/** Power while nothing changes. */
export interface Level {
  readonly meanW: number;
  readonly sdW: number;
  /** Standard deviation from one new reading to the next, over √2: without what is slow. */
  readonly fluctuationW: number;
  /** Readings that are new: one that repeats the one before it may be the same value, read twice. */
  readonly readings: number;
}

/** A change from idle to busy or back. */
export interface Edge {
  readonly toBusy: boolean;
  /** Nothing else disturbed it. */
  readonly quiet: boolean;
  /** From the step until the meter's readings show it, as a shift of the whole response in time, seconds; null: not known. */
  readonly latencyS: number | null;
  /** Guard that holds every reading that is touched by this step, seconds; null: not known. */
  readonly guardS: number | null;
}

export interface Step {
  readonly idleW: number;
  readonly busyW: number;
  /** busy minus idle, watts; idle is the mean of before and after. */
  readonly stepW: number;
  /** Is the change larger than what the power does by itself? */
  readonly seen: boolean;
  /** Nothing else disturbed it. */
  readonly quiet: boolean;
}

export interface StepResult {
  readonly steps: readonly Step[];
  readonly edges: readonly Edge[];
  readonly idleSdW: number;
}

/** So many standard errors can't be chance; and processors move the power of their machine by more than this share of it. */
const STANDARD_ERRORS = 5;
const MIN_SHARE = 0.01;
/** A reading has reached its level when no more than this share of the step is missing, or noise; but never more than `mostShare`. */
const SETTLED_SHARE = 0.05;
const SETTLED_SD = 4;
const MAX_SHARE = 0.15;

/**
 * Levels, steps and latencies from phases that alternate idle, busy, idle, … and the readings over them (method reference: the
 * step test). Phases without two readings of their level give no step.
 */
export function analyzeSteps(phases: readonly Phase[], samples: readonly Sample[], settings: StepSettings): StepResult {
  const levels = phases.map((phase) => levelOf(phase, samples, settings));
  const steps: Step[] = [];
  const edges: Edge[] = [];
  const idleSdW = pooledSd(levels.filter((_, i) => phases[i]?.busy === false));
  for (const [i, phase] of phases.entries()) {
    const [before, level, after] = [levels[i - 1], levels[i], levels[i + 1]];
    const isQuietAt = (at: number) => isQuiet(phases[at]?.busy ?? false, phases[at]?.share.level ?? null);
    const edgeQuiet = isQuietAt(i - 1) && isQuietAt(i) && isQuiet(phase.busy, phase.share.settling);
    if (before && level && after && phase.busy) {
      steps.push({ ...stepOf(before, level, after), quiet: isQuietAt(i - 1) && isQuietAt(i) && isQuietAt(i + 1) });
    }
    if (before && level && isSeen(level.meanW - before.meanW, [before, level])) {
      edges.push({ ...edgeOf(phase, before, level, samples, settings), toBusy: phase.busy, quiet: edgeQuiet });
    }
  }
  return { steps, edges, idleSdW };
}

function levelOf({ startNs, endNs }: Phase, samples: readonly Sample[], { settleS }: StepSettings): Level | null {
  const fromNs = startNs + nanoseconds(settleS);
  const powers = samples.filter(({ tNs }) => tNs > fromNs && tNs <= endNs).map(({ powerW }) => powerW);
  if (powers.length < 2) return null;
  const meanW = powers.reduce((sum, w) => sum + w, 0) / powers.length;
  const squares = powers.reduce((sum, w) => sum + (w - meanW) ** 2, 0);
  const changesW = powers.map((w, i) => w - (powers[i - 1] ?? w)).filter((change) => change !== 0);
  return {
    meanW,
    sdW: Math.sqrt(squares / (powers.length - 1)),
    fluctuationW: Math.sqrt(changesW.reduce((sum, w) => sum + w ** 2, 0) / (2 * Math.max(1, changesW.length))),
    readings: Math.max(2, changesW.length + 1),
  };
}

function stepOf(before: Level, busy: Level, after: Level): Omit<Step, 'quiet'> {
  const idleW = (before.meanW + after.meanW) / 2;
  const stepW = busy.meanW - idleW;
  return { idleW, busyW: busy.meanW, stepW, seen: isSeen(stepW, [before, busy, after]) };
}

function isSeen(stepW: number, levels: readonly Level[]): boolean {
  const variance = levels.reduce((sum, { sdW, readings }) => sum + sdW ** 2 / readings, 0);
  const levelW = Math.max(...levels.map(({ meanW }) => Math.abs(meanW)));
  return Math.abs(stepW) > Math.max(STANDARD_ERRORS * Math.sqrt(variance), MIN_SHARE * levelW);
}

/**
 * With P0 and P1 the levels before and after a step at T, and readings P_k over Δ_k that arrive at t_k, the part of the step that is still missing,
 * m_k = (P1 − P_k)/(P1 − P0), summed over the readings after T gives the latency
 *     λ = (t_1 − T − Δ_1) + Σ m_k·Δ_k.
 * For a meter of block means that is the reference's t_m − (T + xΔ); for one that averages longer it is the shift of the whole response.
 */
function edgeOf(
  phase: Phase,
  before: Level,
  level: Level,
  samples: readonly Sample[],
  settings: StepSettings,
): Pick<Edge, 'latencyS' | 'guardS'> {
  const { settleS, periodS } = settings;
  const stepW = level.meanW - before.meanW;
  const untilNs = phase.startNs + nanoseconds(settleS + periodS);
  const touched = samples.filter(({ tNs }) => tNs > phase.startNs && tNs <= untilNs);
  const first = touched[0];
  const none = { latencyS: null, guardS: null };
  if (first === undefined || !isWhole(touched)) return none;
  const arrivalS = ({ tNs, durationS }: Sample) => Number(tNs - phase.startNs) / 1e9 - durationS;
  const missing = touched.map(({ powerW }) => (level.meanW - powerW) / stepW);
  const latencyS = arrivalS(first) + touched.reduce((sum, { durationS }, k) => sum + (missing[k] ?? 0) * durationS, 0);
  const noise = (SETTLED_SD * level.fluctuationW) / Math.abs(stepW);
  const tolerance = Math.min(MAX_SHARE, Math.max(SETTLED_SHARE, noise));
  const settled = missing.findIndex(
    (share, k) => isSettled(share, tolerance) && isSettled(missing[k + 1] ?? 0, tolerance),
  );
  if (settled < 0) return { ...none, latencyS };
  const last = touched[settled - 1];
  return { latencyS, guardS: last === undefined ? 0 : Math.max(0, arrivalS(last)) };
}

function isSettled(missingShare: number, tolerance: number): boolean {
  return Math.abs(missingShare) <= tolerance;
}

/** Without a gap, which would hide a part of the response. */
function isWhole(samples: readonly Sample[]): boolean {
  return samples.every(({ tNs, durationS }, i) => {
    const before = samples[i - 1];
    return before === undefined || Number(tNs - before.tNs) / 1e9 < 1.7 * durationS;
  });
}

function pooledSd(levels: readonly (Level | null)[]): number {
  const known = levels.filter((level) => level !== null);
  const freedom = known.reduce((sum, { readings }) => sum + readings - 1, 0);
  if (freedom === 0) return 0;
  return Math.sqrt(known.reduce((sum, { sdW, readings }) => sum + sdW ** 2 * (readings - 1), 0) / freedom);
}

function nanoseconds(seconds: number): bigint {
  return BigInt(Math.round(seconds * 1e9));
}
