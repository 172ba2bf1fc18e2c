import * as z from 'zod';
import { MeasureError } from '../errors.ts';
import { type Hello, Link, lost } from './link.ts';

/** How long an answer may take that nothing has to run for. */
const ANSWER_MS = 45_000;
/** The helper ends by itself where it hears nothing for a minute. */
const BEAT_MS = 15_000;

/**
 * One ssh to another machine, of the system's own program with the user's own configuration, and the helper at its other end. It asks nothing of
 * a person: what would need a password or a new host key fails.
 */
export class Connection {
  readonly address: string;
  /** The helper's own, on the other machine. */
  readonly folder: string;
  /** Folders of killed helpers that this one removed. */
  readonly left: readonly string[];
  readonly #link: Link;
  readonly #beat: NodeJS.Timeout;

  private constructor(address: string, link: Link, { folder = '', left = [] }: z.output<typeof Hello>) {
    this.address = address;
    this.folder = folder;
    this.left = left;
    this.#link = link;
    this.#beat = setInterval(() => void this.ask({ op: 'clock' }, z.unknown()).catch(() => {}), BEAT_MS);
    this.#beat.unref();
  }

  /** Throws MeasureError where the machine can't be reached or lacks what is needed, or the signal's reason; nothing is left then. */
  static async open(address: string, signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted();
    const link = new Link(address);
    const stop = () => link.lose(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const hello = await link.greet();
      if (hello.refused !== undefined) {
        throw new MeasureError(`${address} has Python ${hello.version}, and joulediff needs 3.7 or newer there.`);
      }
      return new Connection(address, link, hello);
    } catch (thrown) {
      await link.close();
      signal.throwIfAborted();
      throw thrown;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  get isLost(): boolean {
    return this.#link.isLost;
  }

  /** Asks the helper. `limitMs`: null where the answer takes as long as it takes. Throws HostLostError, and MeasureError where the helper could not do it. */
  async ask<T>(question: object, schema: z.ZodType<T>, limitMs: number | null = ANSWER_MS): Promise<T> {
    return (await this.#link.ask(question, schema, limitMs)).answer;
  }

  /** The same with the moments of question and answer on the clock here. */
  async timed<T>(question: object, schema: z.ZodType<T>) {
    return this.#link.ask(question, schema, ANSWER_MS);
  }

  tell(message: object): void {
    this.#link.write({ ...message, id: 0 });
  }

  /** Gives up what still runs there; whoever waits for an answer gets the HostLostError. */
  drop(reason: string): void {
    this.#link.lose(lost(this.address, reason));
  }

  /** What runs there ends, the folder goes, the connection is closed; bounded. */
  async close(): Promise<void> {
    clearInterval(this.#beat);
    await this.#link.close();
  }
}
