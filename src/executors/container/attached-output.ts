import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { Execution } from '../../contracts/execution.ts';
import { type Patience, withDeadline } from '../../system/deadline.ts';
import { appendRegular } from '../../system/open-regular.ts';
import { MARK_EVERY_MS, OwnDelay } from '../../system/own-delay.ts';
import type { RunContext } from '../executor.ts';
import { KeptOutput } from '../kept-output.ts';
import type { ReportedPhases } from '../phases/phase-marks.ts';
import { contents } from './logs.ts';
import { type Output, type OutputStart, READ_WHEN_STOPPED_MS } from './output.ts';
import { readClockOffset } from './phases.ts';

const TAIL_CHARACTERS = 4000;
/** How long the output of an ended container may still be on its way, milliseconds. */
const ARRIVE_MS = 30_000;

type OutputContext = Pick<RunContext, 'logFile' | 'phaseLines' | 'signal'>;

/**
 * Output of a run's container, kept in memory as it comes, and written into the run's log file between the windows. The engine keeps no log of it: to
 * write one, line by line as JSON, costs several times as much as to pass it on, and goes to the disk in the window.
 */
export class AttachedOutput implements Output {
  readonly #container: Docker.Container;
  readonly #context: OutputContext;
  readonly #patience: Patience;
  #kept: KeptOutput;
  #stream: Readable | null = null;
  /** Resolves when all output is here. */
  #following: Promise<void> = Promise.resolve();

  constructor(container: Docker.Container, context: OutputContext) {
    this.#container = container;
    this.#context = context;
    this.#patience = { ms: ARRIVE_MS, stop: context.signal, stopMs: READ_WHEN_STOPPED_MS };
    this.#kept = new KeptOutput(context.phaseLines);
  }

  async attach(onEnd?: () => void): Promise<void> {
    this.#stream = (await this.#container.attach({ stream: true, stdout: true, stderr: true })) as unknown as Readable;
    this.#following = this.#follow(this.#stream, onEnd);
  }

  /** Output up to now; of a long one both ends. */
  text(): string {
    return this.#kept.text().toString('utf8');
  }

  detach(): void {
    this.#stream?.destroy();
  }

  /** Follows the output until the container ends. Never throws: output is a help for people, not a measurement. */
  async #follow(stream: AsyncIterable<Buffer>, onEnd: () => void = () => {}): Promise<void> {
    // Output from before a mark may arrive after it, so the delay since the mark before that is used.
    let [delay, next] = [new OwnDelay(), new OwnDelay()];
    const marking = setInterval(() => {
      [delay, next] = [next, new OwnDelay()];
    }, MARK_EVERY_MS).unref();
    try {
      for await (const bytes of contents(stream)) {
        this.#kept.take(bytes, process.hrtime.bigint(), delay.atMostNs());
      }
      onEnd();
    } catch {
      // The engine went away, which is also reported where the container's end is waited for.
    } finally {
      clearInterval(marking);
    }
  }

  start(): OutputStart {
    return { byte: this.#kept.length, clock: readClockOffset() };
  }

  async copy(): Promise<void> {
    await this.#arrived();
    const kept = this.#kept;
    this.#kept = new KeptOutput(this.#context.phaseLines);
    try {
      appendRegular(this.#context.logFile, kept.text());
    } catch {
      // The disk is full: no reason to fail, as above.
    }
  }

  async tail({ byte }: OutputStart): Promise<string> {
    await this.#arrived();
    return this.#kept.tail(byte, TAIL_CHARACTERS);
  }

  async phases(window: Execution): Promise<ReportedPhases> {
    await this.#arrived();
    return this.#kept.phases(window);
  }

  async #arrived(): Promise<void> {
    await withDeadline(this.#following, this.#patience).catch(() => {});
  }
}
