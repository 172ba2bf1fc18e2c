import type { Findings } from '../findings/findings.ts';
import type { ThresholdResult } from '../findings/goals.ts';

export function thresholdsOf({ thresholds }: Findings): readonly ThresholdResult[] {
  return thresholds ?? [];
}

/** Those that fail the job. */
export function failing(findings: Findings): ThresholdResult[] {
  return thresholdsOf(findings).filter(({ fails }) => fails);
}

/** In the order of their weight: what fails, what is open, what is kept. */
export function byWeight(results: readonly ThresholdResult[]): ThresholdResult[] {
  const weight = ({ fails, state }: ThresholdResult): number => (fails ? 0 : state === 'open' ? 1 : 2);
  return [...results].sort((a, b) => weight(a) - weight(b));
}
