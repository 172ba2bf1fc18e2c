import { nominalLevels } from '../analysis/analyze-interim.ts';
import type { NextRun } from '../schedule/queue.ts';
import type { InterimRecord } from '../store/records.ts';
import { significant } from '../text/numbers.ts';
import type { Progress } from './progress.ts';

/** Below this a first look rests on a distribution that few blocks show badly (method reference: stopping early). */
const ENOUGH_BLOCKS = 30;

export interface InterimsSetup {
  /** Blocks at each look, increasing; none: the number of blocks is fixed. */
  readonly planned: readonly number[];
  /** Those of before, where an experiment is resumed. */
  readonly taken: readonly InterimRecord[];
  /** Decides by what is in the database, and records it. */
  readonly take: (look: number) => InterimRecord;
  readonly progress: Pick<Progress, 'note'>;
}

/** The looks of an experiment that may end before its plan is complete. */
export class Interims {
  readonly #setup: InterimsSetup;
  #taken: number;
  #ended: boolean;

  constructor(setup: InterimsSetup) {
    this.#setup = setup;
    this.#taken = setup.taken.length;
    this.#ended = setup.taken.some(({ stopped }) => stopped);
  }

  /** Takes the looks whose blocks are complete when this run is next (null: all are). True: the rest of the plan is not needed. */
  endBefore(next: Pick<NextRun, 'block'> | null): boolean {
    const { planned, take, progress } = this.#setup;
    while (!this.#ended && this.#taken < planned.length) {
      const blocks = planned[this.#taken] as number;
      if (next !== null && next.block <= blocks) break;
      const look = take(this.#taken + 1);
      this.#taken++;
      this.#ended = look.stopped;
      progress.note(interimText(look, planned));
    }
    return this.#ended;
  }
}

function interimText({ look, blocks, p, nominalP, stopped }: InterimRecord, planned: readonly number[]): string {
  const found =
    p === null ? 'it can’t be tested' : `p = ${significant(p, 2)}, at most ${significant(nominalP, 2)} needed`;
  const what = `Look ${look} of ${planned.length}, after ${blocks} blocks: ${found}`;
  const next = planned[look];
  if (next === undefined) return `${what}. The plan is complete.`;
  if (!stopped) {
    // By p alone it could end: the intervals, which allow for the meter's steps, or Holm's method say otherwise.
    const but = p !== null && p <= nominalP ? '; yet, with the steps of the meter and all comparisons in mind,' : ';';
    return `${what}${but} not every change is shown. It continues to block ${next}.`;
  }
  return `${what}. The experiment ends here by plan; blocks ${blocks + 1} to ${planned.at(-1)} are not needed.`;
}

/** What somebody who plans such looks should know before they begin. */
export function interimNotes(planned: readonly number[]): string[] {
  const first = planned[0];
  if (first === undefined) return [];
  const list = `${planned.slice(0, -1).join(', ')} or ${planned.at(-1)}`;
  const notes = [
    `It ends after ${list} blocks: at the first of these looks where every change is shown, or at the last.`,
  ];
  const levels = nominalLevels(planned);
  const idle = planned.filter((blocks, i) => 2 ** (1 - blocks) > (levels[i] as number));
  if (idle.length > 0) {
    notes.push(
      `The look after ${idle.join(' and ')} blocks can show no change: the exact test of so few doesn’t reach its level.`,
    );
  } else if (first < ENOUGH_BLOCKS) {
    notes.push(
      `The first look comes before ${ENOUGH_BLOCKS} blocks: only a large change can end it there, and its size is only a rough estimate.`,
    );
  }
  return notes;
}
