import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import Docker from 'dockerode';
import { MeasureError, messageOf, systemMessage } from '../../../errors.ts';
import { leftFolders, makeMarkedFolder, removeFolder } from '../../../processes/left-folders.ts';
import { endProcesses, findProcesses } from '../../../processes/left-processes.ts';
import type { IsAbandoned } from '../../../processes/owner.ts';
import { withDeadline } from '../../../system/deadline.ts';
import { asOrdinary } from '../../../system/priority.ts';

/** Seconds after its last connection until Podman ends by itself, also where this process is killed. */
const IDLE_S = 15;
const START_MS = 30_000;
const PING_MS = 2000;
const END_MS = 5000;
const POLL_MS = 50;
const MAX_SAID = 2000;
const GRACE_MS = 1000;

const PREFIX = 'joulediff-podman-';
const SOCKET = 'podman.sock';

/** Variables that Podman needs; its containers get none of them. */
const NEEDED =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|TZ|TMPDIR|XDG_[A-Z_]+|CONTAINERS_[A-Z_]+|STORAGE_[A-Z_]+|DBUS_SESSION_BUS_ADDRESS)$/;

/**
 * Podman has no daemon: this is `podman system service`, started for one experiment, which speaks as Docker's engine does. A connection is held
 * open, because without one it ends by itself.
 */
export class PodmanService {
  readonly socket: string;
  readonly docker: Docker;
  readonly #folder: string;
  readonly #words: readonly string[];
  #child: ChildProcess | null = null;
  #held: Readable | null = null;
  #said = '';

  /** Throws MeasureError where the folder of its socket can't be made. */
  constructor(experimentId: string, runtime: string | null) {
    // The path of a socket may have no more than about a hundred bytes.
    this.#folder = makeFolder(tmpdir().length > 60 ? '/var/tmp' : tmpdir(), experimentId);
    this.socket = join(this.#folder, SOCKET);
    this.docker = new Docker({ socketPath: this.socket });
    const first = runtime === null ? [] : ['--runtime', runtime];
    this.#words = [...first, 'system', 'service', `--time=${IDLE_S}`, address(this.#folder)];
  }

  /** Starts Podman, and waits until it answers; does nothing where it runs. Throws MeasureError with what it says. */
  async start(): Promise<void> {
    if (this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null) return;
    this.#said = '';
    // A killed service leaves its socket.
    rmSync(this.socket, { force: true });
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => NEEDED.test(name)));
    const child = asOrdinary(() =>
      spawn('podman', this.#words, {
        cwd: '/',
        // No mark of ours: without root, what Podman forks to hold the user's namespaces inherits it all, and outlives the service by days.
        env,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
    this.#child = child;
    child.on('error', (cause) => this.#say(messageOf(cause)));
    child.stderr?.on('data', (bytes: Buffer) => this.#say(bytes.toString()));
    // The child must not keep joulediff alive while it waits for joulediff's end.
    child.unref();
    (child.stderr as Socket | null)?.unref();
    for (const until = performance.now() + START_MS; !(await this.#answers()); await sleep(POLL_MS)) {
      const isOver = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
      if (!isOver && performance.now() < until) continue;
      await this.#endChild();
      throw new MeasureError(
        `Podman's service ${isOver ? 'ended' : `did not answer within ${START_MS / 1000} s`}: ${this.#said.trim().split('\n').at(-1) ?? ''}`,
        { advice: `Try it as this user: podman ${this.#words.slice(0, -1).join(' ')} unix:///tmp/podman.sock` },
      );
    }
    await this.#hold();
  }

  /** Ends it, and removes its socket. Never throws. */
  async end(): Promise<void> {
    await this.#endChild();
    removeFolder(this.#folder);
  }

  /** Ends the service; it may be started again. */
  async #endChild(): Promise<void> {
    this.#held?.destroy();
    this.#held = null;
    const child = this.#child;
    this.#child = null;
    if (child !== null) await endServices(this.#folder, END_MS);
    child?.stderr?.destroy();
  }

  #say(text: string): void {
    this.#said = (this.#said + text).slice(-MAX_SAID);
  }

  // The options of this request are newer than the library's types.
  #answers(): Promise<boolean> {
    return withDeadline(
      (abortSignal) => this.docker.ping({ abortSignal } as never) as unknown as Promise<unknown>,
      PING_MS,
    ).then(
      () => true,
      () => false,
    );
  }

  /** Holds a connection open, by asking for events that never come. */
  async #hold(): Promise<void> {
    const filters = { container: ['joulediff-holds-the-line'] };
    const stream = (await this.docker.getEvents({ filters })) as unknown as Readable;
    stream.on('error', () => {});
    stream.resume();
    (stream as Readable & { socket?: { unref?(): void } }).socket?.unref?.();
    this.#held = stream;
  }
}

/** Ends the services that killed processes left, and nothing that they started: what holds the namespaces of a user is that user's. Gives a line for the log for each. */
export async function endLeftServices(isAbandoned: IsAbandoned): Promise<string[]> {
  const lines: string[] = [];
  for (const { path } of leftFolders(PREFIX, isAbandoned)) {
    const names = new Set(await endServices(path, GRACE_MS));
    lines.push(...[...names].map((name) => `Ended the service of ${name} that an earlier experiment left.`));
  }
  return lines;
}

/** Ends a service. Without root it is two processes: Podman forks one into the namespaces of the user, which survives if Podman is killed. */
const endServices = (folder: string, graceMs: number): Promise<string[]> =>
  endProcesses(() => findProcesses(({ pid }) => wordsOf(pid).includes(address(folder))), graceMs);

/** Last word of a service's command; it is unique, since it contains the folder's random name. */
const address = (folder: string): string => `unix://${join(folder, SOCKET)}`;

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function makeFolder(base: string, experimentId: string): string {
  try {
    return makeMarkedFolder(base, PREFIX, experimentId);
  } catch (cause) {
    throw new MeasureError(
      `Podman can't be started for the experiment: the folder of its socket could not be made in ${base} (${systemMessage(cause)}).`,
      { advice: 'Make room there, or name another folder by TMPDIR.', cause },
    );
  }
}
