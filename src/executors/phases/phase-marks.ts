import type { Execution, PhaseMark } from '../../contracts/execution.ts';
import type { LineMeaning } from './checkpoint-lines.ts';

/** Upper bounds on a run's checkpoints and their names: a flood has no phases, and must fill neither memory nor database. */
export const MAX_MARKS = 10_000;
export const MAX_NAMES = 50;
/** Upper bounds where any line may begin a phase: on the lines that are examined, and on the different ones kept. */
const MAX_LINES = 200_000;
const MAX_CANDIDATES = 1000;

/** The checkpoints of one run, in order. All or nothing: a phase whose end was left out would have a wrong energy. */
export interface ReportedPhases {
  readonly marks: readonly PhaseMark[];
  /** Why there are none although there were checkpoints; a sentence without its end. */
  readonly problem: string | null;
}

export const noPhases = (problem: string): ReportedPhases => ({ marks: [], problem });

/** A mark. `once`, for lines of which any may begin a phase: whether it came only once; absent: it is a checkpoint. */
export interface ReportedMark<At> {
  readonly phase: string | null;
  readonly at: At;
  once?: boolean;
}

/** On CLOCK_MONOTONIC. */
type Window = Pick<Execution, 'startNs' | 'endNs'>;

/** Collects the checkpoints in one run's lines. */
export class PhaseMarks<At> {
  readonly reported: ReportedMark<At>[] = [];
  readonly #candidates = new Map<string, ReportedMark<At>>();
  #lines = 0;
  /** Text of the line before, without what changes in a display of progress. */
  #before: string | null = null;
  readonly #names = new Set<string>();
  /** Whether the workload marks its phases itself, so that no other line begins one. */
  #isMarked = false;
  problem: string | null = null;

  /** False: nothing more needs to be read. `isRewritten`: a carriage return ended the line, as in a display of progress. */
  take(reported: LineMeaning, at: At, isRewritten = false): boolean {
    if ('problem' in reported) return this.#refuse(reported.problem);
    // A display of progress is one line, however often it is written: only its numbers and its bar change.
    const shown = 'candidate' in reported ? reported.candidate.replace(/\P{L}/gu, '') : reported.phase;
    const isSame = shown !== null && shown === this.#before;
    this.#before = shown;
    if (isRewritten && isSame) return true;
    if ('candidate' in reported) return this.#offer(reported.candidate, at);
    if (this.reported.length === MAX_MARKS) return this.#refuse(`it printed more than ${MAX_MARKS} checkpoints`);
    if (reported.overrules) this.#isMarked = true;
    if (reported.phase !== null) this.#names.add(reported.phase);
    if (this.#names.size > MAX_NAMES) return this.#refuse(`it named more than ${MAX_NAMES} different phases`);
    this.reported.push({ phase: reported.phase, at });
    return true;
  }

  /** Whether a mark begins a phase. A line that came again does not, nor does any line if the workload marks its phases itself. */
  isCheckpoint({ once }: ReportedMark<At>): boolean {
    return this.#isMarked ? once === undefined : once !== false;
  }

  /** The checkpoints as marks whose times lie in the window. `cameAt` gives when the line of a mark came, by its place in `reported`. */
  inWindow(cameAt: (at: At, i: number) => Omit<PhaseMark, 'phase'>, window: Window): PhaseMark[] {
    const marks = this.reported.flatMap((mark, i) =>
      this.isCheckpoint(mark) ? [keptInWindow({ ...cameAt(mark.at, i), phase: mark.phase }, window)] : [],
    );
    // Only a marker can end a phase without beginning another: this end tells markers from lines of which any may begin a phase.
    if (this.#isMarked && marks.at(-1)?.phase !== null) marks.push({ tNs: window.endNs, lateNs: 0n, phase: null });
    return marks;
  }

  #offer(phase: string, at: At): boolean {
    this.#lines += 1;
    if (this.#lines > MAX_LINES)
      return this.#refuse(`it printed more than ${MAX_LINES} lines, too many to find phases in`);
    const before = this.#candidates.get(phase);
    if (before !== undefined) {
      before.once = false;
      return true;
    }
    if (this.#candidates.size === MAX_CANDIDATES) {
      return this.#refuse(`it printed more than ${MAX_CANDIDATES} different lines, too many to find phases in`);
    }
    const mark: ReportedMark<At> = { phase, at, once: true };
    this.#candidates.set(phase, mark);
    this.reported.push(mark);
    return true;
  }

  #refuse(problem: string): false {
    this.problem = problem;
    return false;
  }
}

/** Kept within the window: a line is seen a moment after it was written. */
function keptInWindow(mark: PhaseMark, { startNs, endNs }: Window): PhaseMark {
  const tNs = mark.tNs < startNs ? startNs : mark.tNs > endNs ? endNs : mark.tNs;
  return { ...mark, tNs };
}
