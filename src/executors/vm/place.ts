import { join, resolve } from 'node:path';
import type { Command, PlaceFacts } from '../../contracts/variant.ts';
import { InputError, MeasureError, withoutFullStop } from '../../errors.ts';
import { folderBases, makeMarkedFolder, removeFolder } from '../../processes/left-folders.ts';
import { makeFolder } from '../../system/make-folder.ts';
import { appendRegular } from '../../system/open-regular.ts';
import { plain } from '../../text/plain.ts';
import { shellWord } from '../../text/shell.ts';
import type { ExecutorEnvironment } from '../executor.ts';
import { leftOutNote } from '../output-limit.ts';
import { argvOf, repeated } from '../repeat.ts';
import { INSPECT, NETWORK, NO_CARD, NO_DRIVE, UNPACK } from './agent.ts';
import { makeDrive, pathInGuest } from './drive.ts';
import { Guest, type GuestEnd } from './guest.ts';
import type { VmVariant } from './variant.ts';

/** Upper bound on the output that is fetched from a guest, half from each end: a serial port is slow. */
const MAX_OUTPUT_BYTES = 2 ** 20;
const FILES_MS = 600_000;
const SCRIPT_MS = 30_000;
const REPORTED_BYTES = 4000;

export interface GuestPlaceSetup {
  readonly variant: VmVariant;
  readonly environment: ExecutorEnvironment;
  /** Ports of this machine's loopback address that lead to the same ports of the guest. */
  readonly ports: readonly number[];
  readonly experimentId: string;
  readonly runId: number;
  readonly signal: AbortSignal;
}

/** A command in a guest, with what is around it. */
export interface GuestCommand {
  readonly run: Command;
  readonly executions?: number;
  /** Words in front of it; absent: none. */
  readonly before?: readonly string[];
  /** Variables in addition to those of the workload. */
  readonly env: Readonly<Record<string, string>>;
  /** Working directory; null: the workload's. */
  readonly workdir: string | null;
}

/** A guest with its files and its network, which ends when the run and the services in it have all let it go. */
export class GuestPlace {
  readonly guest: Guest;
  readonly #setup: GuestPlaceSetup;
  readonly #folder: string;
  #holders = 1;

  /** Boots a guest, which the caller holds. Throws InputError, MeasureError, or the signal's reason; nothing is left then. */
  static async boot(setup: GuestPlaceSetup): Promise<GuestPlace> {
    const { variant, environment, ports, experimentId, runId, signal } = setup;
    const [base = '/var/tmp'] = folderBases();
    makeFolder(base);
    const folder = makeMarkedFolder(base, 'joulediff-guest-', experimentId);
    let guest: Guest;
    try {
      const drive = join(folder, 'files.tar');
      await makeDrive(drive, { directory: environment.directory, variant, signal });
      const identity = { experimentId, runId, variant: variant.name };
      guest = await Guest.boot({ variant, identity, folder, drive, ports, signal });
    } catch (thrown) {
      removeFolder(folder);
      throw thrown;
    }
    const place = new GuestPlace(setup, guest, folder);
    try {
      await place.#unpack();
      if (ports.length > 0) await place.#joinNetwork();
      return place;
    } catch (thrown) {
      await place.letGo();
      signal.throwIfAborted();
      throw thrown;
    }
  }

  private constructor(setup: GuestPlaceSetup, guest: Guest, folder: string) {
    this.#setup = setup;
    this.guest = guest;
    this.#folder = folder;
  }

  /** The same, held once more. */
  hold(): this {
    this.#holders++;
    return this;
  }

