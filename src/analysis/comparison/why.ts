import type { Comparison } from '../../findings/comparison.ts';
import type { LogPart } from '../../findings/numbers.ts';
import { logRatio } from '../../stats/log-ratio.ts';
import { type Change, meanChange } from '../../stats/welch.ts';
import type { ComparedRun } from './pairing.ts';
import type { Sample } from './sample.ts';

/**
 * Splits the change into time and power: mean Δln E = mean Δln T + mean Δln P, exactly, each with a t interval. Shares
 * are null unless Δln E is larger than its half-width.
 */
export function explain(sample: Sample): Comparison['why'] {
  const energy = logsOf(sample, (run) => run.energyJ);
  const time = logsOf(sample, (run) => run.durationS);
  const power = logsOf(sample, (run) => run.durationS && run.energyJ / run.durationS);
  const ofEnergy = energy && part(energy);
  const ofTime = energy && time && part(time);
  const ofPower = energy && power && part(power);
  const clear = isClear(ofEnergy);
  return {
    log_energy: ofEnergy,
    log_time: ofTime,
    log_power: ofPower,
    time_share: clear && ofEnergy && ofTime ? ofTime.mean / ofEnergy.mean : null,
    power_share: clear && ofEnergy && ofPower ? ofPower.mean / ofEnergy.mean : null,
  };
}

/** Logarithms of one quantity: of the pairs' ratios, or of both arms. */
function logsOf({ baseline, variant, pairs }: Sample, quantity: (run: ComparedRun) => number | null): Change | null {
  const values = (runs: readonly ComparedRun[]): number[] | null => {
    const found = runs.map((run) => quantity(run) ?? 0);
    return found.length > 0 && found.every((value) => value > 0) ? found : null;
  };
  const x = values(pairs ? pairs.map((pair) => pair.baseline) : baseline);
  const y = values(pairs ? pairs.map((pair) => pair.variant) : variant);
  if (x === null || y === null) return null;
  if (pairs !== null) return { pairs: x.map((value, i) => logRatio(value, y[i] as number)) };
  const reference = x[0] as number;
  return { x: x.map((value) => logRatio(reference, value)), y: y.map((value) => logRatio(reference, value)) };
}

function part(logs: Change): LogPart {
  const { value: mean, ci95 } = meanChange(logs);
  return { mean, ci95 };
}

/** Whether a change is large enough to split: it exceeds the half-width of its interval. */
export function isClear(energy: LogPart | null): boolean {
  return energy?.ci95 != null && Math.abs(energy.mean) > (energy.ci95[1] - energy.ci95[0]) / 2;
}
