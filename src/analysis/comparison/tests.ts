import type { Comparison } from '../../findings/comparison.ts';
import { brunnerMunzel } from '../../stats/brunner-munzel.ts';
import { kruskalWallis } from '../../stats/kruskal-wallis.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { signFlip } from '../../stats/sign-flip.ts';
import { signedRank } from '../../stats/signed-rank.ts';
import { moments } from '../../stats/sums.ts';
import { pairedEstimate, tost, tTest, welchEstimate } from '../../stats/welch.ts';
import type { Sample } from './sample.ts';

/** All tests of a comparison. The signed-rank test is the preregistered one; the others are for information. */
export function tests(sample: Sample, marginPercent: number, seed: number): Comparison['tests'] {
  const { x, y, logRatios } = sample;
  const paired = logRatios && pairedEstimate(logRatios);
  const flipped = logRatios && signFlip(logRatios, seed);
  const welch = welchEstimate(x, y);
  const u = mannWhitney(x, y);
  const munzel = brunnerMunzel(x, y);
  return {
    wilcoxon_signed_rank: logRatios && signedRankTest(logRatios),
    paired_t_log: paired && statistic(tTest(paired)),
    sign_flip: flipped === null ? null : { p: flipped },
    welch_t: welch && statistic(tTest(welch)),
    mann_whitney: u && { u: u.u, p: u.p, method: u.method },
    brunner_munzel: munzel && { w: munzel.w, p: munzel.p },
    kruskal_wallis: kruskalWallis([x, y]),
    tost: equivalence(sample, marginPercent),
  };
}

/** Two one-sided t tests: of the mean log ratio with blocks, of the difference of means over the baseline's mean without. */
export function equivalence({ x, y, pairs, logRatios }: Sample, marginPercent: number): Comparison['tests']['tost'] {
  if (pairs !== null) {
    const estimate = logRatios && pairedEstimate(logRatios);
    const margin = Math.log1p(marginPercent / 100);
    return estimate && { margin_percent: marginPercent, p: tost(estimate, -margin, margin).p };
  }
  const estimate = welchEstimate(x, y);
  const mean = estimate === null ? 0 : moments(x).mean;
  const margin = (marginPercent / 100) * mean;
  return estimate === null || !(mean > 0)
    ? null
    : { margin_percent: marginPercent, p: tost(estimate, -margin, margin).p };
}

export function signedRankTest(logs: readonly number[]): Comparison['tests']['wilcoxon_signed_rank'] {
  const found = signedRank(logs);
  return found && { w_plus: found.wPlus, p: found.p, n_nonzero: found.nNonzero, n_zero: found.nZero };
}

function statistic({ t, df, p }: { t: number; df: number; p: number }): { t: number; df: number; p: number } {
  return { t, df, p };
}
