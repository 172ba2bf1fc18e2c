import { REMAINDER_CHANNEL } from '../analysis/remainder.ts';
import type { Check } from '../findings/checks.ts';
import type { Comparison, Verdict } from '../findings/comparison.ts';
import { channelSource } from '../findings/emulated.ts';
import type { Findings } from '../findings/findings.ts';
import type { ThresholdResult } from '../findings/goals.ts';
import type { BenchmarkState } from '../findings/suite.ts';

/** How a comparison is presented: its verdict, or `untrusted` if a check failed that its numbers depend on. */
export type Standing = Verdict | 'untrusted';

/** A comparison with the findings that it belongs to. */
export interface Compared {
  readonly findings: Findings;
  readonly comparison: Comparison;
}

/** Failed checks that a channel's numbers depend on; any of them makes all its comparisons untrusted. */
export function failedChecks(findings: Findings, channel = primaryChannel(findings)): Check[] {
  const primary = primaryChannel(findings);
  return findings.quality.checks.filter((check) => {
    if (check.state !== 'fail') return false;
    // The remainder is the difference of two other channels. Emulated processors change the energy on every channel.
    if (channel === REMAINDER_CHANNEL || check.name === 'emulation') return true;
    const isOfChannel = check.name === 'run length' || check.name === 'sample clock' || check.name === 'meter readings';
    const own = isOfChannel ? check.facts.channel : null;
    return (own ?? primary) === channel;
  });
}

export function getStanding({ findings, comparison: { verdict, channel } }: Compared): Standing {
  return verdict === 'failed' || failedChecks(findings, channel).length === 0 ? verdict : 'untrusted';
}

/** Presentation of a verdict. An estimated or emulated change has its own symbol and color, unlike a measured one. */
export type Shown = Standing | 'unmeasured-increase' | 'unmeasured-decrease';

/** Presentation of a comparison, which depends on the source of its channel's numbers. */
export function shownAs(compared: Compared): Shown {
  const { findings, comparison } = compared;
  return getMark(findings, getStanding(compared), comparison.channel);
}

/** The mark of a verdict on a channel, by default the primary one. */
export function getMark({ meter }: Findings, standing: Standing, channel: string | null = null): Shown {
  const source = channelSource(meter, channel);
  const isUnmeasured = source === 'modelled' || source === 'emulated';
  return isUnmeasured && (standing === 'increase' || standing === 'decrease') ? `unmeasured-${standing}` : standing;
}

/** Order of presentation: failed, then changed (largest first), then open, then equal. */
const RANK: Readonly<Record<Standing, number>> = {
  failed: 0,
  untrusted: 0.5,
  increase: 1,
  decrease: 1,
  inconclusive: 2,
  'changed-within-margin': 3,
  equivalent: 4,
};

export function byInterest(comparisons: readonly Comparison[]): Comparison[] {
  return [...comparisons].sort((a, b) => RANK[a.verdict] - RANK[b.verdict] || size(b) - size(a));
}

/** Order of presentation for comparisons of several experiments. */
export function rankByInterest<Of extends Compared>(compared: readonly Of[]): Of[] {
  const ranked = compared.map((of) => ({ of, rank: RANK[getStanding(of)] }));
  return ranked.sort((a, b) => a.rank - b.rank || size(b.of.comparison) - size(a.of.comparison)).map(({ of }) => of);
}

const size = ({ percent: { estimate } }: Comparison): number => Math.abs(estimate ?? 0);

export const isChanged = ({ verdict }: Comparison): boolean => verdict === 'increase' || verdict === 'decrease';

export function primaryChannel({ meter, comparisons }: Findings): string | null {
  return meter.channels[0] ?? comparisons[0]?.channel ?? null;
}

/** Comparisons on the primary channel, which the verdict is about. */
export function primaryComparisons(findings: Findings): Comparison[] {
  const channel = primaryChannel(findings);
  const primary = findings.comparisons.filter((c) => c.channel === channel);
  return primary.length > 0 ? primary : [...findings.comparisons];
}

/** Whether it is an A/A experiment: one variant against itself. */
export function isOnlyNoise({ variants, quality }: Findings): boolean {
  return variants.length === 1 && quality.noise_floor?.source === 'inline';
}

/** Thresholds that fail the job. */
export const failing = ({ thresholds = [] }: Findings): ThresholdResult[] => thresholds.filter(({ fails }) => fails);

/** Sorts thresholds: failing, open, kept. */
export function byWeight(results: readonly ThresholdResult[]): ThresholdResult[] {
  const weight = ({ fails, state }: ThresholdResult): number => (fails ? 0 : state === 'open' ? 1 : 2);
  return [...results].sort((a, b) => weight(a) - weight(b));
}

/** The benchmarks of a suite that are in this state. */
export const benchmarksIn = ({ suite }: Findings, wanted: BenchmarkState) =>
  suite?.benchmarks.filter(({ state }) => state === wanted) ?? [];

export const hasBenchmark = (findings: Findings, wanted: BenchmarkState): boolean =>
  benchmarksIn(findings, wanted).length > 0;

/** Whether the experiment is complete, and each benchmark of a suite could be run and measured: no comparison is missing. */
export const isWhole = (findings: Findings): boolean =>
  findings.experiment.complete && !hasBenchmark(findings, 'failed') && !hasBenchmark(findings, 'invalid');

/** Whether there is something to report: a change on any channel, a failing threshold, a failed check, a lost benchmark, or an early end. */
export function hasNews(findings: Findings): boolean {
  const { comparisons, thresholds = [], quality } = findings;
  return (
    !isWhole(findings) ||
    comparisons.some(isChanged) ||
    thresholds.some(({ fails, state }) => fails || state === 'crossed') ||
    quality.checks.some(({ state }) => state === 'fail')
  );
}
