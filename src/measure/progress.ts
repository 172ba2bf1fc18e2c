import type { Experiment } from '../experiment/experiment.ts';
import { nsToSeconds } from '../system/clock.ts';

/** Where an experiment stands; times in seconds. */
export interface Status {
  /** Planned runs that are finished. */
  readonly done: number;
  readonly total: number;
  /** What comes next. */
  readonly block: number;
  readonly blocks: number;
  readonly warmup: boolean;
  readonly variant: string;
  /** Estimate of what remains; null until something was measured. */
  readonly remainingS: number | null;
  /** How many executions fill a window is being found: what remains can't be told before. */
  readonly calibrating: boolean;
  /** `+19 ± 6 %, no verdict yet`; null: too little is known, or the number of blocks is fixed and nobody should stop by it. */
  readonly soFar: string | null;
}

/**
 * How an experiment tells of itself while it runs. It is called only at moments when the machine may be disturbed:
 * never inside a guard or a window.
 */
export interface Progress {
  /** A line that stays: what was chosen, found, built, removed. */
  note(line: string): void;
  warn(line: string): void;
  status(status: Status): void;
  /** The last status is finished with. */
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

  /** From now on runs are so much longer than those observed. */
  lengthen(seconds: number): void {
    this.#sumS += this.#n * seconds;
  }

  /** Seconds of a run with its pauses, as far as is known. */
  get runS(): number {
    return this.#n === 0 ? this.#pausesS : Math.max(this.#pausesS, this.#sumS / this.#n);
  }

  /** Seconds for so many runs and the closing idle; null until one run was observed. */
  estimateS(runs: number): number | null {
    if (this.#n === 0) return null;
    return runs * this.runS + this.#restS;
  }
}
