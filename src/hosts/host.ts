import { spawn } from 'node:child_process';
import { scryptSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { InputError, MeasureError, withoutFullStop } from '../errors.ts';
import { Helper } from '../processes/helper.ts';
import { nowNs, secondsToNs, sleepUntil } from '../system/clock.ts';
import { homeFolder } from '../system/user.ts';
import { plain } from '../text/plain.ts';
import { goOnWords } from '../text/way-in.ts';
import { bestPoint, type ClockPoint, type ClockSample } from './clock.ts';
import { Connection, newToken } from './connection.ts';

/** Upper bounds on the samples of the other clock in one reading, and on the seconds that they take. */
const MAX_SAMPLES = 40;
const SAMPLING_S = 3;
/** How long a lost machine may take to come back, seconds. */
const RETURN_S = 60;
const RETRY_S = 2;
const CHUNK_BYTES = 2 ** 20;
const MAX_FILES_BYTES = 4 * 2 ** 30;
const UNPACK_MS = 600_000;
/** Time limit for questions to the other machine once joulediff is being stopped. */
const STOP_MS = 4000;
const another = (): string => `Bring the first one back under this name; ${goOnWords()}. Or begin a new experiment.`;
/** Exit code of GNU tar: a file changed or vanished while it was read. */
const TAR_CHANGED = 1;

export interface HostOptions {
  /** Whether containers run there, so that its engine must be reachable. */
  readonly withEngine?: boolean;
  /** What the machine is reserved for, as others who want it are told; absent: it isn't reserved. */
  readonly what?: string;
}

/**
 * Another machine that is measured, connected for a whole experiment. When the one connection is lost, `recover` opens another; whatever ran or lay
 * there before is gone then.
 */
export class RemoteHost implements AsyncDisposable {
  readonly address: string;
  readonly #log: (line: string) => void;
  readonly #token: string;
  readonly #signal: AbortSignal;
  readonly #options: HostOptions;
  #connection: Connection;
  #giveUp: NodeJS.Timeout | undefined;
  /** Folder there for each folder of this machine that was sent; holds for this connection only. */
  #sent = new Map<string, Promise<string>>();

  private constructor(
    connection: Connection,
    token: string,
    signal: AbortSignal,
    log: (line: string) => void,
    options: HostOptions,
  ) {
    this.#options = options;
    this.address = connection.address;
    this.#token = token;
    this.#connection = connection;
    this.#signal = signal;
    this.#log = log;
    signal.addEventListener('abort', this.#stop, { once: true });
    this.#tellLeft();
    if (connection.hardware === '') {
      log(
        `${connection.address} does not tell its hardware from another’s (neither a serial number nor a built-in network card is seen there), so a copy of its disk in another machine would pass for it.`,
      );
    }
  }

  /** Throws MeasureError, HostTaken where it is reserved for somebody else, or the signal's reason. */
  static async open(
    address: string,
    signal: AbortSignal,
    log: (line: string) => void,
    options: HostOptions = {},
  ): Promise<RemoteHost> {
    const token = newToken();
    return new RemoteHost(await Connection.open(address, signal, token, options), token, signal, log, options);
  }

  get connection(): Connection {
    return this.#connection;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop);
    clearTimeout(this.#giveUp);
    const remains = await this.#connection.close();
    if (remains === null) return;
    const names = remains.remaining.slice(0, 5).map((name) => plain(name, 100));
    if (names.length > 0) {
      this.#log(
        `Processes or containers are still there on ${this.address}, and could not be ended: ${names.join('; ')}.`,
      );
    }
    if (!remains.removed) this.#tellKept(this.#connection.folder);
  }

  readonly #stop = (): void => {
    this.#giveUp = setTimeout(() => this.#connection.drop('it did not answer after the stop'), STOP_MS);
  };

  /**
   * Digests that identify the machine's installation (or, without a machine-id, its last start) and its hardware, which a copy of its disk does not
   * have; null: unknown. Each experiment has digests of its own, since a machine-id must not be published (machine-id(5)). They are slow to compute:
   * serial numbers could be guessed one by one, as the experiment's id is no secret, and each guess takes as long as the digest here.
   */
  machineIn(experimentId: string): { readonly machine: string | null; readonly hardware: string | null } {
    const { machine, boot, hardware } = this.#connection;
    const digest = (name: string): string | null => (name === '' ? null : costlyDigest(name, experimentId));
    return { machine: digest(machine || boot), hardware: digest(hardware) };
  }

  anotherMachine(): MeasureError {
    return new MeasureError(`Another machine answers as ${this.address} than before.`, {
      advice: another(),
    });
  }

  /** The error for a machine with the same name and machine-id, but other hardware. */
  otherHardware(): MeasureError {
    const message = `The hardware that answers as ${this.address} is not the same as before, though its system calls itself the same (machine-id), as a copy of a disk in another machine does.`;
    return new MeasureError(message, { advice: another() });
  }

  /** Reads the other machine's clock. Throws HostLostError. */
  async clock(): Promise<ClockPoint> {
    const samples: ClockSample[] = [];
    const untilNs = nowNs() + secondsToNs(SAMPLING_S);
    while (samples.length < MAX_SAMPLES && (samples.length === 0 || nowNs() < untilNs)) {
      const { answer, sentNs, arrivedNs } = await this.#connection.timed('clock', {});
      samples.push({ sentNs, arrivedNs, thereNs: BigInt(answer.t) });
    }
    return bestPoint(samples);
  }

  /**
   * Where a path of this machine is on the other one. Paths in the repository around `directory` (or in `directory` itself) are in its copy, sent on
   * first use; others are the same there. Throws InputError, MeasureError, HostLostError, or the reason of the signal that it was opened with.
   */
  async pathOf(path: string, directory: string): Promise<string> {
    const root = sentFolder(directory);
    const within = relative(root, path);
    if (within === '..' || within.startsWith(`..${sep}`)) return path;
    let sent = this.#sent.get(root);
    if (sent === undefined) {
      refuseHome(root);
      sent = this.#send(root);
      this.#sent.set(root, sent);
      sent.catch(() => this.#sent.delete(root));
    }
    return join(await sent, within);
  }

  /**
   * Waits up to a minute for a machine that was lost. Throws the last MeasureError where it doesn't come back, one where it is another machine or was
   * started anew, or the signal's reason.
   */
  async recover(signal: AbortSignal): Promise<void> {
    if (!this.#connection.isLost) return;
    const { machine, boot, hardware } = this.#connection;
    await this.#connection.close();
    this.#sent = new Map();
    this.#log(`Waiting up to a minute for ${this.address} to come back.`);
    const untilNs = nowNs() + secondsToNs(RETURN_S);
    for (;;) {
      try {
        this.#connection = await Connection.open(this.address, signal, this.#token, this.#options);
        break;
      } catch (thrown) {
        signal.throwIfAborted();
        if (nowNs() > untilNs) throw thrown;
        await sleepUntil(nowNs() + secondsToNs(RETRY_S), signal);
      }
    }
    this.#tellLeft();
    if (this.#connection.machine !== machine) {
      throw this.anotherMachine();
    }
    if (this.#connection.hardware !== hardware) throw this.otherHardware();
    if (this.#connection.boot !== boot) {
      throw new MeasureError(
        `${this.address} was restarted, so the conditions that the experiment began with may not hold any more.`,
        { advice: `Let the machine settle; ${goOnWords()}.` },
      );
    }
    this.#log(`${this.address} is back.`);
  }

  #tellLeft(): void {
    for (const folder of this.#connection.left) {
      this.#log(
        `Removed ${plain(folder, 200)} on ${this.address}, with what still ran from it, that an earlier experiment left.`,
      );
    }
    for (const folder of this.#connection.kept) this.#tellKept(folder);
  }

  #tellKept(folder: string): void {
    this.#log(`${plain(folder, 200)} could not be removed on ${this.address}: remove what is left of it by hand.`);
  }

  async #send(root: string): Promise<string> {
    const into = `files-${this.#sent.size}`;
    const args = ['--exclude=.git', '--exclude-tag-all=experiment.db', '--owner=0', '--group=0', '--numeric-owner'];
    const helper = new Helper('tar');
    const tar = helper.born(
      () =>
        spawn('tar', ['-C', root, ...args, '-cf', '-', '.'], {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: helper.marked(process.env),
        }),
      (late) => late.kill('SIGKILL'),
    );
    const ended = new Promise<number | null>((settle, reject) => tar.once('close', settle).once('error', reject));
    ended.catch(() => {});
    const said = buffer(tar.stderr);
    said.catch(() => {});
    let bytes = 0;
    try {
      for await (const chunk of tar.stdout.iterator({ destroyOnReturn: true }) as AsyncIterable<Buffer>) {
        this.#signal.throwIfAborted();
        bytes += chunk.length;
        if (bytes > MAX_FILES_BYTES) {
          throw new MeasureError(`${root} holds more than 4 GiB, which is too much to be sent to ${this.address}.`, {
            advice: 'Put the experiment file into a folder with only what the workload needs.',
          });
        }
        for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
          const data = chunk.subarray(at, at + CHUNK_BYTES).toString('base64');
          await this.#connection.ask('unpack', { data });
        }
      }
      const code = await ended;
      if (code !== 0) {
        const why = withoutFullStop(
          helper.reached() ?? plain((await said).toString().trim().split('\n')[0] ?? '', 300),
        );
        const isChange = code === TAR_CHANGED;
        if (!isChange) throw new MeasureError(`The files of ${root} could not be sent to ${this.address}: ${why}.`);
        this.#log(`A file changed while the files of ${root} were sent to ${this.address}: ${why}.`);
      }
      const { path } = await this.#connection.ask('unpacked', { into }, UNPACK_MS);
      return path;
    } catch (thrown) {
      this.#signal.throwIfAborted();
      // The archive there is incomplete: another attempt needs a new connection, and sends all of it.
      this.#connection.drop('its files did not all get there');
      throw thrown;
    } finally {
      tar.kill();
      await helper.end();
    }
  }
}

const digests = new Map<string, string>();

/** scrypt (RFC 7914) with 16 MiB of memory: some 50 ms. */
function costlyDigest(name: string, experimentId: string): string {
  const key = JSON.stringify([name, experimentId]);
  const known =
    digests.get(key) ?? scryptSync(name, `joulediff machine ${experimentId}`, 8, { N: 2 ** 14 }).toString('hex');
  digests.set(key, known);
  return known;
}

/** Throws InputError for a folder that is or holds the home folder, with its keys and passwords. */
export function refuseHome(root: string, to = 'the other machine'): void {
  const home = homeFolder();
  if (home === null || relative(root, home).split(sep)[0] === '..') return;
  const what = root === home ? 'your whole home folder' : 'a folder that holds your home folder';
  throw new InputError(`The files of ${root} would be sent to ${to}, and that is ${what}.`, {
    advice: 'Put the experiment file into a folder or a repository of its own, with only what the workload needs.',
  });
}

/** Folder that is sent along with this one: the work tree that it is in, or else itself. */
export function sentFolder(directory: string): string {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return resolve(directory);
  }
}
