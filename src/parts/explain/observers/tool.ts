import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Limitation } from '../../../contracts/observation.ts';
import { getErrorCode } from '../../../errors.ts';
import { Helper } from '../../../processes/helper.ts';
import { signalProcess } from '../../../processes/left-processes.ts';
import type { Limits } from '../../../processes/limits.ts';
import { nowNs } from '../../../system/clock.ts';

/** Error of an observer: a limitation of this machine, or a failure. */
export class ObserverError extends Error {
  readonly limitation: Limitation;

  constructor(limitation: Limitation, options?: ErrorOptions) {
    super(limitation, options);
    this.limitation = limitation;
  }
}

/** Environment variables passed to it; it gets no others. */
const NEEDED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TZ', 'TMPDIR'];

function toolEnv(): Record<string, string> {
  const needed = NEEDED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(needed), LC_ALL: 'C' };
}

/** An observing program in its own process group, so that it can be killed with all its children. */
export class Tool {
  readonly child: ChildProcess;
  readonly #helper: Helper;
  readonly #ended: Promise<number | null>;
  #isBeyond = false;

  private constructor(child: ChildProcess, helper: Helper, ended: Promise<number | null>) {
    this.child = child;
    this.#helper = helper;
    this.#ended = ended;
  }

  /**
   * `control`: adds two pipes, 3 for commands and 4 for answers. `most`: resource limits, for tests. Throws ObserverError if it
   * can't be started.
   */
  static async start(program: string, args: readonly string[], control = false, most?: Limits): Promise<Tool> {
    const stdio: 'pipe'[] = control ? ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe'];
    const helper = new Helper(program, most);
    const child: ChildProcess = helper.born(
      () => spawn(program, [...args], { detached: true, stdio, env: helper.marked(toolEnv()) }),
      ({ pid }) => pid !== undefined && signalProcess(-pid, 'SIGKILL'),
    );
    const { promise: ended, resolve } = Promise.withResolvers<number | null>();
    child.once('close', resolve);
    // A closed pipe is reported by the end of the program.
    for (const pipe of child.stdio) pipe?.on('error', () => {});
    child.stdin?.end();
    await new Promise<void>((done, fail) => {
      child.once('spawn', done);
      child.once('error', (cause) => {
        resolve(null);
        void helper.end();
        fail(new ObserverError(getErrorCode(cause) === 'ENOENT' ? 'no-tool' : 'not-allowed', { cause }));
      });
    });
    return new Tool(child, helper, ended);
  }

  /**
   * Waits for its end. Returns the exit code, or null after a signal. Throws ObserverError if it does not end in time, and kills it, or if it met a
   * limit; or the reason of a `signal` that stops waiting.
   */
  async end(withinMs: number, signal?: AbortSignal): Promise<number | null> {
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const stop = () => resolve('late');
    const timer = setTimeout(stop, withinMs);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    const ended = await Promise.race([this.#ended, late]);
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    if (ended !== 'late') {
      await this.#leave();
      if (this.#isBeyond) throw this.lost();
      return ended;
    }
    await this.kill();
    signal?.throwIfAborted();
    throw new ObserverError('hangs');
  }

  /** Error for a premature end. */
  lost(): ObserverError {
    this.#isBeyond ||= this.#helper.reached() !== null;
    return new ObserverError(this.#isBeyond ? 'too-much' : 'ended');
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Interrupts it, so that it writes its data. */
  interrupt(): void {
    if (this.isRunning && this.child.pid !== undefined) signalProcess(this.child.pid, 'SIGINT');
  }

  /** Stops it until `goOn`. Returns CLOCK_MONOTONIC of the moment when it is surely stopped. */
  pause(): bigint {
    if (this.isRunning && this.child.pid !== undefined) signalProcess(this.child.pid, 'SIGSTOP');
    return nowNs();
  }

  goOn(): void {
    if (this.isRunning && this.child.pid !== undefined) signalProcess(this.child.pid, 'SIGCONT');
  }

  /** Kills the whole process group. Does not wait for processes that the kernel can't end. */
  async kill(): Promise<void> {
    const { pid } = this.child;
    if (pid !== undefined && this.isRunning) signalProcess(-pid, 'SIGKILL');
    for (const pipe of this.child.stdio) pipe?.destroy();
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), KILL_MS);
    await Promise.race([this.#ended, late]);
    clearTimeout(timer);
    await this.#leave();
  }

  /** Removes its control group, with any processes left in it. */
  #leave(): Promise<void> {
    this.#isBeyond ||= this.#helper.reached() !== null;
    return this.#helper.end();
  }
}

const KILL_MS = 2000;

/** Maximum characters of a line. */
const LONGEST_LINE = 65_536;

/** Calls `take` with each line of a stream until its end; lines that are too long are left out. */
export function takeLines(stream: Readable | null, take: (line: string) => void): void {
  let rest = '';
  let isTooLong = false;
  const takeOne = (line: string): void => {
    if (!isTooLong && line.length <= LONGEST_LINE) take(line);
    isTooLong = false;
  };
  stream?.setEncoding('utf8');
  stream?.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) takeOne(line);
    if (rest.length <= LONGEST_LINE) return;
    isTooLong = true;
    rest = '';
  });
  stream?.on('end', () => rest !== '' && takeOne(rest));
}
