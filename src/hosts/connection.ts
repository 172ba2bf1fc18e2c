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
import { type AnsweredName, type Asked, type Given, OPERATIONS, type OperationName } from './operations.ts';

/** How long an answer may take that nothing has to run for. */
const ANSWER_MS = 45_000;
/** The helper ends by itself where it hears nothing for a minute. */
const BEAT_MS = 15_000;

/** Another experiment has the machine. */
export class HostTaken extends MeasureError {
  /** Who that is, a sentence. */
  readonly holder: string;

  constructor(address: string, holder: string, options: { readonly advice: string }) {
    super(`${address} is already used by another joulediff; two at once would measure each other. ${holder}`, options);
    this.holder = holder;
  }
}

/**
 * One ssh to another machine, of the system's own program with the user's own configuration, and the helper at its other end. It asks nothing of
 * a person: what would need a password or a new host key fails.
 */
export class Connection {
  readonly address: string;
  /** The helper's own, on the other machine. */
  readonly folder: string;
  /** What is made there for it names it so as its owner: whoever starts there sees by that whether it lives. */
  readonly owner: string;
  /** Folders of killed helpers that this one removed. */
  readonly left: readonly string[];
  /** Folders that it could not remove. */
  readonly kept: readonly string[];
  /** Which machine it is, and since which start of it; empty where it doesn't tell. */
  readonly machine: string;
  readonly boot: string;
  /** Address that it sees this machine come from; empty where it can't tell. */
  readonly seenFrom: string;
  /** Its own address, at which it sees the connection come; empty where it can't tell. */
  readonly seenAt: string;
  /** What tells its hardware from others, which a copy of its disk in another machine does not; empty where nothing does. */
  readonly hardware: string;
  /** Where Docker's engine of that machine is asked here; null: nobody wants it. */
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
      // It answers nothing else then, and that has a limit of its own.
      if (this.#unpacking === 0) void this.ask('clock', {}).catch(() => {});
    }, BEAT_MS);
    this.#beat.unref();
  }

  /**
   * `token`: of one experiment; what an earlier connection with the same one still runs there is ended first. Throws MeasureError where the machine can't
   * be reached, lacks what is needed, or is measured by another experiment, or the signal's reason; nothing is left then. `withEngine`: the engine
   * there can be asked through it. `what`: what the machine is reserved for (`the experiment "sort"`), by the lock that a joulediff there takes, for as
   * long as the connection is there; null: it isn't. Throws HostTaken where somebody else has it.
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

  /** Asks the helper. `limitMs`: null where the answer takes as long as it takes. Throws HostLostError, and MeasureError where the helper could not do it. */
  async ask<N extends AnsweredName>(op: N, question: Asked<N>, limitMs: number | null = ANSWER_MS): Promise<Given<N>> {
    const own = op === 'unpack' || op === 'unpacked' ? 1 : 0;
    this.#unpacking += own;
    try {
      return (await this.#timed(op, question, limitMs)).answer;
    } finally {
      this.#unpacking -= own;
    }
  }

  /** The same with the moments of question and answer on the clock here. */
  timed<N extends AnsweredName>(op: N, question: Asked<N>) {
    return this.#timed(op, question, ANSWER_MS);
  }

  #timed<N extends AnsweredName>(op: N, question: Asked<N>, limitMs: number | null) {
    const schema: z.ZodType = OPERATIONS[op].gives;
    return this.#link.ask({ ...question, op }, schema as z.ZodType<Given<N>>, limitMs);
  }

  /**
   * Has the helper end, when it ends itself, whatever containers carry the label of its folder, and ends what is there of them now; gives what it could
   * not. Throws HelperError with the system's reason where the engine can't be asked, and HostLostError.
   */
  async openEngine(): Promise<readonly string[]> {
    return (await this.ask('engine', { socket: ENGINE_SOCKET })).remaining;
  }

  tell<N extends Exclude<OperationName, AnsweredName>>(op: N, question: Asked<N>): void {
    this.#link.write({ ...question, op, id: 0 });
  }

  /** Gives up what still runs there; whoever waits for an answer gets the HostLostError. */
  drop(reason: string): void {
    this.#link.lose(lost(this.address, reason));
  }

  /** What runs there ends, the folder goes, the connection is closed; bounded. Gives what the helper says is left; null where it was lost before. */
  async close(): Promise<Given<'bye'> | null> {
    clearInterval(this.#beat);
    const remains = await this.ask('bye', {}, CLOSE_MS).catch(() => null);
    await this.#link.close();
    removeSocket(this.engineSocket);
    return remains;
  }
}

const wait = (): string => `Wait until it has ended, or let this one wait: ${keyWords(['on-busy', 'wait'], '2h')}.`;

/** Why a helper does not serve. */
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
  const told = what === null ? by : `${plain(what, 200)}, ${by}`;
  return since === null ? `It is ${told}.` : `It is ${told}, since ${minute(plain(since, 40))}.`;
}

/** The minute of a time in ISO 8601, as people write it. */
const minute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

/** The path of a socket holds no more than a hundred bytes. */
const shortFolder = (): string => (tmpdir().length > 60 ? '/tmp' : tmpdir());

function removeSocket(path: string | null): void {
  if (path !== null) removeFolder(dirname(path));
}

export const newToken = (): string => randomBytes(12).toString('hex');
