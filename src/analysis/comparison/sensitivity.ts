import type { Comparison } from '../../findings/comparison.ts';
import { flagged } from '../../stats/quantiles.ts';
import type { ComparedRun } from './pairing.ts';
import { interval95, ratioPercent } from './percent.ts';
import type { Sample } from './sample.ts';
import { flaggedRuns, isTailEffect } from './tail.ts';

type Line = Comparison['sensitivity']['without_flagged'];

/** Minimum blocks for leaving out the first quarter. */
const MIN_FOR_QUARTER = 8;

/** The headline under alternative choices, for information; the verdict never uses it. Its lines need blocks. */
export function sensitivity(sample: Sample, tail: Comparison['tail']): Comparison['sensitivity'] {
  const odd = { baseline: flaggedRuns(sample.baseline), variant: flaggedRuns(sample.variant) };
  return {
    without_flagged: withoutFlagged(sample, new Set([...(odd.baseline ?? []), ...(odd.variant ?? [])])),
    without_first_quarter: withoutFirstQuarter(sample),
    tail_effect: isTailEffect(tail),
  };
}

function withoutFlagged({ pairs, logRatios }: Sample, odd: ReadonlySet<ComparedRun>): Line {
  if (pairs === null || logRatios === null) return null;
  const oddRatios = new Set(flagged(logRatios) ?? []);
  const kept = logRatios.filter((_, i) => {
    const pair = pairs[i];
    return pair !== undefined && !oddRatios.has(i) && !odd.has(pair.baseline) && !odd.has(pair.variant);
  });
  return kept.length < logRatios.length ? line(kept) : null;
}

function withoutFirstQuarter({ logRatios }: Sample): Line {
  if (logRatios === null || logRatios.length < MIN_FOR_QUARTER) return null;
  return line(logRatios.slice(Math.floor(logRatios.length / 4)));
}

function line(logRatios: readonly number[]): Line {
  const percent = ratioPercent(logRatios);
  if (percent.estimate === null) return null;
  return { blocks: logRatios.length, estimate: percent.estimate, ci95: interval95(percent) };
}
