import { benchmarksByVariant, type Suite } from '../experiment/suite.ts';
import type { Comparison, EndReason } from '../findings/comparison.ts';
import type { ThresholdResult } from '../findings/goals.ts';
import type { Interval } from '../findings/numbers.ts';
import type { InterimPlan } from '../schedule/interims.ts';
import { planProgress } from '../schedule/plan-progress.ts';
import type { DroppedBenchmarks } from '../schedule/queue.ts';
import { lanDeMets } from '../stats/lan-demets.ts';
import type { StoreReader } from '../store/reader.ts';
import type { InterimRecord } from '../store/records.ts';
import { comparisons } from './assemble.ts';
import { chanceToSettle, openFamily, toOpenComparison } from './comparison/to-settle.ts';
import { REMAINDER_CHANNEL, remainderRuns, wholeAndInside } from './remainder.ts';
import { runEnergies } from './run-energies.ts';
import { comparedSuite, findLastBlocks, findLooping, settledBenchmarks, suiteFindings } from './suite.ts';
import { judgeThresholds } from './thresholds.ts';

/** Total type I error of a plan with interim analyses. */
const ALPHA = 0.05;

/** Futility bound: below this chance to settle a comparison by the last block, the experiment ends. Ending adds no false positives. */
const FUTILE = 0.1;

/** The level of each interim analysis, by Lan and DeMets: known before anything is measured. */
export function nominalLevels({ planned, spending }: Pick<InterimPlan, 'planned' | 'spending'>): number[] {
  const most = planned.at(-1) ?? 0;
  const shares = planned.map((blocks) => blocks / most);
  return lanDeMets(shares, ALPHA, spending).map(({ nominalP }) => nominalP);
}

/**
 * The decision at an interim analysis, numbered from 1, by what the file holds of its blocks: the comparisons on the primary channel, and those
 * that `fail-on` names. Reads the samples of these channels only, between two runs.
 */
export function analyzeInterim(reader: StoreReader, plan: InterimPlan, number: number): InterimFound {
  const blocks = plan.planned[number - 1] as number;
  const { baseline, marginPercent, seed } = reader.experiment();
  const { failOn = [], suite, comparisons: pairs } = reader.definition();
  const named = new Set(failOn.map(({ channel }) => channel));
  const recorded = reader.channels();
  const pair = named.has(REMAINDER_CHANNEL) ? wholeAndInside(recorded) : null;
  const parts = pair && [pair.whole, pair.inside];
  const read = recorded.filter((one, i) => i === 0 || named.has(one.channel) || parts?.includes(one));
  const channels = [...read.map(({ channel }) => channel), ...(pair ? [REMAINDER_CHANNEL] : [])];
  const metered = runEnergies({ ...reader, channels: () => read }).runs;
  const runs = pair ? [...metered, ...remainderRuns(metered, recorded)] : metered;
  const through = runs.filter((run) => run.block !== null && run.block <= blocks);
  const looks = { ...plan, through: blocks, stoppedBecause: null, lastBlocks: findLastBlocks(reader) };
  const variants = reader.variants().filter(({ hidden }) => !hidden);
  const compared = suite && comparedSuite(suite, through, read[0]!, findDropped(reader, suite), findLooping(reader));
  const all = comparisons(through, {
    baseline,
    variants: variants.map(({ name }) => name),
    channels,
    marginPercent,
    seed,
    looks,
    verdictOnly: true,
    pairs: compared?.pairs ?? pairs,
  });
  const found = {
    comparisons: all,
    meter: { channels },
    experiment: { baseline, complete: true },
    ...(compared && {
      suite: suiteFindings(
        compared,
        through.filter(({ channel }) => channel === channels[0]),
        marginPercent,
        looks,
      ),
    }),
  };
  // More blocks don't settle a limit on an energy itself: its uncertainty is that of the meter.
  const ofChanges = failOn.filter(({ of }) => typeof of !== 'object');
  const judged = all.filter(({ channel }) => channel === channels[0]);
  // No number of blocks decides a threshold of what is not compared here, or that still has no interval after more blocks than the first ones.
  const isOpen = ({ state, obstacle, ci95 }: ThresholdResult): boolean =>
    state === 'open' && obstacle !== 'no-comparison' && (ci95 !== null || number === 1);
  const open = judgeThresholds(found, through, ofChanges, looks).filter(isOpen);
  const ps = judged.map(({ tests }) => tests.wilcoxon_signed_rank?.p ?? null);
  const known = ps.filter((p) => p !== null);
  const record = {
    look: number,
    blocks,
    nominalP: nominalLevels(plan)[number - 1] as number,
    p: known.length < ps.length || ps.length === 0 ? null : Math.max(...known),
    because: endsAt(number, plan, { judged, open, marginPercent }),
  };
  return { record, settled: plan.endsWhen === 'settled' && open.length === 0 ? settledBenchmarks(judged) : [] };
}

export interface InterimFound {
  readonly record: InterimRecord;
  /** Benchmarks of a suite whose comparisons need no more blocks. */
  readonly settled: readonly string[];
}

/** Benchmarks given up so far. */
function findDropped(reader: StoreReader, suite: Suite): DroppedBenchmarks {
  const benchmarks = benchmarksByVariant(suite);
  const { repetitions } = reader.experiment();
  return planProgress({ planned: reader.plannedRuns(), runs: reader.runs(), looks: [], repetitions, benchmarks })
    .dropped;
}

