import type { Check } from '../../findings/checks.ts';
import { median } from '../../stats/quantiles.ts';
import { significant } from '../numbers.ts';
import type { CheckedRuns } from './checked-runs.ts';
import { lamp } from './lamp.ts';

/**
 * Joules after which energy counters of processors start again: 2³² of their units of 2⁻¹⁴, 2⁻¹⁶ and 15.3 µJ (RAPL), and of 1 µJ.
 */
const RANGES_J = [2 ** 18, 2 ** 16, 2 ** 32 * 15.3e-6, 2 ** 32 * 1e-6];
/** A wrap moves a run by the range itself; the rest is the run's own noise. */
const NEAR = 0.005;

/** Energies below zero, or off from the others of their variant by just the range of a counter: a wrap that was not made up for. */
export function counterWrap({ all, baseline, others }: CheckedRuns): Check[] {
  const words = [baseline, ...others].flatMap((variant) => {
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
      .map(
        ({ run, energyJ }) =>
          `Run ${run} of ${variant} has ${significant(energyJ, 4)} J, where the others have ${significant(middle, 4)} J.`,
      );
  });
  return [
    lamp(words, {
      name: 'counter',
      dark: 'No energy is off by the range of a counter.',
      advice:
        'An energy counter seems to have started again during the run: read it more often, and report this; the run should not count.',
      state: 'fail',
    }),
  ];
}
