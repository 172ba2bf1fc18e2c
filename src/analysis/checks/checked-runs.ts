import type { SuitePair } from '../../experiment/suite.ts';
import type { SerialStatistics } from '../../findings/numbers.ts';
import { logRatio } from '../../stats/log-ratio.ts';
import { serialStatistics } from '../../stats/serial.ts';
import { type GoodRun, isGood } from '../assemble.ts';
import { pairBlocks } from '../comparison/pairing.ts';
import type { RunResult } from '../results.ts';

/** Runs for the checks: those of one channel, in chronological order. */
export interface CheckedRuns {
  /** Every execution, including warm-ups and excluded runs. */
  readonly all: readonly RunResult[];
  /** Compared runs, with an energy above zero. */
  readonly good: readonly GoodRun[];
  readonly baseline: string;
  /** Names of all variants except the baseline. */
  readonly others: readonly string[];
  /** Baseline of one of the other variants; null: it has none, since it is a benchmark's baseline itself. */
  baselineOf(variant: string): string | null;
  /** Pairs of each other variant and its baseline; null: the runs have no blocks. */
  readonly differences: readonly Differences[] | null;
}

/** One comparison, block by block in chronological order. */
export interface Differences {
  readonly variant: string;
  readonly blocks: readonly BlockDifference[];
}

export interface BlockDifference {
  /** ln(variant/baseline) of the energies. */
  readonly d: number;
  readonly baselineFirst: boolean;
  readonly first: GoodRun;
  readonly second: GoodRun;
}

/** `runs` may be of several channels, in any order. */
export function checkedRuns(
  runs: readonly RunResult[],
  channel: string,
  baseline: string,
  pairs?: readonly SuitePair[],
): CheckedRuns {
  const baselines = pairs && new Map(pairs.map((pair) => [pair.variant, pair.baseline]));
  const baselineOf = (variant: string): string | null =>
    baselines === undefined ? baseline : (baselines.get(variant) ?? null);
  const all = runs.filter((run) => run.channel === channel).sort((a, b) => a.run - b.run);
  const good = all.filter(isGood).filter((run) => run.energyJ > 0);
  const others = [...new Set(all.map((run) => run.variant))].filter((variant) => variant !== baseline).sort();
  const blocked = good.some((run) => run.block !== null);
  return {
    all,
    good,
    baseline,
    others,
    baselineOf,
    differences: blocked
      ? others.flatMap((v) => {
          const own = baselineOf(v);
          return own === null ? [] : [computeDifferences(good, own, v)];
        })
      : null,
  };
}

function computeDifferences(good: readonly GoodRun[], baseline: string, variant: string): Differences {
  const of = (name: string): GoodRun[] => good.filter((run) => run.variant === name);
  const pairs = pairBlocks(of(baseline), of(variant)) as { baseline: GoodRun; variant: GoodRun }[] | null;
  const blocks = (pairs ?? []).map((pair) => {
    const baselineFirst = pair.baseline.run < pair.variant.run;
    const [first, second] = baselineFirst ? [pair.baseline, pair.variant] : [pair.variant, pair.baseline];
    return { d: logRatio(pair.baseline.energyJ, pair.variant.energyJ), baselineFirst, first, second };
  });
  return { variant, blocks: blocks.sort((a, b) => a.second.run - b.second.run) };
}

/** ln E of each run minus the mean of its variant: what remains is the machine's influence. */
export function machineSeries(good: readonly GoodRun[]): number[] {
  const logs = good.map((run) => Math.log(run.energyJ));
  const means = new Map<string, number>();
  for (const [variant, places] of Map.groupBy(good.keys(), (i) => good[i]?.variant ?? '')) {
    means.set(variant, places.reduce((sum, i) => sum + (logs[i] as number), 0) / places.length);
  }
  return logs.map((log, i) => log - (means.get(good[i]?.variant ?? '') as number));
}

/** Statistics of the machine's influence during the experiment, from the compared runs of one channel. */
export function machineStatistics(runs: readonly RunResult[], channel: string, baseline: string): SerialStatistics {
  return serialStatistics(machineSeries(checkedRuns(runs, channel, baseline).good));
}
