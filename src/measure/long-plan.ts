import { loopsItself } from '../executors/repeat.ts';
import { batchByVariant, CALIBRATING_BLOCKS } from '../experiment/batches.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { benchmarksByVariant, listedBenchmark } from '../experiment/suite.ts';
import type { PlannedRun } from '../schedule/plan.ts';
import { durationText } from '../text/numbers.ts';
import { listed, plural } from '../text/plain.ts';

const DAY_S = 24 * 3600;

/** A run of the plan, or an extra one beside it. */
type AnyRun = Pick<PlannedRun, 'variant' | 'warmup'>;
type Pauses = Pick<Experiment, 'restS' | 'guardS'>;
type Batched = Pick<Experiment, 'variants' | 'batch' | 'metrics'>;

/** Idle seconds around so many runs, without the workload: the part of a plan's time that is known before it begins. */
export function pausesS({ restS, guardS }: Pauses, runs: number): number {
  return runs * (restS + guardS) + restS;
}

/** Idle seconds in the windows of runs whose command only waits; 0: there are none, or it is unknown how many executions a window holds. */
export function idleRunsS(experiment: Batched, runs: readonly AnyRun[]): number {
  const batches = batchByVariant(experiment);
  if ([...batches.values()].includes('auto')) return 0;
  const lasts = new Map(experiment.variants.map(({ name, workload }) => [name, workload.idleS ?? 0]));
  return runs.reduce((sum, run) => sum + executionsOf(batches, run) * (lasts.get(run.variant) ?? 0), 0);
}

/** Executions in a run's window; where the warm-up still has to find their number, 1. */
export function executionsOf(batches: ReadonlyMap<string, number | 'auto'>, { variant, warmup }: AnyRun): number {
  const batch = batches.get(variant) ?? 1;
  return warmup || batch === 'auto' ? 1 : batch;
}

/** Notes that the warm-up is too short to find how often commands that repeat themselves have to do so. */
export function calibrationNotes(experiment: Batched & Pick<Experiment, 'warmup' | 'suite'>): string[] {
  const { warmup, suite, variants } = experiment;
  if (warmup.runs >= CALIBRATING_BLOCKS) return [];
  const batches = batchByVariant(experiment);
  const benchmarks = benchmarksByVariant(suite);
  const isUnlisted = suite?.listing !== undefined && suite.benchmarks.length === 0;
  const open = variants.filter(({ name, workload: { run } }) => {
    const command = isUnlisted ? listedBenchmark(suite.listing, name).workload.run : run;
    return batches.get(name) === 'auto' && loopsItself(command);
  });
  const names = [...new Set(open.map(({ name }) => benchmarks.get(name) ?? name))];
  if (names.length === 0) return [];
  const who = isUnlisted ? 'each benchmark' : names.length > MAX_NAMED ? `${names.length} benchmarks` : listed(names);
  return [
    `${plural(warmup.runs, 'warm-up block')} ${warmup.runs === 1 ? 'is' : 'are'} too few to find how often ${who} must repeat to fill a window: give warmup: { runs: ${CALIBRATING_BLOCKS} } or more.`,
  ];
}

const MAX_NAMED = 5;

/** Notes for somebody who begins a plan that takes longer than a day, whatever its workload takes. */
export function longPlanNotes(
  experiment: Pauses & Batched & Pick<Experiment, 'looks' | 'auto'>,
  runs: readonly PlannedRun[],
): string[] {
  const idle = idleRunsS(experiment, runs);
  const known = pausesS(experiment, runs.length) + idle;
  if (known <= DAY_S || experiment.auto?.withinS !== undefined) return [];
  const may = experiment.looks || experiment.auto ? 'may take' : 'takes';
  const what = idle > 0 ? 'the pauses and the idle time' : 'the pauses';
  return [
    `This ${may} longer than a day: ${what} of ${runs.length.toLocaleString('en-US')} runs alone take ${durationText(known)}. Fewer variants, fewer repetitions or a shorter rest take less.`,
  ];
}
