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

/** How long the output may take to be read back; the end of a stopped run must not hold up the stop. */
const READ_MS = 600_000;
export const READ_WHEN_STOPPED_MS = 1000;

/** Where the output of a window begins. */
export interface OutputStart {
  readonly byte: number;
  readonly clock: ClockOffset;
}

/** What a run's container prints. */
export interface Output {
  /** Before every start of the container. `onEnd`: nothing more can come, as a rule since the container has just ended. Throws what the engine answers. */
  attach(onEnd?: () => void): Promise<void>;
  /** Nothing more comes: the container did not start, or is lost. */
  detach(): void;
  /** Just before a window. */
  start(): OutputStart;
  /** Writes what is new into the log file of the run. Never throws. */
  copy(): Promise<void>;
  /** The end of what was printed since `start`. */
  tail(start: OutputStart): Promise<string>;
  /** The phases that a window's output tells; `end`: the clock just after it. */
  phases(window: Execution, start: OutputStart, end: ClockOffset): Promise<ReportedPhases>;
}

/** The engine keeps it on its disk, and it is copied into the log file of the run between the windows. */
export class LoggedOutput implements Output {
  readonly #container: Docker.Container;
  readonly #context: RunContext;
  readonly #patience: Patience;
  /** Bytes of output that are in the log file already. */
  #copied = 0;
  /** The engine may have dropped the beginning of the output already. */
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

  /** One after the other: a stop may want the output while the end of a run is reading it. */
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
      // What was printed is a help for people, not a measurement: an experiment doesn't fail for it. A reader that is only late still writes.
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
