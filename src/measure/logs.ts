import { cutLog, LOG_LIMITS, type LogLimits } from '../executors/output-limit.ts';

/** Share of the remaining room that one log gets, so that some is left for the last one, too. */
const SHARE = 1 / 8;

/** Keeps the logs of an experiment small: of a long one both ends stay, and less of each when many are long. */
export class Logs {
  readonly #runBytes: number;
  #leftBytes: number;

  constructor({ runBytes, allBytes }: LogLimits = LOG_LIMITS) {
    this.#runBytes = runBytes;
    this.#leftBytes = allBytes;
  }

  /** A run has ended, and nothing is written into its log any more. Never throws: a log is a help for people. */
  ended(logFile: string): void {
    try {
      this.#leftBytes -= cutLog(logFile, Math.floor(Math.min(this.#runBytes, SHARE * this.#leftBytes)));
    } catch {
      // Nothing was printed, or its disk is full.
    }
  }
}
