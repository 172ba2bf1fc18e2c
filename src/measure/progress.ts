import type { Experiment } from '../experiment/experiment.ts';
import { nsToSeconds } from '../system/clock.ts';

/** State of an experiment; times in seconds. */
export interface Status {
  /** Planned runs that are finished. */
  readonly done: number;
  readonly total: number;
  /** Block that comes next. */
  readonly block: number;
  readonly blocks: number;
  readonly warmup: boolean;
  readonly variant: string;
  /** Estimate of what remains; null until something was measured. */
  readonly remainingS: number | null;
  /** Whether the warm-up still has to find how many executions fill a window, so that the rest of the time is unknown. */
  readonly calibrating: boolean;
  /** `+19 ± 6 %, no verdict yet`; null: too little is known, or the number of blocks is fixed and nobody should stop by it. */
  readonly soFar: string | null;
}

/**
 * Shows a person how an experiment gets on. It is called only at moments when the machine may be disturbed:
 * never inside a guard or a window.
 */
export interface Progress {
  /** A line that stays: what was chosen, found, built, removed. */
  note(line: string): void;
  warn(line: string): void;
  status(status: Status): void;
  /** Ends the display of the last status. */
  end(): void;
}

/** Estimates what remains from the runs so far, and from the pauses before anything is known. */
export class RemainingTime {
  readonly #pausesS: number;
  readonly #restS: number;
  #sumS = 0;
  #n = 0;

  /** `idleS`: how much longer than the guard the machine stays idle after a run. */
  constructor({ restS, guardS }: Experiment, idleS: number) {
    this.#restS = restS;
    this.#pausesS = restS + guardS + idleS;
  }

  observe(runNs: bigint): void {
    this.#sumS += nsToSeconds(runNs);
    this.#n++;
  }

  /** Says that all runs from now on take so much longer than those observed. */
  lengthen(seconds: number): void {
    this.#sumS += this.#n * seconds;
  }

  /** Estimated seconds of a run with its pauses. */
  get runS(): number {
    return this.#n === 0 ? this.#pausesS : Math.max(this.#pausesS, this.#sumS / this.#n);
  }

  /** Seconds for so many runs and the closing idle; null until one run was observed. */
  estimateS(runs: number): number | null {
    if (this.#n === 0) return null;
    return runs * this.runS + this.#restS;
  }
}
