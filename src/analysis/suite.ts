import { loopsItself } from '../executors/repeat.ts';
import { isRun, pairsOf, type Suite, type SuitePair } from '../experiment/suite.ts';
import type { Comparison } from '../findings/comparison.ts';
import type { BenchmarkState, SuiteFindings, SuiteMean } from '../findings/suite.ts';
import { CLEARLY_LONGER, MIN_READINGS } from '../schedule/batch.ts';
import type { DroppedBenchmarks } from '../schedule/queue.ts';
import { logRatio } from '../stats/log-ratio.ts';
import { signedRank } from '../stats/signed-rank.ts';
import { isConstant, moments } from '../stats/sums.ts';
import type { StoreReader } from '../store/reader.ts';
import type { ChannelRecord } from '../store/records.ts';
import { completedBlocks, isGood } from './assemble.ts';
import { stepWidening, withRoom } from './comparison/coarse.ts';
import { contradictionOfBlocks } from './comparison/contradictions.ts';
import { type Interims, interimsOf, repeatedIntervals } from './comparison/interim.ts';
import { ratioPercent } from './comparison/percent.ts';
import { takeSample } from './comparison/sample.ts';
import type { RunResult } from './results.ts';
import { decideChecked } from './verdict.ts';

/** False discovery rate for the changes found in a suite. */
export const FALSE_DISCOVERIES = 0.05;

/** Minimum window for a counter, seconds: in a shorter one, its edges dominate over the benchmark. */
const MIN_COUNTER_S = 0.1;

/** The benchmarks of a suite that can be compared. */
export interface ComparedSuite {
  readonly suite: Suite;
  readonly states: ReadonlyMap<string, BenchmarkState>;
  readonly pairs: readonly SuitePair[];
}

/** `runs`: of the primary channel. `loops`: variants whose command repeats itself. */
export function comparedSuite(
  suite: Suite,
  runs: readonly RunResult[],
  primary: Pick<ChannelRecord, 'integration' | 'samplingPeriodS'>,
  dropped: DroppedBenchmarks,
  loops: ReadonlySet<string>,
): ComparedSuite {
  const all = pairsOf(suite);
  const leastS = primary.integration === 'counter' ? MIN_COUNTER_S : MIN_READINGS * primary.samplingPeriodS;
  const lengths = shortest(runs.filter(({ status }) => status === 'ok'));
  const starts = shortest(runs.filter(({ executions }) => executions === 1));
  const several = new Set(runs.flatMap(({ variant, executions }) => ((executions ?? 1) > 1 ? [variant] : [])));
  /** Whether the start of a self-repeating command, known from a run of one execution, still dominates the window. */
  const isHidden = (cell: string): boolean =>
    loops.has(cell) && several.has(cell) && (lengths.get(cell) ?? 0) < CLEARLY_LONGER * (starts.get(cell) ?? 0);
  const isShort = (name: string): boolean =>
    all
      .filter(({ benchmark }) => benchmark === name)
      .some(({ baseline, variant }) =>
        [baseline, variant].some((cell) => (lengths.get(cell) ?? leastS) < leastS || isHidden(cell)),
      );
  const [baseline = ''] = suite.variants;
  const states = new Map(
    suite.benchmarks.map((one): [string, BenchmarkState] => {
      const { name, on } = one;
      if (!isRun(one, suite)) return [name, on.includes(baseline) ? 'gone' : 'new'];
      return [name, dropped.get(name) ?? (isShort(name) ? 'too-short' : 'compared')];
    }),
  );
  return { suite, states, pairs: all.filter(({ benchmark }) => states.get(benchmark) === 'compared') };
}

/** Blocks of the benchmark with most of them, since a settled benchmark ends early. */
export function suiteBlocks({ pairs }: ComparedSuite, runs: readonly RunResult[]): number {
  const cells = Map.groupBy(pairs, ({ baseline }) => baseline);
  const counts = [...cells].map(([baseline, own]) => {
    const names = new Set([baseline, ...own.map(({ variant }) => variant)]);
    return completedBlocks(
      runs.filter(({ variant }) => names.has(variant)),
      names.size,
    );
  });
  return Math.max(0, ...counts);
}

/** The last planned block of each variant. */
export function findLastBlocks(reader: Pick<StoreReader, 'plannedRuns'>): Map<string, number> {
  const last = new Map<string, number>();
  for (const { variant, block } of reader.plannedRuns()) last.set(variant, Math.max(block, last.get(variant) ?? block));
  return last;
}

