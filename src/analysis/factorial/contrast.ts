import type { Contrast } from '../../findings/factorial.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { signedRank } from '../../stats/signed-rank.ts';
import { moments } from '../../stats/sums.ts';
import { pairedEstimate, tInterval, tTest } from '../../stats/welch.ts';
import { detectableRatio } from '../comparison/detectable.ts';
import { ratioPercent, toPercentInterval } from '../comparison/percent.ts';

export type Measured = Omit<Contrast, 'p_holm' | 'verdict' | 'reason'>;

/**
 * One contrast by the machinery of a comparison: Hodges–Lehmann of the blocks' log contrasts with the exact signed-rank interval, beside the
 * mean with its t interval. Everything is null for no contrast.
 */
export function measureContrast(logs: readonly number[]): Measured {
  const some = logs.length > 0 ? logs : null;
  const signed = some && signedRank(some);
  const paired = some && pairedEstimate(some);
  const t = paired && tTest(paired);
  const headline = ratioPercent(some);
  return {
    ...headline,
    mean_log: some && toPercent(moments(some).mean),
    mean_log_ci95: paired && toPercentInterval(tInterval(paired, 0.95)),
    wilcoxon_signed_rank: signed && {
      w_plus: signed.wPlus,
      p: signed.p,
      n_nonzero: signed.nNonzero,
      n_zero: signed.nZero,
    },
    paired_t_log: t && { t: t.t, df: t.df, p: t.p },
    minimum_detectable_percent: detectableRatio(headline.ci95),
  };
}
