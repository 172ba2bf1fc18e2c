import type { Sample } from '../../../contracts/reading.ts';

/** A period in which the machine was kept idle or busy; CLOCK_MONOTONIC. */
export interface Phase {
  readonly busy: boolean;
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Share of the machine's capacity used, 0 to 1, during settling and after it; null: unknown. */
  readonly share: { readonly settling: number | null; readonly level: number | null };
}

/** Maximum load when idle, and minimum load when busy; beyond them other programs disturb the phase. */
const QUIET = { idle: 0.1, busy: 0.9 };

/** Whether this load fits the phase; true if it is unknown. */
export function isQuiet(busy: boolean, share: number | null): boolean {
  return share === null || (busy ? share >= QUIET.busy : share <= QUIET.idle);
}

export interface StepSettings {
  /** Time after a step from which readings show the new level, seconds. */
  readonly settleS: number;
  /** Seconds between readings. */
  readonly periodS: number;
}

/** Power in a phase after settling. */
export interface Level {
  readonly meanW: number;
  readonly sdW: number;
  /** Standard deviation between successive new readings, over √2: without slow changes. */
  readonly fluctuationW: number;
  /** Number of new readings: a repeated value may be the same reading, polled twice. */
  readonly readings: number;
}

/** A change from idle to busy or back. */
export interface Edge {
  readonly toBusy: boolean;
  /** Whether no other load disturbed it. */
  readonly quiet: boolean;
  /** Delay of the meter's response after the step, seconds; null: unknown. */
  readonly latencyS: number | null;
  /** Guard that covers all readings affected by this step, seconds; null: unknown. */
  readonly guardS: number | null;
}

export interface Step {
  readonly idleW: number;
  readonly busyW: number;
  /** Busy minus idle, watts; idle is the mean of before and after. */
  readonly stepW: number;
  /** Whether the change is larger than the power's own fluctuation. */
  readonly seen: boolean;
  /** Whether no other load disturbed it. */
  readonly quiet: boolean;
}

export interface StepResult {
  readonly steps: readonly Step[];
  readonly edges: readonly Edge[];
  readonly idleSdW: number;
}

/** Minimum size of a step in standard errors; it must also exceed a minimum share of the machine's power. */
const STANDARD_ERRORS = 5;
const MIN_SHARE = 0.01;
/** Maximum missing share of the step for a settled reading; noise may raise it, up to `mostShare`. */
const SETTLED_SHARE = 0.05;
const SETTLED_SD = 4;
const MAX_SHARE = 0.15;

/**
 * Levels, steps and latencies from alternating phases (idle, busy, idle, …) and their readings (method reference:
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

/** Whether the samples have no gap, which could hide a part of the response. */
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
