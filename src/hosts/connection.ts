import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as z from 'zod';
import { MeasureError } from '../errors.ts';
import { LINE_PREFIX, makeMarkedFolder, removeFolder } from '../processes/left-folders.ts';
import { isJob } from '../system/gitea.ts';
import { plain } from '../text/plain.ts';
import { keyWords } from '../text/way-in.ts';
import { ENGINE_SOCKET } from './helper.ts';
import { CLOSE_MS, type Hello, Link, lost } from './link.ts';
import { type AnsweredName, OPERATIONS, type OperationName, type Query, type Reply } from './operations.ts';

/** Time limit for an answer that needs no program to run. */
const ANSWER_MS = 45_000;
/** Interval of the sign of life to the helper, which ends when it hears nothing for a minute. */
const BEAT_MS = 15_000;

/** Another experiment has the machine reserved. */
export class HostTaken extends MeasureError {
  /** Sentence that names the experiment that has it. */
  readonly holder: string;

  constructor(address: string, holder: string, options: { readonly advice: string }) {
    super(`${address} is already used by another joulediff; two at once would measure each other. ${holder}`, options);
    this.holder = holder;
  }
}

/**
 * An ssh connection to another machine, and the helper at its other end. It uses the system's ssh with the user's own configuration, and asks
 * nothing of a person: it fails where a password or the confirmation of a host key would be needed.
 */
export class Connection {
  readonly address: string;
  /** The helper's folder on the other machine. */
  readonly folder: string;
  /** Owner token of the helper, which marks what is made for it there: by this a later start sees whether the helper still lives. */
  readonly owner: string;
  /** Folders of killed helpers that this one removed. */
  readonly left: readonly string[];
  /** Folders of killed helpers that this one could not remove. */
  readonly kept: readonly string[];
  /** Identifiers of the other machine's installation (machine-id) and of its last start (boot ID); empty where it has none. */
  readonly machine: string;
  readonly boot: string;
  /** Address from which the other machine sees this one connect; empty where its ssh server doesn't tell. */
  readonly seenFrom: string;
  /** The other machine's own address on this connection; empty where its ssh server doesn't tell. */
  readonly seenAt: string;
  /** Identifiers of the other machine's hardware, which a copy of its disk elsewhere does not have; empty where there are none. */
  readonly hardware: string;
  /** Local socket that leads to that machine's Docker engine; null: the connection was opened without one. */
  readonly engineSocket: string | null;
  readonly #link: Link;
  readonly #beat: NodeJS.Timeout;
  #unpacking = 0;

