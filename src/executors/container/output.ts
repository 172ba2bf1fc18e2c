import type Docker from 'dockerode';
import type { Execution } from '../../contracts/execution.ts';
import { messageOf } from '../../errors.ts';
import { type Patience, withDeadline } from '../../system/deadline.ts';
import { appendRegular } from '../../system/open-regular.ts';
import type { RunContext } from '../executor.ts';
import { MAX_OUTPUT, MAX_OUTPUT_BYTES } from '../output-limit.ts';
import { readTail, sizeOf } from '../output-tail.ts';
import { noPhases, type ReportedPhases } from '../phases/phase-marks.ts';
import { appendLogs } from './logs.ts';
import { type ClockOffset, containerPhases, readClockOffset } from './phases.ts';

/** Time limit to read the output back, milliseconds, and the one once joulediff is being stopped. */
const READ_MS = 600_000;
export const READ_WHEN_STOPPED_MS = 1000;

/** Where the output of a window begins. */
export interface OutputStart {
  readonly byte: number;
  readonly clock: ClockOffset;
}

/** What a run's container prints. */
export interface Output {
  /** Attaches before each start of the container. `onEnd`: nothing more can come, usually since it has just ended. Throws the engine's error. */
  attach(onEnd?: () => void): Promise<void>;
  /** Gives up waiting for output: the container did not start, or is lost. */
  detach(): void;
  /** Marks the beginning of a window's output. */
  start(): OutputStart;
  /** Appends new output to the log file of the run. Never throws. */
  copy(): Promise<void>;
  /** The end of the output since `start`. */
  tail(start: OutputStart): Promise<string>;
  /** Phases in a window's output; `end`: the clock just after the window. */
  phases(window: Execution, start: OutputStart, end: ClockOffset): Promise<ReportedPhases>;
}

/** Output that the engine keeps on its disk, and that is copied into the run's log file between the windows. */
export class LoggedOutput implements Output {
  readonly #container: Docker.Container;
  readonly #context: RunContext;
  readonly #patience: Patience;
  /** Number of bytes that are in the log file already. */
  #copied = 0;
  /** Whether the engine may have dropped the beginning of the output. */
  #mayBeCut = false;
  #copying: Promise<void> = Promise.resolve();

  constructor(container: Docker.Container, context: RunContext) {
    this.#container = container;
    this.#context = context;
    this.#patience = { ms: READ_MS, stop: context.signal, stopMs: READ_WHEN_STOPPED_MS };
  }

  async attach(): Promise<void> {}

  detach(): void {}

  start(): OutputStart {
    return { byte: sizeOf(this.#context.logFile), clock: readClockOffset() };
  }

  /** Copies one after the other: a stop may ask for the output while the end of a run is reading it. */
  copy(): Promise<void> {
    this.#copying = this.#copying.then(() => this.#copyNew());
    return this.#copying;
  }

  async #copyNew(): Promise<void> {
    if (this.#copied === Number.POSITIVE_INFINITY) return;
    const append = (abortSignal: AbortSignal) =>
      appendLogs(this.#container, this.#context.logFile, this.#copied, abortSignal);
    try {
      const { bytes, storedBytes } = await withDeadline(append, this.#patience);
      this.#copied = bytes;
      if (storedBytes < MAX_OUTPUT_BYTES || this.#mayBeCut) return;
      this.#mayBeCut = true;
      const note = `\n[joulediff: a container's output beyond ${MAX_OUTPUT} loses its beginning, so some may be missing above]\n`;
      appendRegular(this.#context.logFile, note);
    } catch {
      // Output is a help for people, not a measurement, so an experiment doesn't fail for it. A reader that is only late still writes.
      this.#copied = Number.POSITIVE_INFINITY;
    }
  }

  async tail({ byte }: OutputStart): Promise<string> {
    const { logFile } = this.#context;
    await this.copy();
    return sizeOf(logFile) > byte ? readTail(logFile, byte) : '';
  }

  async phases(window: Execution, start: OutputStart, end: ClockOffset): Promise<ReportedPhases> {
    const { logFile, phaseLines = [] } = this.#context;
    await this.copy();
    if (this.#mayBeCut && phaseLines.length > 0) {
      return noPhases(`it printed more than ${MAX_OUTPUT}, of which the beginning may be lost`);
    }
    const part = { fromByte: start.byte, toByte: sizeOf(logFile) };
    const printed = { container: this.#container, logFile, part, clocks: [start.clock, end] as const };
    const read = (abortSignal: AbortSignal) => containerPhases(printed, window, phaseLines, abortSignal);
    return withDeadline(read, this.#patience).catch((cause) =>
      noPhases(`its output could not be read: ${messageOf(cause)}`),
    );
  }
}
