import type { SuitePair } from '../../experiment/suite.ts';
import type { SerialStatistics } from '../../findings/numbers.ts';
import { logRatio } from '../../stats/log-ratio.ts';
import { serialStatistics } from '../../stats/serial.ts';
import { type GoodRun, isGood } from '../assemble.ts';
import { pairBlocks } from '../comparison/pairing.ts';
import type { RunResult } from '../results.ts';

export interface CheckedOptions {
  /** The primary channel. */
  readonly channel: string;
  readonly baseline: string;
  /** What is compared with what; absent: every variant with the baseline. */
  readonly pairs?: readonly Pick<SuitePair, 'baseline' | 'variant'>[] | undefined;
  /** Second arm of the baseline, which is checked only as what ran before others; absent: there is none. */
  readonly hidden?: string | undefined;
}

/** Runs for the checks: those of one channel, in chronological order. */
export interface CheckedRuns {
  /** Every execution, including warm-ups and excluded runs. */
  readonly all: readonly RunResult[];
  /** What ran one after the other: all of them, and those of the hidden arm under the name of the baseline. */
  readonly sequence: readonly Pick<RunResult, 'run' | 'block' | 'variant'>[];
  /** Compared runs, with an energy above zero. */
  readonly good: readonly GoodRun[];
  /** That of the experiment. A pair has its own. */
  readonly baseline: string;
  /** Names of all variants, the baseline first. */
  readonly variants: readonly string[];
  readonly pairs: readonly CheckedPair[];
  /** Whether the runs have blocks. */
  readonly blocked: boolean;
}

/** One comparison, block by block in chronological order. */
export interface CheckedPair {
  readonly baseline: string;
  readonly variant: string;
  /** Empty without blocks. */
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
  { channel, baseline, pairs, hidden }: CheckedOptions,
): CheckedRuns {
  const ofChannel = runs.filter((run) => run.channel === channel).sort((a, b) => a.run - b.run);
  const all = ofChannel.filter(({ variant }) => variant !== hidden);
  const good = all.filter(isGood).filter((run) => run.energyJ > 0);
  const others = [...new Set(all.map((run) => run.variant))].filter((variant) => variant !== baseline).sort();
  const asked = pairs ?? others.map((variant) => ({ baseline, variant }));
  return {
    all,
    sequence: ofChannel.map(({ run, block, variant }) => ({
      run,
      block,
      variant: variant === hidden ? baseline : variant,
    })),
    good,
    baseline,
    variants: [baseline, ...others],
    pairs: asked.map((pair) => ({ ...pair, blocks: blockDifferences(good, pair) })),
    blocked: good.some((run) => run.block !== null),
  };
}

function blockDifferences(
  good: readonly GoodRun[],
  { baseline, variant }: Pick<SuitePair, 'baseline' | 'variant'>,
): BlockDifference[] {
  const of = (name: string): GoodRun[] => good.filter((run) => run.variant === name);
  const blocks = (pairBlocks(of(baseline), of(variant)) ?? []).map((pair) => {
    const baselineFirst = pair.baseline.run < pair.variant.run;
    const [first, second] = baselineFirst ? [pair.baseline, pair.variant] : [pair.variant, pair.baseline];
    return { d: logRatio(pair.baseline.energyJ, pair.variant.energyJ), baselineFirst, first, second };
  });
  return blocks.sort((a, b) => a.second.run - b.second.run);
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
  return serialStatistics(machineSeries(checkedRuns(runs, { channel, baseline }).good));
}
