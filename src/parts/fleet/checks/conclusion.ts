import type { Findings } from '../../../findings/findings.ts';
import { failing, primaryComparisons, standingOf } from '../../../report/verdict.ts';

/** How a check of the results ends. */
export type Conclusion = 'success' | 'neutral' | 'failure';

/**
 * `failure`: a threshold is crossed, a variant failed, or there is no result, since a commit that can't be measured must not pass for one that was;
 * `neutral`: a comparison is inconclusive or can't be trusted, or an experiment was cut short.
 */
export function conclusionOf(all: readonly Findings[]): Conclusion {
  const standings = all.flatMap((findings) =>
    primaryComparisons(findings).map((comparison) => standingOf({ findings, comparison })),
  );
  if (all.length === 0 || standings.includes('failed') || all.some((one) => failing(one).length > 0)) return 'failure';
  const isOpen = standings.some((standing) => standing === 'inconclusive' || standing === 'untrusted');
  return isOpen || all.some(({ experiment }) => !experiment.complete) ? 'neutral' : 'success';
}
