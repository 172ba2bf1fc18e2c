import { nominalLevels } from '../analysis/analyze-interim.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { EndReason } from '../findings/comparison.ts';
import { type AutoRepetitions, type InterimPlan, interimPlan } from '../schedule/interims.ts';
import type { NextRun } from '../schedule/queue.ts';
import { minBlocks } from '../stats/signed-rank.ts';
import type { InterimRecord } from '../store/records.ts';
import { durationText, short, significant } from '../text/numbers.ts';
import type { Progress } from './progress.ts';

/** Number of blocks below which a first look is doubtful: few blocks show a distribution badly (method reference: stopping early). */
const ENOUGH_BLOCKS = 30;

export interface InterimsSetup {
  /** Null: the number of blocks is fixed. */
  readonly plan: InterimPlan | null;
  /** Looks that earlier sessions took, where an experiment is resumed. */
  readonly taken: readonly InterimRecord[];
  /** Takes a look at what is in the database, decides, and records the decision. */
  readonly take: (plan: InterimPlan, look: number) => InterimRecord;
  readonly progress: Pick<Progress, 'note'>;
}

/** Interim analyses (looks) of an experiment that may end before its plan is complete. */
export class Interims {
  readonly #setup: InterimsSetup;
  #plan: InterimPlan | null;
  #taken: number;
  #ended: boolean;

  constructor(setup: InterimsSetup) {
    this.#setup = setup;
    this.#plan = setup.plan;
    this.#taken = setup.taken.length;
    this.#ended = setup.taken.some(({ because }) => because !== null);
  }

  /** Sets the plan, before the first look, once the blocks that fit into the time are counted. */
  replan(plan: InterimPlan | null): void {
    this.#plan = plan;
  }

  /** Takes the looks whose blocks are complete when this run is next (null: all are). True: the rest of the plan is not needed. */
  endBefore(next: Pick<NextRun, 'block'> | null): boolean {
    const { take, progress } = this.#setup;
    const plan = this.#plan;
    if (plan === null) return false;
    const { planned } = plan;
    while (!this.#ended && this.#taken < planned.length) {
      const blocks = planned[this.#taken] as number;
      if (next !== null && next.block <= blocks) break;
      const look = take(plan, this.#taken + 1);
      this.#taken++;
      this.#ended = look.because !== null;
      progress.note(interimText(look, plan));
    }
    return this.#ended;
  }
}

function interimText(record: InterimRecord, plan: InterimPlan): string {
  const { look, blocks, p, nominalP, because } = record;
  const found =
    p === null ? 'it can’t be tested' : `p = ${significant(p, 2)}, at most ${significant(nominalP, 2)} needed`;
  const next = plan.planned[look];
  const isOnly = plan.planned.length === 1;
  const at = isOnly
    ? `All ${blocks} planned blocks are measured`
    : `Interim analysis ${look} of ${plan.planned.length}, after ${blocks} blocks`;
  const what = `${at}: ${found}`;
  if (because !== null) return `${what}.${ENDS[because]}${isOnly ? '' : remainderText(record, plan, next)}`;
  // p alone would allow to end, but not the intervals, which allow for the meter's steps, or Holm's method.
  const isHeld = plan.endsWhen !== 'precise' && p !== null && p <= nominalP;
  const but = isHeld ? '; yet, allowing for the meter’s steps and all comparisons,' : ';';
  return `${what}${but} ${GOES_ON[plan.endsWhen]}. It continues to block ${next}.`;
}

const ENDS: Readonly<Record<EndReason, string>> = {
  changed: ' Every change is shown.',
  settled: ' Every comparison is settled.',
  precise: ' The interval is as narrow as was asked for.',
  futile: ' The blocks that are left would probably settle nothing.',
  complete: '',
};

const GOES_ON: Readonly<Record<InterimPlan['endsWhen'], string>> = {
  changed: 'not every change is significant yet',
  settled: 'not every comparison is settled yet',
  precise: 'the interval is wider than was asked for',
};

function remainderText({ blocks }: InterimRecord, { planned }: InterimPlan, next: number | undefined): string {
  if (next === undefined) return ' All planned blocks are measured.';
  const left =
    blocks + 1 === planned.at(-1) ? `block ${blocks + 1} is` : `blocks ${blocks + 1} to ${planned.at(-1)} are`;
  return ` The experiment ends here by plan; ${left} not needed.`;
}

/** Notes for somebody who plans interim analyses, before they begin. */
export function interimNotes(experiment: Judged & Pick<Experiment, 'looks' | 'auto' | 'repetitions'>): string[] {
  const { looks, auto, repetitions } = experiment;
  if (auto !== undefined) return autoNotes(auto, repetitions, blocksForVerdict(experiment));
  const first = looks?.[0];
  const plan = interimPlan({ looks: looks ?? [] }, repetitions);
  if (looks === undefined || first === undefined || plan === null) return [];
  const list = `${looks.slice(0, -1).join(', ')} or ${looks.at(-1)}`;
  const notes = [
    `It ends after ${list} blocks: at the first of these interim analyses where every change is shown, or at the last.`,
  ];
  const levels = nominalLevels(plan);
  const idle = looks.filter((blocks, i) => 2 ** (1 - blocks) > (levels[i] as number));
  if (idle.length > 0) {
    notes.push(
      `The interim analysis after ${idle.join(' and ')} blocks can show no change: the exact test of so few doesn’t reach its level.`,
    );
  } else if (first < ENOUGH_BLOCKS) {
    notes.push(
      `The first interim analysis comes before ${ENOUGH_BLOCKS} blocks: only a large change can end it there, and its size is only a rough estimate.`,
    );
  }
  return notes;
}

type Judged = Pick<Experiment, 'variants' | 'comparisons' | 'suite'>;

/** Number of blocks without which none of the comparisons can show a change, however large: several share the chance of an error (Holm). */
export function blocksForVerdict({ variants, comparisons, suite }: Judged): number {
  const compared = comparisons?.length ?? variants.filter(({ hidden }) => !hidden).length - 1;
  return minBlocks(suite === undefined ? compared : 1);
}

function autoNotes({ least, wantPercent, withinS }: AutoRepetitions, most: number, needed: number): string[] {
  const when =
    wantPercent === undefined
      ? 'every comparison is settled, as a change or as equivalent'
      : `every 95 % interval is ±${short(wantPercent)} % or narrower`;
  const limit =
    withinS === undefined
      ? ` and ${most} at the latest`
      : `, or once no further block fits into ${durationText(withinS)}, but not before block ${Math.min(needed, most)}. The warm-up shows how many fit`;
  return [`It ends as soon as ${when}, after ${least} blocks at the earliest${limit}.`];
}
