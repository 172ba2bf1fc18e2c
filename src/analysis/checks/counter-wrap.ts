import type { Check } from '../../findings/checks.ts';
import { median } from '../../stats/quantiles.ts';
import { alarm } from './alarm.ts';
import type { CheckedRuns } from './checked-runs.ts';

/**
 * Joules after which energy counters of processors start again: 2³² of their units of 2⁻¹⁴, 2⁻¹⁶ and 15.3 µJ (RAPL), and of 1 µJ.
 */
const RANGES_J = [2 ** 18, 2 ** 16, 2 ** 32 * 15.3e-6, 2 ** 32 * 1e-6];
/** A wrap moves a run by the range itself; the rest is the run's own noise. */
const NEAR = 0.005;
const MOST_TOLD = 20;

/** Energies below zero, or off from the others of their variant by just the range of a counter: a wrap that was not made up for. */
export function counterWrap({ all, baseline, others }: CheckedRuns): Check[] {
  const seen = [baseline, ...others].flatMap((variant) => {
    const runs = all.flatMap(({ variant: of, status, run, energyJ }) =>
      of === variant && status === 'ok' && energyJ !== null ? [{ run, energyJ }] : [],
    );
    if (runs.length < 3) return [];
    const middle = median(runs.map(({ energyJ }) => energyJ));
    return runs
      .filter(
        ({ energyJ }) =>
          energyJ < 0 || RANGES_J.some((range) => Math.abs(Math.abs(energyJ - middle) - range) < NEAR * range),
      )
      .map(({ run, energyJ }) => ({ variant, run, energy_j: energyJ, usual_j: middle }));
  });
  return [alarm('counter', seen.length > 0, { count: seen.length, seen: seen.slice(0, MOST_TOLD) }, 'fail')];
}
