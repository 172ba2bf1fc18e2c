import { COVERAGE_FACTOR } from '../uncertainty.ts';

/** Mean energy (joules) and mean duration (seconds) of an arm. */
export interface MeanRun {
  readonly energyJ: number;
  readonly durationS: number;
}

/**
 * What the meter's class leaves uncertain in the percent between two arms, expanded (k = 2), percentage points. The gain cancels in a
 * ratio on one meter; an offset o cancels as far as both arms draw the same power: u(R)/R = o·|L_B/E_B − L_A/E_A|/√3
 * (method reference: uncertainty). Null where an energy is not above zero.
 */
export function meterUncertaintyPercent(baseline: MeanRun, variant: MeanRun, offsetW: number): number | null {
  if (!(baseline.energyJ > 0 && variant.energyJ > 0)) return null;
  const relative =
    (offsetW * Math.abs(variant.durationS / variant.energyJ - baseline.durationS / baseline.energyJ)) / Math.sqrt(3);
  return (100 * COVERAGE_FACTOR * relative * variant.energyJ) / baseline.energyJ;
}
