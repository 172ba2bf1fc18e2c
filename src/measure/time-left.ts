import type { Experiment } from '../experiment/experiment.ts';
import { nsToSeconds } from '../system/clock.ts';

/** Estimates what remains from what the runs took so far, and from the pauses before anything is known. */
export class TimeLeft {
  readonly #pausesS: number;
  readonly #restS: number;
  #sumS = 0;
  #n = 0;

  constructor(experiment: Experiment, lastingS: number) {
    this.#restS = experiment.restS;
    this.#pausesS = experiment.restS + experiment.guardS + lastingS;
  }

  took(durationNs: bigint): void {
    this.#sumS += nsToSeconds(durationNs);
    this.#n++;
  }

  /** From now on runs take so much longer than those seen. */
  lengthen(seconds: number): void {
    this.#sumS += this.#n * seconds;
  }

  /** Seconds for so many runs and the closing idle; null until one run was seen. */
  remainingS(runs: number): number | null {
    if (this.#n === 0) return null;
    return runs * Math.max(this.#pausesS, this.#sumS / this.#n) + this.#restS;
  }
}
