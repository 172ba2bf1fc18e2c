import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { MeasureError, messageOf, withoutFullStop } from '../errors.ts';
import { Helper } from '../processes/helper.ts';
import { signalProcess } from '../processes/left-processes.ts';
import { ownerToken } from '../processes/owner.ts';
import { nowNs } from '../system/clock.ts';
import { plain } from '../text/plain.ts';
import { ENGINE_SOCKET, helperProgram } from './helper.ts';
import { Seconds } from './operations.ts';

/** The connection is lost, and with it everything that ran there. */
export class HostLostError extends MeasureError {}

/** The helper could not do what it was asked; the message is the system's. */
export class HelperError extends MeasureError {}

/** The engine on the other machine is gone or gives no answer. */
export class EngineGoneError extends HelperError {}

/** Time limit for connecting. */
const CONNECT_MS = 60_000;
/** Time limit for a helper, once its input is closed, to end what ran and remove its folder. */
export const CLOSE_MS = 15_000;
/** Time to read the rest of an ended ssh's output, which a program that it started may hold open. */
const DRAIN_MS = 1000;
const MAX_LINE_BYTES = 64 * 2 ** 20;
const MAX_STDERR = 4000;

/** Command that starts the helper. It reads the rest of its program from the first line of its input, so that no shell has to quote it. */
const START = `exec python3 -I -u -c 'import json;exec(json.loads(open(0,"rb",0,closefd=False).readline()))'`;

const NO_ANSWER = 'it sent what is no answer';
const Greeting = z.looseObject({ joulediff: z.string() });
const Text = z.string().max(4096);
const Folders = z.array(Text).max(10_000);

/** First message of a helper. */
export const Hello = z.object({
  joulediff: Text,
  folder: Text.optional(),
  /** Owner token of the helper. */
  owner: Text.optional(),
  left: Folders.optional(),
  /** Folders of killed helpers that could not be removed. */
  kept: Folders.optional(),
  /** Identifiers of its installation, of its last start and of its hardware; empty where it has none. */
  machine: Text.optional(),
  boot: Text.optional(),
  hardware: Text.optional(),
  /** Address from which it sees this machine connect; empty where its ssh server doesn't tell. */
  from: Text.optional(),
  /** Its own address on this connection; empty where its ssh server doesn't tell. */
  at: Text.optional(),
  refused: z.enum(['python', 'busy', 'taken', 'lock']).optional(),
  version: Text.optional(),
  /** The other connection that keeps it busy. `own`: that one is of the same joulediff. */
  busy: z.object({ from: Text.nullable(), for: Seconds, own: z.boolean().optional() }).optional(),
  taken: z
    .object({
      path: Text,
      pid: z.int().nullable(),
      user: Text.nullable(),
      what: Text.nullable(),
      since: Text.nullable(),
    })
    .optional(),
  /** Why the machine can't be reserved. */
  why: Text.optional(),
});
const Answer = z.looseObject({ id: z.int(), error: z.string().optional(), gone: z.boolean().optional() });

