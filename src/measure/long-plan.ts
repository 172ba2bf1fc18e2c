import type { Experiment } from '../experiment/experiment.ts';
import { durationText } from '../text/numbers.ts';

const DAY_S = 24 * 3600;

type Pauses = Pick<Experiment, 'restS' | 'guardS'>;

/** Idle seconds of so many runs, in which nothing of the workload is: what is known of a plan's time before it begins. */
export function pausesS({ restS, guardS }: Pauses, runs: number): number {
  return runs * (restS + guardS) + restS;
}

/** What somebody should know first of a plan that takes longer than a day, whatever its workload takes. */
export function longPlanNotes(experiment: Pauses & Pick<Experiment, 'variants' | 'looks'>, runs: number): string[] {
  const pauses = pausesS(experiment, runs);
  if (pauses <= DAY_S) return [];
  const may = experiment.looks ? 'may take' : 'takes';
  return [
    `This ${may} longer than a day: the pauses of ${runs.toLocaleString('en-US')} runs alone take ${durationText(pauses)}. Fewer variants, fewer repetitions or a shorter rest take less.`,
  ];
}