/**
 * Benchmarks whose comparisons can't change any more, whatever the others show: equivalent, or changed even if no other one is. More
 * blocks would not help them.
 */
export function settledBenchmarks(comparisons: readonly Comparison[]): string[] {
  const isLasting = ({ verdict, p_holm: within, look, tests, family_size: all }: Comparison): boolean => {
    if (verdict === 'inconclusive' || verdict === 'failed') return false;
    if (verdict === 'equivalent') return true;
    const p = within ?? look?.repeated_p ?? tests.wilcoxon_signed_rank?.p ?? 1;
    return p * all < FALSE_DISCOVERIES;
  };
  const groups = Map.groupBy(comparisons, ({ benchmark }) => benchmark ?? '');
  return [...groups].flatMap(([name, own]) => (name !== '' && own.every(isLasting) ? [name] : []));
}

/** Length of the shortest window of each variant, seconds. */
function shortest(runs: readonly RunResult[]): Map<string, number> {
  const least = new Map<string, number>();
  for (const { variant, durationS } of runs) {
    const before = least.get(variant);
    if (durationS !== null && (before === undefined || durationS < before)) least.set(variant, durationS);
  }
  return least;
}

/** Variants whose command repeats itself and gets the number of executions. */
export const findLooping = (reader: Pick<StoreReader, 'variants'>): Set<string> =>
  new Set(reader.variants().flatMap(({ name, definition }) => (loopsItself(definition.workload.run) ? [name] : [])));

/** Findings of a suite in addition to its comparisons. `runs`: those of the primary channel. `looks`: its interim analyses, if there are any. */
export function suiteFindings(
  { suite, states, pairs }: ComparedSuite,
  runs: readonly RunResult[],
  marginPercent: number,
  looks: Interims | null = null,
): SuiteFindings {
  const [baseline = '', ...others] = suite.variants;
  return {
    variants: [...suite.variants],
    benchmarks: [...states].map(([name, state]) => ({ name, state })),
    means: others.flatMap((variant) => {
      const own = pairs.filter(({ of }) => of === variant);
      return own.length === 0 ? [] : [{ baseline, variant, ...meanOf(own, runs, marginPercent, looks) }];
    }),
    false_discovery_rate: FALSE_DISCOVERIES,
  };
}

/** Mean log ratio of the benchmarks, for each block with all of them. */
export function blockMeans(
  pairs: readonly Pick<SuitePair, 'baseline' | 'variant'>[],
  runs: readonly RunResult[],
): number[] {
  if (pairs.length === 0) return [];
  const energies = new Map<string, number>();
  const blocks = new Set<number>();
  for (const run of runs) {
    if (!isGood(run) || run.block === null || run.energyJ <= 0) continue;
    energies.set(`${run.block}\0${run.variant}`, run.energyJ);
    blocks.add(run.block);
  }
  return [...blocks]
    .sort((a, b) => a - b)
    .flatMap((block) => {
      const logs = pairs.flatMap(({ baseline, variant }) => {
        const [x, y] = [energies.get(`${block}\0${baseline}`), energies.get(`${block}\0${variant}`)];
        return x === undefined || y === undefined ? [] : [logRatio(x, y)];
      });
      return logs.length < pairs.length ? [] : [moments(logs).mean];
    });
}

function meanOf(
  pairs: readonly SuitePair[],
  runs: readonly RunResult[],
  marginPercent: number,
  looks: Interims | null,
): Omit<SuiteMean, 'baseline' | 'variant'> {
  const logs = blockMeans(pairs, runs);
  const found = ratioPercent(logs.length === 0 ? null : logs);
  const variants = pairs.map(({ variant }) => variant);
  const own = looks && interimsOf(looks, variants);
  const repeated = own && repeatedIntervals(logs, own)?.percent;
  const of = (name: string) => runs.filter(({ variant }) => variant === name).filter(isGood);
  const rooms = pairs.map(({ baseline, variant }) => stepWidening(takeSample(of(baseline), of(variant))).log);
  const room = moments(rooms).mean;
  const obstacle = logs.length === 0 ? 'no-block' : logs.length > 1 && isConstant(logs) ? 'no-variation' : null;
  const none = obstacle === 'no-variation' && { ci95: null, ci90: null };
  const percent = { ...withRoom({ ...found, ...repeated }, room), ...none };
  const { verdict, reason } = decideChecked(percent, marginPercent, obstacle, null, {
    room,
    contradiction: () => contradictionOfBlocks(logs, marginPercent, 1),
  });
  return { benchmarks: pairs.length, blocks: logs.length, percent, p: signedRank(logs)?.p ?? null, verdict, reason };
}