/** A preliminary estimate of a change, for the progress display. */
export interface SoFar {
  readonly variant: string;
  readonly percent: number;
  /** 95 % t interval of the mean log ratio, percent. */
  readonly ci95: Interval;
}

/** Minimum number of blocks for a preliminary estimate: fewer don't show their scatter. */
const MIN_SHOWN = 3;

/**
 * What the blocks show so far on the primary channel, the last block of the warm-up with them where it was like the others. Nothing is ever
 * decided by it. Empty before three blocks.
 */
export function soFar(reader: StoreReader): SoFar[] {
  const { baseline, marginPercent, seed } = reader.experiment();
  const [primary] = reader.channels();
  // The line has no room for the benchmarks of a suite.
  if (primary === undefined || reader.definition().suite !== undefined) return [];
  const { runs } = runEnergies({ ...reader, channels: () => [primary] });
  const executions = runs.find(({ status }) => status === 'ok')?.executions;
  const like = runs.map((run) =>
    run.status === 'warmup' && run.block === 0 && run.executions === executions
      ? { ...run, status: 'ok' as const }
      : run,
  );
  const variants = reader.variants().filter(({ hidden }) => !hidden);
  const question = {
    baseline,
    pairs: reader.definition().comparisons,
    variants: variants.map(({ name }) => name),
    channels: [primary.channel],
  };
  return comparisons(like, { ...question, marginPercent, seed, verdictOnly: true }).flatMap(
    ({ variant, blocks, percent }) => {
      const { mean_log: mean, mean_log_ci95: ci95 } = percent;
      if ((blocks ?? 0) < MIN_SHOWN || mean === null || ci95 === null) return [];
      return [{ variant, percent: mean, ci95 }];
    },
  );
}

/** What an interim analysis found. */
export interface InterimState {
  /** Comparisons on the primary channel. */
  readonly judged: readonly Comparison[];
  /** Thresholds that are not decided yet. */
  readonly open: readonly OpenThreshold[];
  readonly marginPercent: number;
}

type OpenThreshold = Pick<ThresholdResult, 'estimate' | 'ci95' | 'limit' | 'metric'>;

/** Why an experiment with this plan ends at this analysis; null: it goes on. */
export function endsAt(number: number, plan: InterimPlan, state: InterimState): EndReason | null {
  const { judged, open, marginPercent } = state;
  const all = (holds: (comparison: Comparison) => boolean): boolean => judged.length > 0 && judged.every(holds);
  switch (plan.endsWhen) {
    case 'changed':
      if (open.length === 0 && all(isChanged)) return 'changed';
      break;
    case 'precise':
      if (all(({ percent: { ci95 } }) => ci95 !== null && (ci95[1] - ci95[0]) / 2 <= (plan.wantPercent ?? 0)))
        return 'precise';
      break;
    case 'settled': {
      if (open.length === 0 && all(isSettled)) return 'settled';
      const most = plan.planned.at(-1) as number;
      const unsettled = judged.filter((comparison) => !isSettled(comparison));
      if (
        number < plan.planned.length &&
        unsettled.length > 0 &&
        unsettled.every((one) => isHopeless(one, judged, marginPercent, most)) &&
        open.every((one) => isHopelessThreshold(one, number, plan))
      ) {
        return 'futile';
      }
    }
  }
  return number === plan.planned.length ? 'complete' : null;
}

/** Whether a change is shown, by the verdict and by p: the intervals allow for the meter's steps and for Holm's method over the other comparisons. */
function isChanged({ verdict, tests, look }: Comparison): boolean {
  const p = tests.wilcoxon_signed_rank?.p ?? 1;
  return verdict !== 'inconclusive' && verdict !== 'equivalent' && p <= (look?.nominal_p ?? 0);
}

const isSettled = ({ verdict }: Comparison): boolean => verdict !== 'inconclusive';

/** Whether only more blocks could settle the comparison, and the remaining ones probably will not. */
function isHopeless(
  { reason, blocks, percent, family_size, benchmark }: Comparison,
  judged: readonly Comparison[],
  marginPercent: number,
  most: number,
): boolean {
  if (reason !== 'open' && reason !== 'several') return false;
  const isSuite = benchmark !== undefined;
  const adjusted = judged.map((one) => (isSuite ? one.p_benjamini_hochberg : one.p_holm));
  const open = toOpenComparison(blocks ?? 0, percent, marginPercent, openFamily(family_size, adjusted, isSuite));
  return open !== null && most > open.blocks && chanceToSettle(open, most) < FUTILE;
}

/** Whether the remaining blocks probably will not show on which side of its limit the change is. */
function isHopelessThreshold(
  { estimate, ci95, limit, metric }: OpenThreshold,
  number: number,
  plan: InterimPlan,
): boolean {
  if (estimate === null || ci95 === null) return false;
  const scaled = (value: number): number => (metric === 'percent' ? Math.log1p(value / 100) : value);
  const open = {
    blocks: plan.planned[number - 1] as number,
    estimate: scaled(estimate) - scaled(limit),
    half95: (scaled(ci95[1]) - scaled(ci95[0])) / 2,
    confidence: 1 - (nominalLevels(plan)[number - 1] as number),
    half90: 0,
    margin: 0,
    family: 1,
  };
  return chanceToSettle(open, plan.planned.at(-1) as number) < FUTILE;
}