interface Waiting {
  readonly resolve: (given: { readonly answer: unknown; readonly arrivedNs: bigint }) => void;
  readonly reject: (reason: unknown) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Options that override the user's own, which hold for everything else: hosts, keys, jump hosts, known hosts. */
const OPTIONS = [
  ...['BatchMode=yes', 'ControlMaster=no', 'ControlPath=none', 'ForwardAgent=no', 'ForwardX11=no', 'RequestTTY=no'],
  ...['PermitLocalCommand=no', 'RemoteCommand=none', 'EscapeChar=none', 'ConnectTimeout=20'],
].flatMap((option) => ['-o', option]);

/** Options that make the engine there reachable at `socket`; null: nothing is forwarded, not even what the user's configuration says. */
function forwarding(socket: string | null): string[] {
  if (socket === null) return ['-o', 'ClearAllForwardings=yes'];
  const options = ['ExitOnForwardFailure=no', 'StreamLocalBindMask=0177', 'StreamLocalBindUnlink=yes'];
  return [...options.flatMap((option) => ['-o', option]), '-L', `${socket}:${ENGINE_SOCKET}`];
}

function noAnswer({ issues: [first] }: z.ZodError): string {
  const field = plain(first?.path.join('.') ?? '', 60);
  return field === '' ? NO_ANSWER : `${NO_ANSWER} (${field})`;
}

export const lost = (address: string, why: string): HostLostError =>
  new HostLostError(`The connection to ${address} was lost: ${withoutFullStop(why)}.`);

/** The process of one ssh: lines to the helper and back. */
export class Link {
  readonly #address: string;
  readonly #ssh: ChildProcessWithoutNullStreams;
  readonly #helper = new Helper('ssh');
  readonly #nonce = randomBytes(12).toString('hex');
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #lastId = 0;
  #parts: Buffer[] = [];
  #bytes = 0;
  #stderr = '';
  #reason: unknown = null;
  #greeted: PromiseWithResolvers<z.output<typeof Hello>> | null = Promise.withResolvers();

