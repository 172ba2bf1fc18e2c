import type { Findings } from '../findings/findings.ts';
import { isChanged } from './verdict.ts';

/** Whether anything happened that a person should hear of: a change on any channel, a threshold that fails, a failed check, an early end. */
export function hasNews({ comparisons, thresholds = [], quality, experiment }: Findings): boolean {
  return (
    !experiment.complete ||
    comparisons.some(isChanged) ||
    thresholds.some(({ fails, state }) => fails || state === 'crossed') ||
    quality.checks.some(({ state }) => state === 'fail')
  );
}