  /** Lets it go. The last one to do so ends the guest, with all that it has written. */
  async letGo(): Promise<void> {
    if (--this.#holders > 0) return;
    await this.guest.end();
    const left = removeFolder(this.#folder);
    if (left !== null) this.#setup.environment.log(left);
  }

  /** Facts of the guest, by its own account. */
  async inspect(): Promise<PlaceFacts> {
    const { bytes } = await this.#inside('look', INSPECT);
    const text = bytes.toString();
    const reported = (pattern: RegExp): string | null => pattern.exec(text)?.[1] ?? null;
    return {
      vm_guest_kernel: reported(/^kernel (\S+)$/m),
      vm_guest_cpus: Number(reported(/^cpus (\d+)$/m) ?? 0),
      vm_guest_memory_bytes: 1024 * Number(reported(/^MemTotal:\s+(\d+) kB$/m) ?? 0),
    };
  }

  /** The kernel's tables of TCP connections in the guest. */
  async connections(): Promise<string> {
    return (await this.#inside('look', 'cat /proc/net/tcp /proc/net/tcp6', 2 ** 18)).bytes.toString();
  }

  /** Text for the guest's shell, by which nothing of joulediff's stays between it and the command. */
  textOf({ run, executions = 1, before = [], env, workdir }: GuestCommand): string {
    const { workload } = this.#setup.variant;
    const { directory, passedEnv } = this.#setup.environment;
    const variables = Object.entries({ ...passedEnv, ...workload.env, ...env });
    const folder = pathInGuest(resolve(directory, workdir ?? workload.workdir ?? '.'), directory);
    const [own, foreign] = [true, false].map((of) => variables.filter(([key]) => isShellName(key) === of));
    const others = (foreign ?? []).map(([key, value]) => `${key}=${value}`);
    const words = [...(others.length === 0 ? [] : ['env', ...others]), ...before, ...repeated(argvOf(run), executions)];
    return [
      `cd ${shellWord(folder)} || exit`,
      ...(own ?? []).map(([key, value]) => `export ${key}=${shellWord(value)}`),
      `exec ${words.map(shellWord).join(' ')}`,
    ].join('\n');
  }

  /** Output of a stage up to now; of a long one both ends. */
  async fetchOutput(stage: string, most = MAX_OUTPUT_BYTES): Promise<string> {
    const { bytes, leftOut } = await this.guest.output(stage, most);
    const half = bytes.length / 2;
    return leftOut === 0
      ? bytes.toString()
      : `${bytes.subarray(0, half).toString()}${leftOutNote(leftOut)}${bytes.subarray(half).toString()}`;
  }

  /** Appends a stage's output to a log, and gives it. */
  async saveOutput(stage: string, logFile: string): Promise<string> {
    const text = await this.fetchOutput(stage);
    appendRegular(logFile, text);
    return text;
  }

  async #unpack(): Promise<void> {
    const { end, bytes } = await this.#inside('files', UNPACK, REPORTED_BYTES, FILES_MS);
    if (end.exitCode === 0) return;
    if (end.exitCode === NO_DRIVE) {
      throw new InputError(`${this.#who} does not see the drive that its files come on.`, {
        advice:
          'Its kernel needs the drivers virtio_pci and virtio_blk, loaded when the shell at ttyS1 opens, and /sys and /dev have to be mounted.',
      });
    }
    throw new InputError(
      `${this.#who} could not unpack its files: ${lastMessage(bytes) || `tar ended with exit code ${end.exitCode}`}.`,
    );
  }

  async #joinNetwork(): Promise<void> {
    const { end, bytes } = await this.#inside('network', NETWORK);
    if (end.exitCode === 0) return;
    const why =
      end.exitCode === NO_CARD
        ? 'it sees no card'
        : lastMessage(bytes) || `ip and ifconfig ended with exit code ${end.exitCode}`;
    throw new InputError(`${this.#who} could not set up the network by which its services are reached: ${why}.`, {
      advice: 'It needs the driver virtio_net, loaded when the shell at ttyS1 opens, and the program ip or ifconfig.',
    });
  }

  get #who(): string {
    return `The guest of variant ${JSON.stringify(this.#setup.variant.name)}`;
  }

  /** Runs a command of joulediff's own in the guest, and gives its output. */
  async #inside(
    stage: string,
    text: string,
    most = REPORTED_BYTES,
    withinMs = SCRIPT_MS,
  ): Promise<{ end: GuestEnd; bytes: Buffer }> {
    const late = () => new MeasureError(`${this.#who} took too long to get ready (${stage}).`);
    const end = await this.guest.run(stage, text, { withinMs, late });
    await this.guest.account();
    const { bytes } = await this.guest.output(stage, most);
    return { end, bytes };
  }
}

const lastMessage = (bytes: Buffer): string => withoutFullStop(plain(bytes.toString().trim(), 300));

/** Whether a shell can have a variable with this name, and lets it be set; others have to be set by env. */
const isShellName = (name: string): boolean => /^(?!(?:E?UID|GROUPS|PPID|BASHOPTS|SHELLOPTS)$)[A-Za-z_]\w*$/.test(name);
