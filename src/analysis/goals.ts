import type { Experiment } from '../experiment/experiment.ts';
import type { Findings } from '../findings/findings.ts';
import type { Interims } from './comparison/interim.ts';
import { costsOf } from './costs.ts';
import type { RunResult } from './results.ts';
import { judgeThresholds } from './thresholds.ts';

/** What the user asked of the result beside the verdict. */
export type Goals = Pick<Experiment, 'cost' | 'failOn'>;

/** The findings with costs and thresholds, as far as they were asked for. */
export function withGoals(
  findings: Findings,
  runs: readonly RunResult[],
  { cost, failOn }: Goals,
  looks: Interims | null = null,
): Findings {
  return {
    ...findings,
    ...(failOn && failOn.length > 0 && { thresholds: judgeThresholds(findings, runs, failOn, looks) }),
    ...(cost && { costs: costsOf(findings, runs, cost) }),
  };
}
