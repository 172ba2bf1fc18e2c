import { type ChildProcess, spawn } from 'node:child_process';
import { lstatSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError, MeasureError, messageOf, withoutFullStop } from '../../errors.ts';
import { isInstalled } from '../../processes/ask-program.ts';
import { Helper } from '../../processes/helper.ts';
import { SMALL_LIMITS } from '../../processes/helper-limits.ts';
import { withDeadline } from '../../system/deadline.ts';

/** A pseudo-terminal whose other end is opened under a name like a serial port. */
export interface Pty {
  /** Link to the end that is to be opened. */
  readonly path: string;
  write(bytes: Uint8Array): void;
  onData(listener: (chunk: Uint8Array) => void): void;
  /** The listener is called when the pseudo-terminal ends without `close`. */
  onEnd(listener: () => void): void;
  /** Removes the pseudo-terminal and its link. */
  close(): Promise<void>;
}

/** Time limit for the program to be ready: one that can't make a pseudo-terminal ends by itself, but a start may be slow on a busy machine. */
const READY_MS = 30_000;
const CLOSE_MS = 2000;
/** Unread bytes that are kept; more are lost, as on a real port. */
const UNREAD_BYTES = 4096;

/**
 * Between a pseudo-terminal and this process's pipes; ends, and removes the link, when its input ends: also when this process was killed.
 * The near end stays open here, so that the pseudo-terminal survives the programs that open and close it.
 */
const PYTHON_RELAY = `
import os, select, sys, tty
master, slave = os.openpty()
tty.setraw(slave)
os.symlink(os.ttyname(slave), sys.argv[1])
try:
    while True:
        ready, _, _ = select.select([0, master], [], [])
        if 0 in ready:
            data = os.read(0, 65536)
            if not data:
                break
            os.write(master, data)
        if master in ready:
            os.write(1, os.read(master, 65536))
finally:
    os.unlink(sys.argv[1])
`;

const MAKERS: readonly { readonly program: string; words(link: string): string[] }[] = [
  { program: 'socat', words: (link) => ['-t0', `PTY,raw,echo=0,link=${link}`, 'STDIO'] },
  { program: 'python3', words: (link) => ['-c', PYTHON_RELAY, link] },
];

/**
 * Makes a pseudo-terminal with socat, or python3 where that is not installed. It goes with this process, however that ends.
 * Throws InputError when `link` is taken or can't be made, MeasureError when neither program is there.
 */
export async function openPty(link: string, programs = MAKERS.map(({ program }) => program)): Promise<Pty> {
  if (exists(link)) throw new InputError(`${link} exists already.`, { advice: 'Give another path with --link.' });
  const maker = MAKERS.find(({ program }) => programs.includes(program) && isInstalled(program));
  if (!maker) {
    throw new MeasureError('An emulated port needs socat or python3, and neither is installed.', {
      advice: 'Install one of them, for example `sudo apt-get install socat`.',
    });
  }
  // The program gets a session of its own: Ctrl-C reaches only this process, which then ends it.
  const helper = new Helper(maker.program, SMALL_LIMITS);
  const start = () =>
    spawn(maker.program, maker.words(link), {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      env: helper.marked(process.env),
    });
  const child = helper.born(start, (late) => late.kill('SIGKILL'));
  const pty = new ProcessPty(link, child, helper);
  await pty.ready();
  return pty;
}

class ProcessPty implements Pty {
  readonly path: string;
  readonly #child: ChildProcess;
  readonly #helper: Helper;
  readonly #ended: Promise<void>;
  #isEnded = false;
  #closing = false;
  #said = '';
  #onData: (chunk: Uint8Array) => void = () => {};
  #onEnd: () => void = () => {};

  constructor(path: string, child: ChildProcess, helper: Helper) {
    this.path = path;
    this.#helper = helper;
    this.#child = child;
    child.stdin?.on('error', () => {});
    child.stdout?.on('data', (chunk: Uint8Array) => this.#onData(chunk));
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(-500);
    });
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#isEnded = true;
        resolve();
        if (!this.#closing) this.#onEnd();
      };
      child.once('error', (error) => {
        this.#said = messageOf(error);
        end();
      });
      child.once('exit', end);
    });
  }

  async ready(): Promise<void> {
    const latestMs = performance.now() + READY_MS;
    while (!isLink(this.path)) {
      if (this.#isEnded || performance.now() > latestMs) {
        await this.close();
        const why = this.#said.trim().split('\n').at(-1) ?? '';
        throw new InputError(
          `The port ${this.path} could not be made${why === '' ? '' : `: ${withoutFullStop(why)}`}.`,
          {
            advice: 'Give another path with --link, in a folder that you may write.',
          },
        );
      }
      await sleep(10);
    }
  }

  write(bytes: Uint8Array): void {
    const pipe = this.#child.stdin;
    if (bytes.length === 0 || this.#isEnded || !pipe || pipe.writableLength > UNREAD_BYTES) return;
    pipe.write(bytes);
  }

  onData(listener: (chunk: Uint8Array) => void): void {
    this.#onData = listener;
  }

  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#onData = () => {};
    this.#child.stdin?.end();
    await withDeadline(this.#ended, CLOSE_MS, () => {});
    if (!this.#isEnded) this.#child.kill('SIGKILL');
    await this.#ended;
    await this.#helper.end();
  }
}

/** A short name for a port of this meter type, in the folder for temporary files, that nothing has. */
export function freePortName(type: string): string {
  const name = join(tmpdir(), `joulediff-${type}`);
  for (let number = 1; ; number++) {
    const link = number === 1 ? name : `${name}-${number}`;
    if (!exists(link)) return link;
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== '';
  } catch {
    return false;
  }
}
