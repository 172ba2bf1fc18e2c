import { OUTSIDE_PHASES } from '../../executors/phases/phase-lines.ts';
import type { LatencyJ, RunResult } from '../results.ts';
import { addLatency, NO_LATENCY } from './phase-energies.ts';

/** All stretches of a phase in one run: it may recur, in each execution of a batch or in a loop. */
export interface PhaseOfRun {
  readonly energyJ: number;
  readonly durationS: number;
  readonly uncertaintyJ: number;
  readonly latencyJ: LatencyJ;
  readonly short: boolean;
}

export const isOutside = (phase: string): boolean => phase === OUTSIDE_PHASES;

/** Phases of one run by name, in order of first start, with the time outside of phases last. Empty without phases or energies. */
export function phasesByName({ phases, outsidePhases }: RunResult): ReadonlyMap<string, PhaseOfRun> {
  const byName = new Map<string, PhaseOfRun>();
  if (phases === undefined || phases.length === 0) return byName;
  const add = (phase: string, part: PhaseOfRun): void => {
    const before = byName.get(phase);
    byName.set(phase, {
      energyJ: (before?.energyJ ?? 0) + part.energyJ,
      durationS: (before?.durationS ?? 0) + part.durationS,
      uncertaintyJ: Math.hypot(before?.uncertaintyJ ?? 0, part.uncertaintyJ),
      latencyJ: before === undefined ? part.latencyJ : addLatency(before.latencyJ, part.latencyJ),
      short: (before?.short ?? false) || part.short,
    });
  };
  for (const { phase, startS, endS, energyJ, uncertaintyJ, latencyJ = NO_LATENCY, short } of phases) {
    if (energyJ === null) return new Map();
    add(phase, { energyJ, durationS: endS - startS, uncertaintyJ: uncertaintyJ ?? 0, latencyJ, short: short ?? false });
  }
  if (outsidePhases && outsidePhases.energyJ !== null && outsidePhases.durationS > 0) {
    const { energyJ, durationS, uncertaintyJ, latencyJ = NO_LATENCY, short } = outsidePhases;
    add(OUTSIDE_PHASES, { energyJ, durationS, uncertaintyJ: uncertaintyJ ?? 0, latencyJ, short });
  }
  return byName;
}

/** Names in order of their mean first start over the runs; the time outside of phases is last. */
export function phaseNames(runs: readonly RunResult[]): string[] {
  const starts = new Map<string, number[]>();
  for (const { phases } of runs) {
    const seen = new Set<string>();
    for (const { phase, startS } of phases ?? []) {
      if (seen.has(phase)) continue;
      seen.add(phase);
      starts.set(phase, [...(starts.get(phase) ?? []), startS]);
    }
  }
  const mean = (name: string): number => {
    const own = starts.get(name) ?? [];
    return own.reduce((sum, s) => sum + s, 0) / own.length;
  };
  const names = [...starts.keys()].sort((a, b) => mean(a) - mean(b) || (a < b ? -1 : 1));
  return names.length === 0 ? [] : [...names, OUTSIDE_PHASES];
}
