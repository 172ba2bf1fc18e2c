import type { Comparison, PhaseComparison } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import { moments } from '../../stats/sums.ts';
import { interval95, percentChange } from '../comparison/percent.ts';
import { takeSample } from '../comparison/sample.ts';
import { isClear } from '../comparison/why.ts';
import type { RunResult } from '../results.ts';
import { COVERAGE_FACTOR } from '../uncertainty.ts';
import { isOutside, type PhaseOfRun, phaseNames, phasesByName } from './by-name.ts';

type Compared = Pick<Comparison, 'phases' | 'phases_not_compared'>;

/** Results of the whole comparison that the phases are related to. */
type Whole = Pick<Comparison, 'baseline' | 'variant' | 'difference' | 'why'>;

/**
 * Compares each phase like the whole run, by blocks. Exploratory: it decides nothing and does not correct for the number of phases.
 * A phase that some runs lack is left out with the reason, since lacking it may depend on the energy.
 */
export function comparePhases(baseline: readonly RunResult[], variant: readonly RunResult[], whole: Whole): Compared {
  const names = phaseNames([...baseline, ...variant]);
  // A stopped experiment may have runs of one variant only.
  if (names.length === 0 || baseline.length === 0 || variant.length === 0) return {};
  const [a, b] = [armOf(baseline), armOf(variant)];
  const phases: PhaseComparison[] = [];
  const left: { phase: string; lacking: Lacking[] }[] = [];
  for (const phase of names) {
    const lacking = [...lackingIn(a, phase, whole.baseline), ...lackingIn(b, phase, whole.variant)];
    if (lacking.length === 0) phases.push(comparePhase(phase, a, b, whole));
    // Time outside of phases may be missing in some runs, and is not reported.
    else if (!isOutside(phase)) left.push({ phase, lacking });
  }
  return { ...(phases.length > 0 && { phases }), ...(left.length > 0 && { phases_not_compared: left }) };
}

type Arm = readonly { readonly run: RunResult; readonly phases: ReadonlyMap<string, PhaseOfRun> }[];

const armOf = (runs: readonly RunResult[]): Arm => runs.map((run) => ({ run, phases: phasesByName(run) }));

/** A variant with the number of its runs that have the phase. */
interface Lacking {
  readonly variant: string;
  readonly runs: number;
  readonly of: number;
}

function lackingIn(arm: Arm, phase: string, variant: string): Lacking[] {
  const having = arm.filter(({ phases }) => phases.has(phase)).length;
  if (having === arm.length) return [];
  return [{ variant, runs: having, of: arm.length }];
}

/**
 * Effect of the meter's latency on the ratio of a phase's energies, as a logarithm. Both variants have the same latency, so only the
 * difference of its effects counts.
 */
function latencyLog(a: Arm, b: Arm, phase: string, means: PhaseComparison['mean_energy_j']): number {
  if (!(means.baseline > 0 && means.variant > 0)) return 0;
  const meanOf = (arm: Arm, side: 0 | 1): number =>
    moments(arm.map(({ phases }) => (phases.get(phase) as PhaseOfRun).latencyJ[side])).mean;
  const moved = (side: 0 | 1): number => meanOf(b, side) / means.variant - meanOf(a, side) / means.baseline;
  return COVERAGE_FACTOR * Math.max(Math.abs(moved(0)), Math.abs(moved(1)));
}

/** An interval in percent, wider by `log` on both sides. */
function widened(ci: Interval | null, log: number): Interval | null {
  if (ci === null) return null;
  const moved = (percent: number, by: number): number => 100 * ((1 + percent / 100) * Math.exp(by) - 1);
  return [moved(ci[0], -log), moved(ci[1], log)];
}

function comparePhase(phase: string, a: Arm, b: Arm, { difference, why }: Whole): PhaseComparison {
  const runsOf = (arm: Arm) =>
    arm.map(({ run: { run, block }, phases }) => {
      const { energyJ, durationS } = phases.get(phase) as PhaseOfRun;
      return { run, block, energyJ, durationS };
    });
  const sample = takeSample(runsOf(a), runsOf(b));
  const percent = percentChange(sample);
  const means = { baseline: moments(sample.x).mean, variant: moments(sample.y).mean };
  const differenceJ = means.variant - means.baseline;
  return {
    phase,
    blocks: sample.pairs?.length ?? 0,
    mean_energy_j: means,
    // These intervals have no confidence beside them, so an interval below 95 % is left out.
    percent: { estimate: percent.estimate, ci95: widened(interval95(percent), latencyLog(a, b, phase, means)) },
    difference_j: differenceJ,
    share:
      difference.of_means !== null && difference.of_means !== 0 && isClear(why.log_energy)
        ? differenceJ / difference.of_means
        : null,
    short: [...a, ...b].some(({ phases }) => phases.get(phase)?.short ?? false),
    outside: isOutside(phase),
  };
}
