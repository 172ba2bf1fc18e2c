import type { Check, CheckOf } from '../findings/checks.ts';
import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import { MIN_BLOCKS } from '../stats/signed-rank.ts';
import type { NoiseFloorRecord } from '../store/records.ts';
import { type GoodRun, isGood } from './assemble.ts';
import { percentChange } from './comparison/percent.ts';
import { takeSample } from './comparison/sample.ts';
import type { RunResult } from './results.ts';

export type NoiseFloor = NonNullable<Findings['quality']['noise_floor']>;

export interface SecondBaseline {
  readonly baseline: string;
  /** Name of the baseline's second arm. */
  readonly again: string;
  /** ISO 8601; null: not known. */
  readonly startedAt: string | null;
}

/** Noise floor from the two arms of the baseline. */
export interface NoiseFindings {
  readonly floor: NoiseFloor | null;
  /** Null: there is no check of it. */
  readonly check: CheckOf<'noise floor'> | null;
}

/**
 * The noise floor from two identical arms in the same blocks: the smallest ± x % that holds the whole 95 % interval of their difference,
 * that is the larger of its ends without its sign. The half-width alone would be smaller where the machine does tell the two apart.
 * Estimate and interval are those of every comparison (Hodges–Lehmann of the blocks' log ratios, exact signed-rank interval).
 * `runs` are of the primary channel.
 */
export function inlineNoiseFloor(
  runs: readonly RunResult[],
  { baseline, again, startedAt }: SecondBaseline,
): NoiseFindings {
  const of = (variant: string): GoodRun[] => runs.filter((run) => run.variant === variant).filter(isGood);
  const sample = takeSample(of(baseline), of(again));
  const blocks = sample.pairs?.length ?? 0;
  const { ci95 } = percentChange(sample);
  if (ci95 === null || blocks < MIN_BLOCKS || sample.constant) {
    const facts = { baseline, blocks, percent: null, ci95: null, small: [] };
    return { floor: null, check: { name: 'noise floor', state: 'warn', reason: 'unknown', facts } };
  }
  const percent = Math.max(...ci95.map(Math.abs));
  const floor = { percent, ci95, blocks, source: 'inline', measured_at: startedAt } as const;
  return { floor, check: makeFloorCheck(floor, baseline) };
}

/** The stored noise floor that `joulediff noise` measured earlier. */
export function storedNoiseFloor(record: NoiseFloorRecord): NoiseFloor {
  const { percent, ci95, blocks, measuredAt } = record;
  return { percent, ci95, blocks, source: 'stored', measured_at: measuredAt };
}

function makeFloorCheck({ percent, ci95, blocks }: NoiseFloor, baseline: string): CheckOf<'noise floor'> {
  const facts = { baseline, blocks, percent, ci95, small: [] };
  return ci95[0] <= 0 && ci95[1] >= 0
    ? { name: 'noise floor', state: 'ok', reason: 'alike', facts }
    : { name: 'noise floor', state: 'warn', reason: 'apart', facts };
}

/** Adds the checks of the noise floor to the findings. */
export function withNoiseChecks(findings: Findings, noise: NoiseFindings): Findings {
  const { quality, comparisons, meter } = findings;
  const primary = comparisons.filter((c) => c.channel === meter.channels[0]);
  return { ...findings, quality: { ...quality, checks: [...quality.checks, ...noiseChecks(noise, primary)] } };
}

/** Checks for changes that are not larger than the noise floor and may come from the machine. */
function noiseChecks({ floor, check }: NoiseFindings, comparisons: readonly Comparison[]): Check[] {
  const own = check === null ? [] : [check];
  if (floor === null) return own;
  const small = comparisons
    .filter((c) => isChange(c) && Math.abs(c.percent.estimate ?? 0) <= floor.percent)
    .map((c) => c.variant);
  if (small.length === 0) return own;
  if (check?.reason === 'apart') return [{ ...check, facts: { ...check.facts, small } }];
  const { blocks, percent, ci95 } = floor;
  const facts = { baseline: comparisons[0]?.baseline ?? '', blocks, percent, ci95, small };
  return [{ name: 'noise floor', state: 'warn', reason: 'small-change', facts }];
}

function isChange({ verdict }: Comparison): boolean {
  return verdict === 'increase' || verdict === 'decrease';
}