  private constructor(address: string, link: Link, hello: z.output<typeof Hello>, engineSocket: string | null) {
    this.engineSocket = engineSocket;
    this.address = address;
    this.folder = hello.folder ?? '';
    this.owner = hello.owner ?? '';
    this.left = hello.left ?? [];
    this.kept = hello.kept ?? [];
    this.machine = hello.machine ?? '';
    this.boot = hello.boot ?? '';
    this.seenFrom = hello.from ?? '';
    this.seenAt = hello.at ?? '';
    this.hardware = hello.hardware ?? '';
    this.#link = link;
    this.#beat = setInterval(() => {
      // While it unpacks an archive, the helper answers nothing else; unpacking has a time limit of its own.
      if (this.#unpacking === 0) void this.ask('clock', {}).catch(() => {});
    }, BEAT_MS);
    this.#beat.unref();
  }

  /**
   * Connects, and starts the helper there. `token` names the experiment; what an earlier connection with the same token still runs is ended first.
   * `withEngine`: makes Docker's engine there reachable. `what`: reserves the machine under this name (`the experiment "sort"`) while connected;
   * absent: it is not reserved. Throws HostTaken where somebody else has it, MeasureError where it can't be reached or lacks what is needed, or the
   * signal's reason; nothing is left then.
   */
  static async open(
    address: string,
    signal: AbortSignal,
    token = newToken(),
    { withEngine = false, what }: { readonly withEngine?: boolean; readonly what?: string } = {},
  ): Promise<Connection> {
    signal.throwIfAborted();
    const engineSocket = withEngine ? join(makeMarkedFolder(shortFolder(), LINE_PREFIX, token), 'engine') : null;
    const link = new Link(address, token, engineSocket, what ?? null);
    const stop = () => link.lose(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const hello = await link.greet();
      if (hello.refused !== undefined) throw refusal(address, hello);
      return new Connection(address, link, hello, engineSocket);
    } catch (thrown) {
      await link.close();
      removeSocket(engineSocket);
      signal.throwIfAborted();
      throw thrown;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  get isLost(): boolean {
    return this.#link.isLost;
  }

  /** Asks the helper. `limitMs` null: no time limit. Throws HostLostError, and MeasureError where the helper could not do it. */
  async ask<N extends AnsweredName>(op: N, question: Query<N>, limitMs: number | null = ANSWER_MS): Promise<Reply<N>> {
    const own = op === 'unpack' || op === 'unpacked' ? 1 : 0;
    this.#unpacking += own;
    try {
      return (await this.#timed(op, question, limitMs)).answer;
    } finally {
      this.#unpacking -= own;
    }
  }

  /** Asks as `ask` does, and also gives when the question was sent and its answer arrived, on this machine's clock. */
  timed<N extends AnsweredName>(op: N, question: Query<N>) {
    return this.#timed(op, question, ANSWER_MS);
  }

  #timed<N extends AnsweredName>(op: N, question: Query<N>, limitMs: number | null) {
    const schema: z.ZodType = OPERATIONS[op].gives;
    return this.#link.ask({ ...question, op }, schema as z.ZodType<Reply<N>>, limitMs);
  }

  /**
   * Makes the helper remove, when it ends, all containers that carry the label of its folder, and removes those of now. Gives the names of what could
   * not be removed. Throws HelperError with the system's reason where the engine can't be asked, and HostLostError.
   */
  async openEngine(): Promise<readonly string[]> {
    return (await this.ask('engine', { socket: ENGINE_SOCKET })).remaining;
  }

  tell<N extends Exclude<OperationName, AnsweredName>>(op: N, question: Query<N>): void {
    this.#link.write({ ...question, op, id: 0 });
  }

  /** Gives the connection up with all that runs there: pending questions fail with a HostLostError. */
  drop(reason: string): void {
    this.#link.lose(lost(this.address, reason));
  }

  /** Ends all that runs there, removes the folder and disconnects, in bounded time. Gives what is left there; null: it was lost before. */
  async close(): Promise<Reply<'bye'> | null> {
    clearInterval(this.#beat);
    const remains = await this.ask('bye', {}, CLOSE_MS).catch(() => null);
    await this.#link.close();
    removeSocket(this.engineSocket);
    return remains;
  }
}

const wait = (): string => `Wait until it has ended, or let this one wait: ${keyWords(['on-busy', 'wait'], '2h')}.`;

/** The error for a helper that refuses to serve. */
function refusal(address: string, { refused, version, busy, taken, why }: z.output<typeof Hello>): MeasureError {
  switch (refused) {
    case 'busy': {
      if (busy?.own === true) {
        return new MeasureError(`${address} is a machine that this experiment already has under another name.`, {
          advice: 'Write it in one way wherever it is named.',
        });
      }
      const from = busy?.from
        ? `It was started from ${plain(busy.from, 100)} as the same user, and measures`
        : 'It measures';
      const since = new Date(Date.now() - 1000 * (busy?.for ?? 0)).toISOString();
      const advice = `${wait()} If its network is gone, it ends by itself after a minute.`;
      return new HostTaken(address, `${from} since ${minute(since)}.`, { advice });
    }
    case 'taken':
      return new HostTaken(address, holderText(taken), { advice: wait() });
    case 'lock':
      return new MeasureError(
        `${address} can't be reserved by its lock: ${plain(why ?? 'it is not known why', 300)}.`,
        {
          advice: 'Everybody who may measure on that machine needs write access to that file, which must be empty.',
        },
      );
    default:
      return new MeasureError(`${address} has Python ${version}, and joulediff needs 3.7 or newer there.`);
  }
}

function holderText(taken: z.output<typeof Hello>['taken']): string {
  // A job's log and comment are read by people of another repository than that of the experiment.
  if (isJob(process.env)) {
    const since = taken?.since ?? null;
    return since === null ? 'Since when is not known.' : `It has been busy since ${minute(plain(since, 40))}.`;
  }
  if (taken === undefined || taken.pid === null) {
    return `Its process can't be seen by this user; it locks ${plain(taken?.path ?? 'the machine', 200)}.`;
  }
  const { pid, user, what, since } = taken;
  const by = `process ${pid} there${user === null ? '' : ` of ${plain(user, 100)}`}`;
  const reported = what === null ? by : `${plain(what, 200)}, ${by}`;
  return since === null ? `It is ${reported}.` : `It is ${reported}, since ${minute(plain(since, 40))}.`;
}

/** The minute of a time in ISO 8601, as people write it. */
const minute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

/** Temporary folder for sockets, whose paths may have no more than about a hundred bytes. */
const shortFolder = (): string => (tmpdir().length > 60 ? '/tmp' : tmpdir());

function removeSocket(path: string | null): void {
  if (path !== null) removeFolder(dirname(path));
}

export const newToken = (): string => randomBytes(12).toString('hex');
