import type { Check } from '../findings/checks.ts';
import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import type { Interval } from '../findings/numbers.ts';
import type { NoiseFloorRecord } from '../store/records.ts';
import { type GoodRun, isGood } from './assemble.ts';
import { percentChange } from './comparison/percent.ts';
import { takeSample } from './comparison/sample.ts';
import { decimalsFor, fixed, significant } from './numbers.ts';
import type { RunResult } from './results.ts';
import { LEAST_BLOCKS } from './verdict.ts';

export type NoiseFloor = NonNullable<Findings['quality']['noise_floor']>;

export interface SecondBaseline {
  readonly baseline: string;
  /** Name of its second arm. */
  readonly again: string;
  /** ISO 8601; null: not known. */
  readonly startedAt: string | null;
}

/** What the two arms of the baseline have shown. */
export interface NoiseFindings {
  readonly floor: NoiseFloor | null;
  /** Null: nothing is to be said of it. */
  readonly check: Check | null;
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
  if (ci95 === null || blocks < LEAST_BLOCKS || sample.constant) return { floor: null, check: unknown(blocks) };
  const percent = Math.max(...ci95.map(Math.abs));
  const floor = { percent, ci95, blocks, source: 'inline', measured_at: startedAt } as const;
  return { floor, check: inlineCheck(floor, baseline) };
}

/** Measured before, by `joulediff noise`. */
export function storedNoiseFloor(record: NoiseFloorRecord): NoiseFloor {
  const { percent, ci95, blocks, measuredAt } = record;
  return { percent, ci95, blocks, source: 'stored', measured_at: measuredAt };
}

const name = 'noise floor';

function unknown(blocks: number): Check {
  const detail = `The noise floor is not known: it needs ${LEAST_BLOCKS} blocks in which both arms of the baseline have an energy above zero that is not always the same, and there are ${blocks}.`;
  return { name, state: 'warn', detail, advice: 'Give more repetitions.' };
}

function inlineCheck({ percent, ci95, blocks }: NoiseFloor, baseline: string): Check {
  const interval = `95 % interval ${intervalText(ci95)}, ${blocks} blocks`;
  if (ci95[0] <= 0 && ci95[1] >= 0) {
    const detail = `Two identical arms of ${baseline} differ by no more than ±${significant(percent, 2)} % (${interval}).`;
    return { name, state: 'ok', detail, advice: null };
  }
  return {
    name,
    state: 'warn',
    detail: `The machine tells two identical arms of ${baseline} apart (${interval}), as chance alone does in one experiment in twenty.`,
    advice: `Take no difference below ${significant(percent, 2)} % for one of the variants. Measure again: if it comes back, find out what changes from run to run, and rest longer.`,
  };
}

/** `−0.3 to 0.9 %`. */
function intervalText(interval: Interval): string {
  const decimals = decimalsFor(interval);
  return `${fixed(interval[0], decimals)} to ${fixed(interval[1], decimals)} %`;
}

/** The findings with what is to be said of the noise floor. */
export function withNoiseChecks(findings: Findings, noise: NoiseFindings): Findings {
  const { quality, comparisons, meter } = findings;
  const primary = comparisons.filter((c) => c.channel === meter.channels[0]);
  return { ...findings, quality: { ...quality, checks: [...quality.checks, ...noiseChecks(noise, primary)] } };
}

/** A change that is shown, but not larger than the noise floor, may be the machine's. */
function noiseChecks({ floor, check }: NoiseFindings, comparisons: readonly Comparison[]): Check[] {
  const own = check === null ? [] : [check];
  if (floor === null) return own;
  const small = comparisons
    .filter((c) => isChange(c) && Math.abs(c.percent.estimate ?? 0) <= floor.percent)
    .map((c) => c.variant);
  if (small.length === 0) return own;
  const listed = small.length > 3 ? `${small.slice(0, 3).join(', ')} and ${small.length - 3} more` : small.join(', ');
  const detail = `The change of ${listed} is not larger than what two identical variants may differ by here (±${significant(floor.percent, 2)} %).`;
  if (check?.state === 'warn') return [{ ...check, detail: `${check.detail} ${detail}` }];
  const advice = 'It may be the machine’s: measure again, with more repetitions, before you act on it.';
  return [{ name, state: 'warn', detail, advice }];
}

function isChange({ verdict }: Comparison): boolean {
  return verdict === 'increase' || verdict === 'decrease';
}
