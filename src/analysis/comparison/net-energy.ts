import type { NetComparison } from '../../findings/comparison.ts';
import { moments } from '../../stats/sums.ts';

/** One valid run above idle: joules, seconds, and the subtracted idle level, watts. */
export interface NetRun {
  readonly netEnergyJ: number;
  readonly durationS: number;
  readonly idlePowerW: number;
}

/** Minimum mean net energy for a percentage, in its standard uncertainties. */
const MIN_UNCERTAINTIES = 3;

/**
 * Compares energies above idle. Both arms share the idle level, so its error counts with the difference of the durations, not
 * with each duration: u² = s_A²/n_A + s_B²/n_B + (T̄_B − T̄_A)²·u²(P̄_idle), u(P̄_idle) the standard error of the runs' idle levels
 * (reference "Statistics": idle baseline). Null when an arm has no run.
 */
export function compareNet(baseline: readonly NetRun[], variant: readonly NetRun[]): NetComparison | null {
  if (baseline.length === 0 || variant.length === 0) return null;
  const [a, b] = [armOf(baseline), armOf(variant)];
  const idle = moments([...baseline, ...variant].map((run) => run.idlePowerW));
  const idleError = Math.sqrt((idle.variance ?? 0) / idle.n);
  const of = (arm: Arm, seconds: number): number | null =>
    arm.error === null ? null : Math.hypot(arm.error, seconds * idleError);
  const difference = b.error === null ? null : of(a, b.durationS - a.durationS);
  const isFirm = (arm: Arm): boolean => {
    const error = of(arm, arm.durationS);
    return error !== null && arm.netJ > MIN_UNCERTAINTIES * error;
  };
  return {
    difference_j: b.netJ - a.netJ,
    difference_u_j: difference === null ? null : Math.hypot(difference, b.error as number),
    percent: isFirm(a) && isFirm(b) ? 100 * (b.netJ / a.netJ - 1) : null,
    log_ratio_u: isFirm(a) && isFirm(b) ? logRatioUncertainty(a, b, idleError) : null,
  };
}

/** u² = (s_A/(√n·E_A))² + (s_B/(√n·E_B))² + (T̄_B/E_B − T̄_A/E_A)²·u²(P̄_idle): the shared level nearly cancels in a ratio. */
function logRatioUncertainty(a: Arm, b: Arm, idleError: number): number {
  const shared = (b.durationS / b.netJ - a.durationS / a.netJ) * idleError;
  return Math.hypot((a.error as number) / a.netJ, (b.error as number) / b.netJ, shared);
}

interface Arm {
  readonly netJ: number;
  readonly durationS: number;
  /** Standard error of the mean net energy; null for a single run. */
  readonly error: number | null;
}

function armOf(runs: readonly NetRun[]): Arm {
  const net = moments(runs.map((run) => run.netEnergyJ));
  return {
    netJ: net.mean,
    durationS: moments(runs.map((run) => run.durationS)).mean,
    error: net.variance === null ? null : Math.sqrt(net.variance / net.n),
  };
}
