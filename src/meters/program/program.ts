import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { MeasureError } from '../../errors.ts';
import { Helper } from '../../processes/helper.ts';
import { SMALL_LIMITS } from '../../processes/helper-limits.ts';
import { nowNs } from '../../system/clock.ts';
import { withDeadline } from '../../system/deadline.ts';
import { excerpt } from '../excerpt.ts';

/** A program that prints readings, one per line, as long as it runs. */
export interface Program {
  /** Every line without its end, with its arrival on CLOCK_MONOTONIC. Lines that came before the listener are given to it at once. */
  onLine(listener: (line: string, tNs: bigint) => void): void;
  /** The listener is called once when the program has ended by itself; at once when that has happened already. */
  onEnd(listener: (error: MeasureError) => void): void;
  /** Ends it and all that it started. Never throws, bounded in time, may be called twice. */
  stop(): Promise<void>;
}

/** Upper bound on a line's length; a longer one is cut into several, none of which is a reading. */
const LONGEST_LINE = 8192;
/** Bytes of stderr that are kept for the error. */
const LAST_WORDS = 300;
const MAX_KEPT = 1000;
const PATIENCE_MS = 2000;
const LAST_LINES_MS = 500;

/** Variables that any such program gets; further ones must be named. */
const NEEDED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

/** Starts a command through `sh -c`, as workloads are, in a process group of its own, held to limits. `names`: further variables that it gets. `most`: for tests. */
export function startProgram(command: string, names: readonly string[], most = SMALL_LIMITS): Program {
  const env = Object.fromEntries(
    [...NEEDED, ...names].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  // stdin closes with joulediff, however that ends, so that a program which reads it can end, too; any other is found by its mark.
  const limits = new Helper('the program of a meter', most);
  const marked = limits.marked(env);
  const start = () => spawn('sh', ['-c', command], { stdio: 'pipe', env: marked, detached: true });
  const child = limits.born(start, ({ pid }) => endGroup(pid, 'SIGKILL'));
  return new ChildProgram(command, child, limits);
}

class ChildProgram implements Program {
  readonly #command: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #limits: Helper;
  #rest = '';
  #lastWords = '';
  readonly #kept: [string, bigint][] = [];
  #onLine: ((line: string, tNs: bigint) => void) | null = null;
  #onEnd: (error: MeasureError) => void = () => {};
  #ended: MeasureError | null = null;
  #stopping: Promise<void> | null = null;
  readonly #closed: Promise<void>;

  constructor(command: string, child: ChildProcessByStdio<Writable, Readable, Readable>, limits: Helper) {
    this.#command = command;
    this.#limits = limits;
    this.#child = child;
    child.stdin.on('error', () => {}); // it need not listen
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
    });
    this.#closed = new Promise((resolve) => {
      child.on('error', (cause) => {
        this.#end(`could not be started: ${cause.message}`, cause);
        resolve();
      });
      const printed = new Promise<void>((done) => void child.stdout.once('close', done));
      child.on('exit', (code, signal) => {
        resolve();
        const what = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
        // Its earlier output comes first, and mostly says why; but a process that it left may keep that open.
        void withDeadline(printed, LAST_LINES_MS, () => undefined).then(() => this.#end(what));
      });
    });
  }

  onLine(listener: (line: string, tNs: bigint) => void): void {
    this.#onLine = listener;
    for (const [line, tNs] of this.#kept.splice(0)) listener(line, tNs);
  }

  onEnd(listener: (error: MeasureError) => void): void {
    this.#onEnd = listener;
    if (this.#ended) listener(this.#ended);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#onEnd = () => {};
    this.#onLine = () => {};
    this.#child.stdin.end();
    this.#kill('SIGTERM');
    await withDeadline(this.#closed, PATIENCE_MS, () => undefined);
    // This also ends processes that it left in its group.
    this.#kill('SIGKILL');
    await this.#limits.end();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    endGroup(this.#child.pid, signal);
  }

  #take(text: string): void {
    const tNs = nowNs();
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > LONGEST_LINE) {
      lines.push(this.#rest);
      this.#rest = '';
    }
    for (const line of lines) {
      if (this.#onLine) this.#onLine(line, tNs);
      else if (this.#kept.length < MAX_KEPT) this.#kept.push([line, tNs]);
    }
  }

  #end(what: string, cause?: unknown): void {
    if (this.#ended) return;
    const words = this.#lastWords.trim();
    const said = words === '' ? null : `It said ${excerpt(words, LAST_WORDS)}.`;
    const reported = [`The program ${excerpt(this.#command)} ${what}.`, this.#limits.reached(), said];
    this.#ended = new MeasureError(reported.filter((sentence) => sentence !== null).join(' '), { cause });
    this.#onEnd(this.#ended);
  }
}

function endGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // all of the group is gone
  }
}
