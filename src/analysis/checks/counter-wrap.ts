import type { Check } from '../../findings/checks.ts';
import { FLAG_LIMIT, median, modifiedZ } from '../../stats/quantiles.ts';
import type { CheckedRuns } from './checked-runs.ts';

/**
 * Ranges of energy counters in processors, joules: 2³² of their units of 2⁻¹⁴, 2⁻¹⁶ and 15.3 µJ (RAPL), and of 1 µJ.
 */
const RANGES_J = [2 ** 18, 2 ** 16, 2 ** 32 * 15.3e-6, 2 ** 32 * 1e-6];
/** Tolerance: a wrap changes an energy by exactly the range, the rest is the run's own noise. */
const NEAR = 0.005;
/** Least modified z of a run that a wrap has changed: where runs scatter as widely as a range, some differ by it by chance. */
const MIN_Z = 2 * FLAG_LIMIT;
const MAX_REPORTED = 20;

/**
 * Finds energies that differ from others of their variant by the range of a counter: a wrap that was not corrected. Also finds negative energies,
 * which a reversed meter or a too high idle power causes.
 */
export function counterWrap({ all, variants }: CheckedRuns): Check[] {
  const isWrap = ({ energyJ, middle, z }: Off): boolean =>
    z > MIN_Z && RANGES_J.some((range) => Math.abs(Math.abs(energyJ - middle) - range) < NEAR * range);
  const runs = variants.flatMap((variant): Off[] => {
    const good = all.flatMap(({ variant: of, status, run, energyJ }) =>
      of === variant && status === 'ok' && energyJ !== null ? [{ variant, run, energyJ }] : [],
    );
    if (good.length < 3) return [];
    const energies = good.map(({ energyJ }) => energyJ);
    const [middle, scores] = [median(energies), modifiedZ(energies)];
    return good.map((run, i) => ({ ...run, middle, z: Math.abs(scores?.[i] ?? Number.POSITIVE_INFINITY) }));
  });
  const wraps = runs.filter(isWrap);
  const negative = runs.filter(({ energyJ }) => energyJ < 0);
  const seen = wraps.length > 0 ? wraps : negative;
  const facts = {
    count: seen.length,
    seen: seen.slice(0, MAX_REPORTED).map(({ variant, run, energyJ, middle }) => ({
      variant,
      run,
      energy_j: energyJ,
      usual_j: middle,
    })),
  };
  if (seen.length === 0) return [{ name: 'counter', state: 'ok', reason: 'none', facts }];
  return [{ name: 'counter', state: 'fail', reason: wraps.length > 0 ? 'seen' : 'negative', facts }];
}

/** A run, and the median energy of its variant. */
interface Off {
  readonly variant: string;
  readonly run: number;
  readonly energyJ: number;
  readonly middle: number;
  /** Its modified z without its sign; infinite where the runs are alike. */
  readonly z: number;
}