  /**
   * `token` names the experiment; a helper that was started with the same one gives way to this one. `what`: what the machine there is reserved for;
   * null: it isn't reserved.
   */
  constructor(address: string, token: string, engineSocket: string | null, what: string | null) {
    this.#address = address;
    // ssh gets a session of its own: a Ctrl-C reaches only joulediff, which then ends ssh in order.
    const words = [...OPTIONS, ...forwarding(engineSocket), '--', address, START];
    const start = () => spawn('ssh', words, { stdio: 'pipe', detached: true });
    this.#ssh = this.#helper.born(start, ({ pid }) => pid !== undefined && signalProcess(-pid, 'SIGKILL'));
    const { stdin, stdout, stderr } = this.#ssh;
    this.#ended = new Promise((resolve) => {
      this.#ssh.once('close', (code, signal) => {
        this.lose(this.#endError(code, signal));
        void this.#helper.release().then(resolve);
      });
      this.#ssh.once('exit', () => {
        const drained = setTimeout(() => this.#letGo(), DRAIN_MS);
        this.#ssh.once('close', () => clearTimeout(drained));
      });
      this.#ssh.once('error', (cause) => {
        const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
        const why = missing ? 'There is no ssh on this machine.' : `ssh could not be started: ${messageOf(cause)}.`;
        this.lose(new MeasureError(why, { advice: missing ? 'Install openssh-client.' : undefined, cause }));
        void this.#helper.release().then(resolve);
      });
    });
    stdin.on('error', () => {}); // told when it closes
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR);
    });
    stdout.on('data', (chunk: Buffer) => this.#take(chunk, nowNs()));
    stdin.write(`${JSON.stringify(helperProgram({ nonce: this.#nonce, token, asker: ownerToken(), what }))}\n`);
  }

  get isLost(): boolean {
    return this.#reason !== null;
  }

  async greet(): Promise<z.output<typeof Hello>> {
    const late = setTimeout(() => {
      this.lose(new MeasureError(`${this.#address} did not answer within ${CONNECT_MS / 1000} s.`));
    }, CONNECT_MS);
    try {
      return await (this.#greeted as PromiseWithResolvers<z.output<typeof Hello>>).promise;
    } finally {
      clearTimeout(late);
      this.#greeted = null;
    }
  }

  ask<T>(question: object, schema: z.ZodType<T>, limitMs: number | null) {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Parameters<Waiting['resolve']>[0]>();
    if (this.#reason !== null) return Promise.reject(this.#reason);
    const late = () => this.lose(lost(this.#address, `no answer came for ${(limitMs ?? 0) / 1000} s`));
    this.#waiting.set(id, { resolve, reject, timer: limitMs === null ? undefined : setTimeout(late, limitMs) });
    const sentNs = nowNs();
    this.write({ ...question, id });
    return promise.then(({ answer, arrivedNs }) => {
      const { error, gone: isGone = false } = Answer.parse(answer);
      if (error !== undefined) throw new (isGone ? EngineGoneError : HelperError)(plain(error, 300));
      const given = schema.safeParse(answer);
      if (given.success) return { answer: given.data, sentNs, arrivedNs };
      // After an answer that doesn't fit, nothing that the helper says can be relied on.
      this.lose(lost(this.#address, noAnswer(given.error)));
      throw this.#reason;
    });
  }

  write(message: object): void {
    if (this.#reason === null) this.#ssh.stdin.write(`${JSON.stringify(message)}\n`);
  }

  lose(reason: unknown): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#greeted?.promise.catch(() => {});
    this.#greeted?.reject(reason);
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(reason);
    }
    this.#waiting.clear();
    this.#ssh.stdin.destroy();
    this.#ssh.kill();
  }

  async close(): Promise<void> {
    // The helper ends with its input, and ssh with the helper.
    this.#ssh.stdin.end();
    const given = Promise.withResolvers<void>();
    let late = setTimeout(() => {
      this.#letGo();
      late = setTimeout(given.resolve, DRAIN_MS);
    }, CLOSE_MS);
    await Promise.race([this.#ended, given.promise]);
    clearTimeout(late);
  }

  /** Ends ssh with what it started (a ProxyCommand outlives it), and waits for nothing that they hold open. */
  #letGo(): void {
    try {
      if (this.#ssh.pid !== undefined) process.kill(-this.#ssh.pid, 'SIGKILL');
    } catch {
      // Its process group has ended.
    }
    for (const stream of [this.#ssh.stdin, this.#ssh.stdout, this.#ssh.stderr]) stream.destroy();
  }

  #take(chunk: Buffer, arrivedNs: bigint): void {
    let rest = chunk;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      const line = Buffer.concat([...this.#parts, rest.subarray(0, at)]).toString();
      this.#parts = [];
      this.#bytes = 0;
      rest = rest.subarray(at + 1);
      this.#line(line, arrivedNs);
    }
    if (rest.length === 0) return;
    this.#parts.push(rest);
    this.#bytes += rest.length;
    if (this.#bytes > MAX_LINE_BYTES) this.lose(lost(this.#address, NO_ANSWER));
  }

  #line(line: string, arrivedNs: bigint): void {
    let answer: unknown;
    try {
      answer = JSON.parse(line);
    } catch {
      answer = null;
    }
    if (this.#greeted !== null) {
      // A login shell may say something first.
      if (Greeting.safeParse(answer).data?.joulediff !== this.#nonce) return;
      const hello = Hello.safeParse(answer);
      if (hello.success) this.#greeted.resolve(hello.data);
      else this.lose(lost(this.#address, noAnswer(hello.error)));
      return;
    }
    const known = Answer.safeParse(answer);
    if (!known.success) {
      this.lose(lost(this.#address, NO_ANSWER));
      return;
    }
    const waiting = this.#waiting.get(known.data.id);
    this.#waiting.delete(known.data.id);
    clearTimeout(waiting?.timer);
    waiting?.resolve({ answer, arrivedNs });
  }

  #endError(code: number | null, signal: string | null): MeasureError {
    const said = plain(this.#stderr.trim().split('\n').at(-1) ?? '', 300);
    const how =
      this.#helper.reached() ??
      (said || (signal === null ? `ssh ended with exit code ${code}` : `ssh was ended by ${signal}`));
    if (this.#greeted === null) return lost(this.#address, how);
    if (code === 127) {
      return new MeasureError(`python3 could not be started on ${this.#address}: ${withoutFullStop(how)}.`, {
        advice: 'joulediff needs Python 3.7 or newer on the machine that is measured.',
      });
    }
    return new MeasureError(`${this.#address} could not be reached: ${withoutFullStop(how)}.`, {
      advice: `Make sure that this works without a question here, as the user who starts joulediff: ssh ${this.#address} true`,
    });
  }
}
