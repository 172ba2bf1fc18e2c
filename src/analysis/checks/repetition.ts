import type { Check } from '../../findings/checks.ts';
import { median } from '../../stats/quantiles.ts';
import type { CheckedPair, CheckedRuns } from './checked-runs.ts';

/** Minimum number of runs or pairs. */
const MIN = 5;
/** Maximum probability that a reported repetition is by chance. */
const BY_CHANCE = 1e-6;
/** Minimum relative scatter of an instrument: the step of every counter and meter is far above it. */
const MIN_SCATTER = 1e-6;
/** Relative tolerance for equality: only rounding. */
const SAME = 1e-12;

/**
 * Finds implausible data: runs that repeat earlier ones exactly, an arm that is the other times a constant, and a scatter below any meter's
 * resolution. Coarse readings repeat by chance; a finding is by chance in fewer than one experiment in a million.
 */
export function repetition(checked: CheckedRuns): Check[] {
  const { variants, pairs } = checked;
  const name = 'repetition';
  const still = variants.filter((variant) => isStill(energiesOf(checked, variant)));
  if (still.length > 0) {
    return [{ name, state: 'fail', reason: 'no-scatter', facts: { variants: still, runs: null, factor: null } }];
  }
  const scaled = pairs.flatMap((pair) => {
    const factor = constantFactor(pairsOf(checked, pair));
    return factor === null ? [] : [{ ...pair, factor }];
  });
  const [first] = scaled;
  if (first !== undefined) {
    // One factor is told: of the variants that are the same multiple of the same baseline.
    const alike = scaled.filter((one) => one.baseline === first.baseline && isSame(one.factor, first.factor));
    const variants = alike.map(({ variant }) => variant);
    const facts = { variants, baselines: [first.baseline], runs: null, factor: first.factor };
    return [{ name, state: 'fail', reason: 'one-factor', facts }];
  }
  const copied = variants.flatMap((variant) => {
    const runs = longestRepeat(energiesOf(checked, variant));
    return runs === null ? [] : [{ variant, runs }];
  });
  if (copied.length > 0) {
    const facts = {
      variants: copied.map(({ variant }) => variant),
      runs: Math.max(...copied.map(({ runs }) => runs)),
      factor: null,
    };
    return [{ name, state: 'fail', reason: 'copied', facts }];
  }
  return [];
}

const energiesOf = ({ good }: CheckedRuns, variant: string): number[] =>
  good.filter((run) => run.variant === variant).map((run) => run.energyJ);

const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= SAME * Math.abs(a);

function isStill(energiesJ: readonly number[]): boolean {
  if (energiesJ.length < MIN) return false;
  const [low, high] = [energiesJ.reduce((a, b) => Math.min(a, b)), energiesJ.reduce((a, b) => Math.max(a, b))];
  return high - low <= MIN_SCATTER * high;
}

/** Pairs of energies of a baseline and a variant: by block, or without blocks by their order in time. */
function pairsOf(checked: CheckedRuns, { baseline, variant, blocks }: CheckedPair): [number, number][] {
  if (!checked.blocked) {
    const [of, base] = [energiesOf(checked, variant), energiesOf(checked, baseline)];
    return of.length === base.length ? base.map((energyJ, i) => [energyJ, of[i] as number]) : [];
  }
  return blocks.map(({ baselineFirst, first, second }) => {
    const [base, other] = baselineFirst ? [first, second] : [second, first];
    return [base.energyJ, other.energyJ];
  });
}

/** A constant factor between all pairs, within the precision of both numbers; null: none, or it may be chance. */
function constantFactor(pairs: readonly [number, number][]): number | null {
  if (pairs.length < MIN) return null;
  const factor = median(pairs.map(([base, other]) => other / base));
  const all = pairs.flat();
  const step = decimalStep(all);
  const exact = pairs.every(
    ([base, other]) => Math.abs(other - factor * base) <= 0.5 * step * (1 + factor) + SAME * Math.abs(other),
  );
  if (!exact) return null;
  const bases = pairs.map(([base]) => base);
  const chance = Math.max(...[...tally(bases).values()]) / bases.length;
  // With coarse steps many energies are equal anyway, and close energies have nearly equal ratios.
  const spreadJ = bases.reduce((a, b) => Math.max(a, b)) - bases.reduce((a, b) => Math.min(a, b));
  const each = Math.max(chance, (step * (1 + factor)) / spreadJ);
  return each ** (pairs.length - 1) < BY_CHANCE ? factor : null;
}

/** Smallest decimal step of the values; 0: they have more digits than written data has. */
function decimalStep(values: readonly number[]): number {
  for (let digits = 0; digits <= 6; digits++) {
    const factor = 10 ** digits;
    if (values.every((value) => Math.abs(value * factor - Math.round(value * factor)) < 1e-6)) return 1 / factor;
  }
  return 0;
}

function tally(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** All pairs of runs are compared; of longer series, only the last ones are. */
const MAX_LOOKED_THROUGH = 2000;

/** Length of the longest sequence of runs that repeats earlier ones; null: no longer than chance gives. */
function longestRepeat(energiesJ: readonly number[]): number | null {
  const values = energiesJ.slice(-MAX_LOOKED_THROUGH);
  const n = values.length;
  if (n < 2 * MIN) return null;
  const share = [...tally(values).values()].reduce((sum, count) => sum + (count / n) ** 2, 0);
  let longest = 0;
  for (let lag = 1; lag <= n - MIN; lag++) {
    for (let i = lag, length = 0; i < n; i++) {
      length = isSame(values[i] as number, values[i - lag] as number) ? length + 1 : 0;
      longest = Math.max(longest, Math.min(length, lag));
    }
  }
  return longest >= MIN && (n * n * share ** longest) / 2 < BY_CHANCE ? longest : null;
}
