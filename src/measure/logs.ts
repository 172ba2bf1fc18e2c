import { cutLog, LOG_LIMITS, type LogLimits } from '../executors/output-limit.ts';

/** A run gets this part of what is left, so that there is something left for the last one, too. */
const SHARE = 1 / 8;

/** Keeps the logs of an experiment small: of a long one its two ends, and ever less when many are long. */
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
