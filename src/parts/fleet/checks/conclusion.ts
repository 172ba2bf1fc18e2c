import type { Findings } from '../../../findings/findings.ts';
import { failing, getStanding, hasBenchmark, isWhole, primaryComparisons } from '../../../report/verdict.ts';

/** How a check of the results ends. */
export type Conclusion = 'success' | 'neutral' | 'failure';

/**
 * `failure`: a threshold is crossed, a variant or benchmark failed, an experiment was interrupted, or there is no result, since an unmeasured commit must not
 * pass; `neutral`: a comparison is inconclusive or untrusted, or a benchmark could not be measured.
 */
export function decideConclusion(all: readonly Findings[]): Conclusion {
  const standings = all.flatMap((findings) =>
    primaryComparisons(findings).map((comparison) => getStanding({ findings, comparison })),
  );
  const isFailure = (findings: Findings): boolean =>
    !findings.experiment.complete || hasBenchmark(findings, 'failed') || failing(findings).length > 0;
  if (all.length === 0 || all.some(isFailure) || standings.includes('failed')) return 'failure';
  const isOpen =
    !all.every(isWhole) || standings.some((standing) => standing === 'inconclusive' || standing === 'untrusted');
  return isOpen ? 'neutral' : 'success';
}
