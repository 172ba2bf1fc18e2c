import {
  type Allocation,
  type AllocationRequest,
  ASSUMED_SPREAD,
  allocate,
  floorSpread,
  type ScatterSource,
} from '../analysis/allocation.ts';
import { ASSUMED_MACHINE } from '../analysis/smallest-visible.ts';
import type { MeterInfo } from '../contracts/reading.ts';
import { loopsItself } from '../executors/repeat.ts';
import { batchByVariant } from '../experiment/batches.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { blocksForVerdict } from '../measure/interims.ts';
import { readNoiseFloor } from '../measure/noise-floor-file.ts';
import type { ForeseenRest } from '../measure/rests.ts';
import { allocationText } from '../measure/session-notes.ts';
import { batchFor, MAX_EXECUTIONS, MAX_ITERATIONS, MIN_READINGS, windowTargetS } from '../schedule/batch.ts';
import type { Plan } from '../schedule/plan.ts';
import { toPercent } from '../stats/log-ratio.ts';

import { duration, durationText, short, significant, wholeText } from '../text/numbers.ts';
import { listed, plural } from '../text/plain.ts';
import { earlierRun, plannedChannel } from './plan-meters.ts';

/** Assumed duration of a command of unknown length, seconds. */
const ASSUMED_EXECUTION_S = 5;

/** Expected result of a wanted width or a time limit. */
export interface PlannedAllocation {
  readonly allocation: Allocation;
  /** Whether the wanted width is expected to be reached; null: no width is wanted. */
  readonly isReached: boolean | null;
  /** Source of the assumed scatter between blocks. */
  readonly scatter: Exclude<ScatterSource, 'warm-up'>;
  readonly notes: readonly string[];
}

interface Known {
  readonly outDir: string;
  readonly infos: readonly MeterInfo[];
  readonly rest: ForeseenRest | null;
}

/**
 * The projection that an experiment makes after its warm-up, from earlier data: the meter, its check, the noise floor, an earlier result.
 * Its notes name the assumptions. Null: no width or time is wanted, the meter is unknown, or the benchmarks of a suite differ.
 */
export function plannedAllocation(
  experiment: Experiment,
  plan: Plan,
  { outDir, infos, rest }: Known,
): PlannedAllocation | null {
  const { auto, baseline, batch, batchWindowS, guardS, restS: leastRestS, restUpToS = leastRestS, warmup } = experiment;
  const channel = plannedChannel(experiment, infos);
  if (auto === undefined || channel === null || experiment.suite) return null;
  if ((auto.withinS ?? auto.wantPercent) === undefined) return null;
  const [info] = infos;
  const floor = info ? readNoiseFloor(experiment, info) : null;
  const spread = floorSpread(floor);
  const earlier = earlierRun(experiment, outDir);
  const idleS = experiment.variants.find(({ name }) => name === baseline)?.workload.idleS;
  const executionS = idleS ?? (earlier ? earlier.lengthS / earlier.executions : ASSUMED_EXECUTION_S);
  const restS = rest === null ? leastRestS : (rest.restS ?? restUpToS);
  const own = batchByVariant(experiment).get(baseline);
  const isLooping = experiment.variants.some(({ workload }) => loopsItself(workload.run));
  const [targetS, most] = [windowTargetS([channel], batchWindowS), isLooping ? MAX_ITERATIONS : MAX_EXECUTIONS];
  const usual = typeof own === 'number' ? own : batchFor(new Map([[baseline, [executionS]]]), targetS, most);
  const isFree = batch === 'auto' && batchWindowS === undefined && !isLooping;
  const variants = new Set(plan.runs.map(({ variant }) => variant)).size;
  const warmUpS = restS + warmup.runs * variants * (restS + executionS + guardS);
  const { powerW, idleW } = earlier ?? ASSUMED_MACHINE;
  const request: AllocationRequest = {
    channel,
    variants,
    restS,
    guardS,
    executionS,
    powerW,
    idleW,
    fluctuationW: ASSUMED_MACHINE.fluctuationW,
    executions: isFree ? null : usual,
    ownSpread: spread ?? ASSUMED_SPREAD,
    wantPercent: auto.wantPercent,
    leftS: (auto.withinS ?? Number.POSITIVE_INFINITY) - warmUpS,
    leastBlocks: auto.least,
    mostBlocks: experiment.repetitions,
  };
  const needed = blocksForVerdict(experiment);
  const fitting = allocate(request);
  // What does not fit is measured nevertheless.
  const allocation =
    fitting ?? allocate({ ...request, executions: usual, leftS: Number.POSITIVE_INFINITY, mostBlocks: needed });
  if (allocation === null) return null;
  const { text, isReached } = allocationText(allocation, auto);
  const leastS = warmUpS + allocation.seconds;
  const known = [
    floor &&
      spread !== null &&
      `the noise floor of ${floor.measuredAt.slice(0, 10)} (blocks scatter by ${percent(spread)})`,
    earlier && `an earlier result (${short(executionS)} s, ${short(powerW)} W)`,
    rest && `the meter’s check of ${rest.day} (rests of ${duration(restS)})`,
  ].filter((one) => typeof one === 'string');
  const assumed = [
    spread === null && `blocks that scatter by ${percent(ASSUMED_SPREAD)} (joulediff noise measures it)`,
    earlier === null && `${idleS === undefined ? `a command of ${ASSUMED_EXECUTION_S} s at ` : ''}${powerW} W`,
    rest === null && restUpToS > leastRestS && `rests of ${duration(restS)}`,
  ].filter((one) => typeof one === 'string');
  return {
    allocation,
    isReached: fitting === null && isReached !== null ? false : isReached,
    scatter: spread === null ? 'assumed' : 'noise-floor',
    notes: [
      fitting === null
        ? auto.withinS !== undefined && leastS > auto.withinS
          ? `${needed} blocks will probably not fit into ${durationText(auto.withinS)}: ${needed} take ${durationText(leastS)} with the warm-up and give about ±${significant(allocation.halfPercent, 2)} %.`
          : `Even ${wholeText(MAX_EXECUTIONS)} executions (the maximum) make a window too short for ${MIN_READINGS} readings of the meter: the result can’t be trusted.`
        : `${text}${isFree ? ` A window holds ${plural(allocation.executions, 'execution')}.` : ''}`,
      `This is a projection from ${listed(['the meter’s accuracy, steps and rate', ...known])}.${assumed.length === 0 ? '' : ` Assumed: ${listed(assumed)}.`}`,
    ],
  };
}

const percent = (spread: number): string => `${short(toPercent(spread), 2)} %`;
