import { MARGIN, MAX_EXECUTIONS, MIN_READINGS } from '../schedule/batch.ts';
import { blocksWithin, interimPlan } from '../schedule/interims.ts';
import { toPercent } from '../stats/log-ratio.ts';
import { median } from '../stats/quantiles.ts';
import { MIN_BLOCKS } from '../stats/signed-rank.ts';
import { tQuantile } from '../stats/student.ts';
import { moments } from '../stats/sums.ts';
import type { StoreReader } from '../store/reader.ts';
import type { NoiseFloorRecord } from '../store/records.ts';
import { nominalLevels } from './analyze-interim.ts';
import { runEnergies } from './run-energies.ts';
import { blockSpread, SIGNED_RANK_EFFICIENCY } from './smallest-visible.ts';
import type { UncertainChannel } from './uncertainty.ts';

/** Properties of the blocks to come, as far as they are known before the first block; powers in watts, times in seconds. */
export interface AllocationRequest {
  readonly channel: UncertainChannel;
  readonly variants: number;
  readonly restS: number;
  readonly guardS: number;
  /** Executions of the command in each window; null: to be chosen. */
  readonly executions: number | null;
  /** Duration of one execution of the command, in the variant where it is shortest, seconds. */
  readonly executionS: number;
  /** Mean of that duration over the variants, seconds; absent: it is the same in all. */
  readonly meanExecutionS?: number;
  readonly powerW: number;
  readonly idleW: number;
  readonly fluctuationW: number;
  /** Standard deviation of a block's log ratio from the workload itself, without the meter's part. */
  readonly ownSpread: number;
  /** Wanted half-width of the 95 % interval, percentage points; absent: as narrow as possible. */
  readonly wantPercent?: number | undefined;
  readonly leftS: number;
  readonly leastBlocks: number;
  readonly mostBlocks: number;
}

/** How an experiment uses its time. */
export interface Allocation {
  /** Executions of the command in each window. */
  readonly executions: number;
  readonly blocks: number;
  /** Expected half-width of the 95 % interval, percentage points. */
  readonly halfPercent: number;
  readonly seconds: number;
}

/** The same where fewer blocks fit into its time, because they take longer than was expected. */
export function cutTo(blocks: number, all: Allocation): Allocation {
  return blocks < all.blocks ? { ...all, blocks, halfPercent: all.halfPercent * Math.sqrt(all.blocks / blocks) } : all;
}

/** Time of a run outside of its pauses and its window, seconds. */
const OVERHEAD_S = 0.1;
/** Candidate numbers of executions, about 20 % apart. */
const COUNTS = [...new Set(Array.from({ length: 52 }, (_, i) => Math.min(MAX_EXECUTIONS, Math.round(1.2 ** i))))];
/** Assumed standard deviation of a block's log ratio for an unknown workload. */
export const ASSUMED_SPREAD = 0.01;
const MIN_FREEDOM = 2;

/** Source of the scatter between blocks that a projection rests on. */
export type ScatterSource = 'noise-floor' | 'warm-up' | 'assumed';

interface WarmUpSummary extends Pick<AllocationRequest, 'executionS' | 'powerW' | 'idleW' | 'ownSpread'> {
  readonly meanExecutionS: number;
  /** Mean duration of a window, seconds. */
  readonly windowS: number;
  readonly scatter: ScatterSource;
}

/** Properties of the coming runs, from the warm-up; null: too little is known. `ownSpread` comes from the machine's noise floor if it has one. */
export function summarizeWarmUp(reader: StoreReader): WarmUpSummary | null {
  const [primary] = reader.channels();
  if (primary === undefined) return null;
  const { runs } = runEnergies({ ...reader, channels: () => [primary] });
  const seen = runs.flatMap(({ status, variant, durationS, energyJ, idlePowerW, executions: count }) =>
    status === 'warmup' && durationS && energyJ !== null && energyJ > 0
      ? [{ variant, executions: count ?? 1, durationS, energyJ, idlePowerW }]
      : [],
  );
  if (seen.length === 0) return null;
  const shortest = [...Map.groupBy(seen, ({ variant }) => variant).values()].map((runs) =>
    Math.min(...runs.map(({ durationS, executions }) => durationS / executions)),
  );
  const powers = seen.map(({ energyJ, durationS }) => energyJ / durationS);
  const idle = seen.flatMap(({ idlePowerW }) => idlePowerW ?? []);
  const [floor, pooled] = [floorSpread(reader.noiseFloor()), pooledSpread(seen)];
  return {
    executionS: Math.min(...shortest),
    meanExecutionS: moments(shortest).mean,
    windowS: moments(seen.map(({ durationS }) => durationS)).mean,
    powerW: median(powers),
    idleW: idle.length === 0 ? 0 : median(idle),
    ownSpread: floor ?? pooled ?? ASSUMED_SPREAD,
    scatter: floor !== null ? 'noise-floor' : pooled !== null ? 'warm-up' : 'assumed',
  };
}

