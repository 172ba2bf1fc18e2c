import { logRatio } from '../../stats/log-ratio.ts';
import { isConstant } from '../../stats/sums.ts';
import { type ComparedRun, type Pair, pairBlocks } from './pairing.ts';

/** Data of one comparison. Energies in joules; logarithms are natural. */
export interface Sample {
  readonly baseline: readonly ComparedRun[];
  readonly variant: readonly ComparedRun[];
  /** Energies of all valid runs. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Null: the data have no blocks. */
  readonly pairs: readonly Pair[] | null;
  /** ln(variant/baseline) of each pair; null without blocks, without a pair, or where an energy is not above zero. */
  readonly logRatios: readonly number[] | null;
  /** True: all values of each arm are equal, so noise can't be estimated. */
  readonly constant: boolean;
}

/** Compared runs of both arms: with blocks, those of the pairs, so that both means cover the same blocks. */
export function comparedArms({ baseline, variant, pairs }: Pick<Sample, 'baseline' | 'variant' | 'pairs'>) {
  if (pairs === null || pairs.length === 0) return { baseline, variant };
  return { baseline: pairs.map((pair) => pair.baseline), variant: pairs.map((pair) => pair.variant) };
}

/** Throws RangeError for an energy or duration that is not a finite number. */
export function takeSample(baseline: readonly ComparedRun[], variant: readonly ComparedRun[]): Sample {
  for (const { run, energyJ, durationS } of [...baseline, ...variant]) {
    if (!Number.isFinite(energyJ)) throw new RangeError(`run ${run} has the energy ${energyJ}`);
    if (durationS !== null && !Number.isFinite(durationS))
      throw new RangeError(`run ${run} has the duration ${durationS}`);
  }
  const pairs = pairBlocks(baseline, variant);
  const x = baseline.map((run) => run.energyJ);
  const y = variant.map((run) => run.energyJ);
  const compared = pairs ? pairs.flatMap((pair) => [pair.baseline, pair.variant]) : [];
  return {
    baseline,
    variant,
    x,
    y,
    pairs,
    logRatios:
      pairs !== null && pairs.length > 0 && compared.every((run) => run.energyJ > 0)
        ? pairs.map((pair) => logRatio(pair.baseline.energyJ, pair.variant.energyJ))
        : null,
    constant: x.length + y.length > 2 && isConstant(x) && isConstant(y),
  };
}
