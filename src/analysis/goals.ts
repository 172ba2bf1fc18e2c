import type { Experiment } from '../experiment/experiment.ts';
import type { Findings } from '../findings/findings.ts';
import type { Interims } from './comparison/interim.ts';
import { computeCosts } from './costs.ts';
import type { RunResult } from './results.ts';
import { judgeThresholds } from './thresholds.ts';

/** The user's goals for the result, in addition to the verdict. */
export type Goals = Pick<Experiment, 'cost' | 'failOn'>;

/** Adds the costs and thresholds that the user asked for to the findings. */
export function withGoals(
  findings: Findings,
  runs: readonly RunResult[],
  { cost, failOn }: Goals,
  looks: Interims | null = null,
): Findings {
  return {
    ...findings,
    ...(failOn && failOn.length > 0 && { thresholds: judgeThresholds(findings, runs, failOn, looks) }),
    ...(cost && { costs: computeCosts(findings, runs, cost) }),
  };
}
