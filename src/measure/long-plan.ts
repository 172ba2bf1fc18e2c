import type { Experiment } from '../experiment/experiment.ts';
import type { PlannedRun } from '../schedule/plan.ts';
import { durationText } from '../text/numbers.ts';

const DAY_S = 24 * 3600;

/** A run of the plan, or an extra one beside it. */
type AnyRun = Pick<PlannedRun, 'variant' | 'warmup'>;
type Pauses = Pick<Experiment, 'restS' | 'guardS'>;

/** Idle seconds of so many runs, in which nothing of the workload is: what is known of a plan's time before it begins. */
export function pausesS({ restS, guardS }: Pauses, runs: number): number {
  return runs * (restS + guardS) + restS;
}

/** Idle seconds in the windows of runs whose command is nothing else; 0 where there are none, or nobody knows yet how many executions a window holds. */
export function idleRunsS(
  { variants, batch }: Pick<Experiment, 'variants' | 'batch'>,
  runs: readonly AnyRun[],
): number {
  if (batch === 'auto') return 0;
  const lasts = new Map(variants.map(({ name, workload }) => [name, workload.idleS ?? 0]));
  return runs.reduce((sum, { variant, warmup }) => sum + (warmup ? 1 : batch) * (lasts.get(variant) ?? 0), 0);
}

/** What somebody should know first of a plan that takes longer than a day, whatever its workload takes. */
export function longPlanNotes(
  experiment: Pauses & Pick<Experiment, 'variants' | 'looks' | 'auto' | 'batch'>,
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
