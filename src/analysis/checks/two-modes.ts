import type { Check } from '../../findings/checks.ts';
import { dip } from '../../stats/dip.ts';
import { alarm } from './alarm.ts';
import type { CheckedRuns } from './checked-runs.ts';

const LEAST_RUNS = 10;

/**
 * The 95 % point of √n · dip when the distribution is uniform, which of all with one mode is the hardest to tell from several (Hartigan and
 * Hartigan 1985): from 200,000 simulated samples a size, 4·10⁷/n above 200. With normal data the lamp lights far less often than 5 %.
 */
const LIMITS: readonly (readonly [n: number, limit: number])[] = [
  [10, 0.4413],
  [15, 0.4594],
  [20, 0.47],
  [30, 0.4834],
  [40, 0.4914],
  [60, 0.5009],
  [100, 0.5102],
  [200, 0.5212],
  [500, 0.5299],
  [1000, 0.5349],
];

/**
 * Do the runs of a variant fall into two groups? Hartigan's dip of ln E, each variant by itself. Left out where fewer than half of the
 * values are distinct: then the resolution of the meter makes the groups.
 */
export function twoModes({ good, baseline, others }: CheckedRuns): Check[] {
  const looked = [baseline, ...others].flatMap((variant) => {
    const values = good.filter((run) => run.variant === variant).map((run) => Math.log(run.energyJ));
    const n = values.length;
    if (n < LEAST_RUNS || new Set(values).size < n / 2) return [];
    const scaled = Math.sqrt(n) * dip(values);
    return [{ variant, scaled, limit: limitOf(n) }];
  });
  if (looked.length === 0) return [];
  const seen = looked
    .filter(({ scaled, limit }) => scaled > limit)
    .map(({ variant, scaled, limit }) => ({ variant, scaled_dip: scaled, limit }));
  return [alarm('two modes', seen.length > 0, { seen })];
}

/** Between the sizes of the table: linear in 1/√n. */
function limitOf(n: number): number {
  const next = LIMITS.findIndex(([size]) => size >= n);
  if (next <= 0) return (LIMITS.at(next) as [number, number])[1];
  const [small, atSmall] = LIMITS[next - 1] as [number, number];
  const [large, atLarge] = LIMITS[next] as [number, number];
  const share = (small ** -0.5 - n ** -0.5) / (small ** -0.5 - large ** -0.5);
  return atSmall + share * (atLarge - atSmall);
}
