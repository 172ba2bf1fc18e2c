import { MARGIN, MIN_READINGS } from '../schedule/batch.ts';
import { blocksWithin, interimPlan } from '../schedule/interims.ts';
import { toPercent } from '../stats/log-ratio.ts';
import { median } from '../stats/quantiles.ts';
import { MIN_BLOCKS } from '../stats/signed-rank.ts';
import { tQuantile } from '../stats/student.ts';
import { moments } from '../stats/sums.ts';
import type { NoiseFloorRecord, StoreReader } from '../store/records.ts';
import { nominalLevels } from './analyze-interim.ts';
import { runEnergies } from './run-energies.ts';
import { blockSpread, SIGNED_RANK_EFFICIENCY } from './smallest-visible.ts';
import type { UncertainChannel } from './uncertainty.ts';

/** What the blocks to come are like, as far as is known before the first of them; powers in watts, times in seconds. */
export interface AllocationRequest {
  readonly channel: UncertainChannel;
  readonly variants: number;
  readonly restS: number;
  readonly guardS: number;
  /** In each window; null: they are to be found. */
  readonly executions: number | null;
  /** Of one execution of the command. */
  readonly executionS: number;
  readonly powerW: number;
  readonly idleW: number;
  readonly fluctuationW: number;
  /** Standard deviation of a block's log ratio that the meter does not explain: the workload's own. */
  readonly ownSpread: number;
  /** Half the width of the 95 % interval, percentage points; absent: the narrowest. */
  readonly wantPercent?: number | undefined;
  readonly leftS: number;
  readonly leastBlocks: number;
  readonly mostBlocks: number;
}

/** How an experiment uses its time. */
export interface Allocation {
  /** Of the command in each window. */
  readonly executions: number;
  readonly blocks: number;
  /** Half the width of the 95 % interval that is expected then, percentage points. */
  readonly halfPercent: number;
  readonly seconds: number;
}

/** What a run takes beside its pauses and its window. */
const OVERHEAD_S = 0.1;
/** Numbers of executions that are tried. */
const COUNTS: readonly number[] = Array.from({ length: 40 }, (_, i) => Math.round(1.2 ** i)).filter(
  (n, i, all) => n !== all[i - 1],
);
/** Standard deviation of a block's log ratio where nothing is known of the workload. */
export const ASSUMED_SPREAD = 0.01;
const MIN_FREEDOM = 2;

/** What the warm-up shows of the runs to come; null: too little. `ownSpread` comes from the noise floor of the machine where there is one. */
export function warmUpOf(
  reader: StoreReader,
): Pick<AllocationRequest, 'executionS' | 'powerW' | 'idleW' | 'ownSpread'> | null {
  const [primary] = reader.channels();
  if (primary === undefined) return null;
  const { runs } = runEnergies({ ...reader, channels: () => [primary] });
  const seen = runs.flatMap(({ status, variant, durationS, energyJ, idlePowerW, executions: count }) =>
    status === 'warmup' && durationS && energyJ !== null && energyJ > 0
      ? [{ variant, executions: count ?? 1, durationS, energyJ, idlePowerW }]
      : [],
  );
  if (seen.length === 0) return null;
  const powers = seen.map(({ energyJ, durationS }) => energyJ / durationS);
  const idle = seen.flatMap(({ idlePowerW }) => idlePowerW ?? []);
  return {
    executionS: Math.min(...seen.map(({ durationS, executions }) => durationS / executions)),
    powerW: median(powers),
    idleW: idle.length === 0 ? 0 : median(idle),
    ownSpread: floorSpread(reader.noiseFloor()) ?? pooledSpread(seen) ?? ASSUMED_SPREAD,
  };
}

/** How much blocks scatter: the standard deviation of their log ratios, from the noise experiment's interval. Null: it has too few blocks, or none was done. */
export function floorSpread(floor: NoiseFloorRecord | null): number | null {
  if (floor === null || floor.blocks < MIN_BLOCKS) return null;
  const [low, high] = floor.ci95;
  const half = (Math.log1p(high / 100) - Math.log1p(low / 100)) / 2;
  return (half * Math.sqrt(SIGNED_RANK_EFFICIENCY * floor.blocks)) / tQuantile(0.975, floor.blocks - 1);
}

/** From runs of the same variant and as many executions. */
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
 * The executions in a window and the number of blocks that reach the wanted width soonest; where it can't be reached in the time, the narrowest
 * that can. Null: not even the fewest blocks fit. A projection from the meter's class and steps, and from the workload's own scatter, which is
 * taken to be the same however many executions a window holds.
 */
export function allocate(request: AllocationRequest): Allocation | null {
  const { channel, executionS, wantPercent, leftS, mostBlocks } = request;
  const shortestS = channel.integration === 'counter' ? 0 : MARGIN * MIN_READINGS * channel.samplingPeriodS;
  const found: Allocation[] = [];
  for (const executions of request.executions === null ? COUNTS : [request.executions]) {
    const lengthS = executions * executionS;
    if (request.executions === null && lengthS < shortestS) continue;
    const blockS = request.variants * (request.restS + lengthS + request.guardS + OVERHEAD_S);
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

/** The fewest blocks with the wanted width; `most` where it takes more. */
function fewest(request: AllocationRequest, lengthS: number, most: number): number {
  const wanted = request.wantPercent ?? 0;
  for (let blocks = Math.min(Math.max(MIN_BLOCKS, request.leastBlocks), most); blocks < most; blocks++) {
    if (halfPercent(request, lengthS, blocks, most) <= wanted) return blocks;
  }
  return most;
}

/** Half the width of the interval after so many blocks of at most so many, at the level of its interim analysis. */
function halfPercent(request: AllocationRequest, lengthS: number, blocks: number, most: number): number {
  const { channel, ownSpread, leastBlocks } = request;
  const plan = interimPlan({ auto: { least: leastBlocks } }, most);
  const levels = plan === null ? [] : nominalLevels(plan);
  const level = levels[plan?.planned.findIndex((planned) => planned >= blocks) ?? 0] ?? 0.05;
  const spread = Math.hypot(blockSpread(channel, { ...request, lengthS, blocks }) ?? 0, ownSpread);
  return toPercent((tQuantile(1 - level / 2, blocks - 1) * spread) / Math.sqrt(SIGNED_RANK_EFFICIENCY * blocks));
}
