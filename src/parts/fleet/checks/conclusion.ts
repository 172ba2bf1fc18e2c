import type { Findings } from '../../../findings/findings.ts';
import { failing, getStanding, isWhole, primaryComparisons } from '../../../report/verdict.ts';

/** How a check of the results ends. */
export type Conclusion = 'success' | 'neutral' | 'failure';

/**
 * `failure`: a threshold is crossed, a variant or benchmark failed, an experiment was interrupted, or there is no result, since an unmeasured commit must not
 * pass; `neutral`: a comparison is inconclusive or untrusted.
 */
export function decideConclusion(all: readonly Findings[]): Conclusion {
  const standings = all.flatMap((findings) =>
    primaryComparisons(findings).map((comparison) => getStanding({ findings, comparison })),
  );
  const isKept = all.length > 0 && all.every((findings) => isWhole(findings) && failing(findings).length === 0);
  if (!isKept || standings.includes('failed')) return 'failure';
  const isOpen = standings.some((standing) => standing === 'inconclusive' || standing === 'untrusted');
  return isOpen ? 'neutral' : 'success';
}
