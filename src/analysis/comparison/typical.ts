import type { Comparison } from '../../findings/comparison.ts';
import { walshEstimate } from '../../stats/hodges-lehmann.ts';
import { logRatio } from '../../stats/log-ratio.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { median } from '../../stats/quantiles.ts';
import { signedRank } from '../../stats/signed-rank.ts';
import { moments } from '../../stats/sums.ts';
import { type Interims, interimAt, repeated } from './interim.ts';
import type { ComparedRun } from './pairing.ts';
import { interval95, type Percent, percentChange } from './percent.ts';
import { type Sample, takeSample } from './sample.ts';

type Typical = NonNullable<Comparison['typical']>;
type Arms = Record<'baseline' | 'variant', number>;

/**
 * Typical run of each variant: its energy in joules, duration in seconds, and mean power in watts. The two values of a quantity differ by
 * its Hodges–Lehmann change, around the Hodges–Lehmann center of the compared runs, so baseline and change add up to the variant.
 * Null for a quantity that a run lacks or that is not above zero. `percent`: the change of the energy that the verdict uses. With interim
 * analyses, all intervals are repeated ones.
 */
export function typicalRuns(sample: Sample, percent: Percent, interims?: Interims): Typical {
  const changed = (of: Sample): Typical['energy_j'] =>
    typicalEnergy(of, { ...percentChange(of), ...(interims && interimAt(of, interims, false)?.percent) });
  const durations = valuesAs(sample, ({ durationS }) => durationS);
  const powers = valuesAs(sample, ({ energyJ, durationS }) => durationS && energyJ / durationS);
  return {
    energy_j: typicalEnergy(sample, percent),
    duration_s: durations && changed(durations),
    mean_power_w: powers && changed(powers),
  };
}

/** p-value of the change in duration, by the same test as the energy's; with interim analyses, the repeated p. Null: it can't be tested. */
export function durationP(sample: Sample, interims?: Interims): number | null {
  const durations = valuesAs(sample, ({ durationS }) => durationS);
  if (durations === null) return null;
  const { x, y, pairs, logRatios } = durations;
  return repeated(pairs === null ? mannWhitney(x, y)?.p : logRatios && signedRank(logRatios)?.p, interims ?? null);
}

/** The same runs, with another quantity in place of the energy; null: a run lacks it. */
function valuesAs({ baseline, variant }: Sample, quantity: (run: ComparedRun) => number | null): Sample | null {
  const read = (runs: readonly ComparedRun[]): ComparedRun[] =>
    runs.flatMap((run) => {
      const value = quantity(run);
      return value === null ? [] : [{ ...run, energyJ: value }];
    });
  const [x, y] = [read(baseline), read(variant)];
  return x.length === baseline.length && y.length === variant.length ? takeSample(x, y) : null;
}

/** Typical energies, which differ by `percent`. */
export function typicalEnergy(sample: Sample, percent: Percent): Typical['energy_j'] {
  const center = computeCenter(sample);
  if (center === null || percent.estimate === null) return null;
  const half = Math.log1p(percent.estimate / 100) / 2;
  return {
    baseline: center * Math.exp(-half),
    variant: center * Math.exp(half),
    percent: { estimate: percent.estimate, ci95: interval95(percent) },
    median: armsBy(sample, median),
    mean: armsBy(sample, (values) => moments(values).mean),
  };
}

/** Arms of the compared runs only: runs of incomplete blocks don't show the difference. */
function armsBy({ x, y, pairs }: Sample, center: (values: readonly number[]) => number): Arms {
  if (pairs === null) return { baseline: center(x), variant: center(y) };
  return {
    baseline: center(pairs.map(({ baseline }) => baseline.energyJ)),
    variant: center(pairs.map(({ variant }) => variant.energyJ)),
  };
}

/** Center of the compared runs, with equal weight for both variants; null: no runs, or a value that is not above zero. */
function computeCenter({ x, y, pairs }: Sample): number | null {
  const [first] = x;
  if (first === undefined || [...x, ...y].some((value) => !(value > 0))) return null;
  const log = (value: number): number => logRatio(first, value);
  if (pairs !== null) {
    const middles = pairs.map(({ baseline, variant }) => (log(baseline.energyJ) + log(variant.energyJ)) / 2);
    const middle = walshEstimate(middles)?.estimate;
    return middle === undefined ? null : first * Math.exp(middle);
  }
  const [a, b] = [walshEstimate(x.map(log)), walshEstimate(y.map(log))];
  return a && b && first * Math.exp((a.estimate + b.estimate) / 2);
}
