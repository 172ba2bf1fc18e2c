import type { Comparison, Verdict } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import type { ThresholdResult } from '../findings/goals.ts';

/** Order of interest: what failed; what changed, the largest first; then what is open; then what is the same. */
const RANK: Readonly<Record<Verdict, number>> = {
  failed: 0,
  increase: 1,
  decrease: 1,
  inconclusive: 2,
  'changed-within-margin': 3,
  equivalent: 4,
};

export function byInterest(comparisons: readonly Comparison[]): Comparison[] {
  const size = (c: Comparison): number => Math.abs(c.percent.estimate ?? 0);
  return [...comparisons].sort((a, b) => RANK[a.verdict] - RANK[b.verdict] || size(b) - size(a));
}

export function isChanged(comparison: Comparison): boolean {
  return comparison.verdict === 'increase' || comparison.verdict === 'decrease';
}

export function primaryChannel({ meter, comparisons }: Findings): string | null {
  return meter.channels[0] ?? comparisons[0]?.channel ?? null;
}

/** Comparisons on the primary channel: the ones that the verdict speaks of. */
export function primaryComparisons(findings: Findings): Comparison[] {
  const channel = primaryChannel(findings);
  const primary = findings.comparisons.filter((c) => c.channel === channel);
  return primary.length > 0 ? primary : [...findings.comparisons];
}

/** An A/A experiment: one variant, against itself. */
export function isOnlyNoise({ variants, quality }: Findings): boolean {
  return variants.length === 1 && quality.noise_floor?.source === 'inline';
}

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

/** Whether anything happened that a person should hear of: a change on any channel, a threshold that fails, a failed check, an early end. */
export function hasNews({ comparisons, thresholds = [], quality, experiment }: Findings): boolean {
  return (
    !experiment.complete ||
    comparisons.some(isChanged) ||
    thresholds.some(({ fails, state }) => fails || state === 'crossed') ||
    quality.checks.some(({ state }) => state === 'fail')
  );
}