/** Standard deviation of the blocks' log ratios, from the interval of a noise experiment. Null: none was done, or it had too few blocks. */
export function floorSpread(floor: NoiseFloorRecord | null): number | null {
  if (floor === null || floor.blocks < MIN_BLOCKS) return null;
  const [low, high] = floor.ci95;
  const half = (Math.log1p(high / 100) - Math.log1p(low / 100)) / 2;
  return (half * Math.sqrt(SIGNED_RANK_EFFICIENCY * floor.blocks)) / tQuantile(0.975, floor.blocks - 1);
}

/** Pooled standard deviation of runs with the same variant and number of executions. */
function pooledSpread(
  seen: readonly { readonly variant: string; readonly executions: number; readonly energyJ: number }[],
): number | null {
  const alike = Map.groupBy(seen, ({ variant, executions }) => `${executions} ${variant}`);
  let [squares, freedom] = [0, 0];
  for (const runs of alike.values()) {
    const { variance } = moments(runs.map(({ energyJ }) => Math.log(energyJ)));
    squares += (variance ?? 0) * (runs.length - 1);
    freedom += runs.length - 1;
  }
  return freedom < MIN_FREEDOM ? null : Math.sqrt((2 * squares) / freedom);
}

/**
 * Chooses executions per window and number of blocks that reach the wanted width soonest; if the time does not suffice, the narrowest
 * interval. Null: not even the minimum number of blocks fits, or no window is long enough. A projection from the meter's class and steps and the workload's own scatter, which
 * is assumed to be the same for any number of executions in a window.
 */
export function allocate(request: AllocationRequest): Allocation | null {
  const { channel, executionS, meanExecutionS = executionS, wantPercent, leftS, mostBlocks } = request;
  const shortestS = channel.integration === 'counter' ? 0 : MARGIN * MIN_READINGS * channel.samplingPeriodS;
  const least = Math.max(1, Math.ceil(shortestS / executionS));
  const free = [least, ...COUNTS].filter((executions) => executions >= least && executions <= MAX_EXECUTIONS);
  const found: Allocation[] = [];
  for (const executions of request.executions === null ? free : [request.executions]) {
    const lengthS = executions * executionS;
    const blockS = request.variants * (request.restS + executions * meanExecutionS + request.guardS + OVERHEAD_S);
    const most = Math.min(mostBlocks, blocksWithin(leftS, blockS));
    if (most < MIN_BLOCKS) break;
    const blocks = wantPercent === undefined ? most : fewest(request, lengthS, most);
    found.push({
      executions,
      blocks,
      halfPercent: halfPercent(request, lengthS, blocks, most),
      seconds: blocks * blockS,
    });
  }
  const good = found.filter((one) => wantPercent !== undefined && one.halfPercent <= wantPercent);
  const best =
    good.length > 0
      ? good.toSorted((a, b) => a.seconds - b.seconds)
      : found.toSorted((a, b) => a.halfPercent - b.halfPercent);
  return best[0] ?? null;
}

/** Smallest number of blocks that reaches the wanted width; `most` if more would be needed. */
function fewest(request: AllocationRequest, lengthS: number, most: number): number {
  const wanted = request.wantPercent ?? 0;
  for (let blocks = Math.min(Math.max(MIN_BLOCKS, request.leastBlocks), most); blocks < most; blocks++) {
    if (halfPercent(request, lengthS, blocks, most) <= wanted) return blocks;
  }
  return most;
}

/** Half-width of the interval after `blocks` of at most `most` blocks, at the level of that interim analysis; infinite where the exact test of so few can't reach it. */
function halfPercent(request: AllocationRequest, lengthS: number, blocks: number, most: number): number {
  const { channel, ownSpread, leastBlocks } = request;
  const plan = interimPlan({ auto: { least: leastBlocks } }, most);
  const levels = plan === null ? [] : nominalLevels(plan);
  const level = levels[plan?.planned.findIndex((planned) => planned >= blocks) ?? 0] ?? 0.05;
  if (2 ** (1 - blocks) > level) return Number.POSITIVE_INFINITY;
  const spread = Math.hypot(blockSpread(channel, { ...request, lengthS, blocks }) ?? 0, ownSpread);
  return toPercent((tQuantile(1 - level / 2, blocks - 1) * spread) / Math.sqrt(SIGNED_RANK_EFFICIENCY * blocks));
}
