import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { MeasureError, messageOf } from '../../../errors.ts';
import { busySeconds, readStat } from '../../../system/cpu-times.ts';
import { withDeadline } from '../../../system/deadline.ts';

/** A load that makes this machine use more power. Times are CLOCK_MONOTONIC. */
export interface Load {
  /** Description for the preceding sentence: `2 processors busy`. */
  readonly words: string;
  on(): Promise<bigint>;
  off(): Promise<bigint>;
  /** Seconds of full use so far of as many processors as this load uses, by it or others; null: unknown. */
  workedS(): number | null;
  /** Ends the load reliably. Never throws. */
  end(): Promise<void>;
}

const ANSWER_MS = 10_000;
/** Time after which a forgotten loop ends by itself, long after its phase: ending earlier would hide the step of a slow meter. */
const forgottenMs = (phaseS: number): number => 1000 * (60 + 2 * phaseS);

/**
 * A process with a thread per processor. The threads have the lowest priority: they use all free processor time, for the machine's full power,
 * without delaying the process that reads the meter. It ends with the process that started it, in whatever way.
 */
const PROGRAM = `
const { Worker } = require('node:worker_threads');
const os = require('node:os');
const low = () => { try { os.setPriority(os.constants.priority.PRIORITY_LOW); } catch {} };
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => {}); // of a terminal, for the process that ends this one
const threads = Number(process.env.JOULEDIFF_BUSY_THREADS);
const busy = new Int32Array(new SharedArrayBuffer(4));
const work = \`
const os = require('node:os');
const { parentPort, workerData: busy } = require('node:worker_threads');
const values = Float64Array.from({ length: 512 }, (_, i) => i + 1);
parentPort.postMessage('ready');
// This thread's alone, and only now: a start at this priority could take long on a machine that works.
try { os.setPriority(os.constants.priority.PRIORITY_LOW); } catch {}
for (;;) {
  Atomics.wait(busy, 0, 0);
  const untilMs = performance.now() + Number(process.env.JOULEDIFF_BUSY_MS);
  parentPort.postMessage(process.hrtime.bigint());
  while (Atomics.load(busy, 0) === 1 && performance.now() < untilMs) {
    for (let i = 0; i < 512; i++) values[i] = Math.sqrt(values[i] * 1.0000001 + i);
  }
  parentPort.postMessage(process.hrtime.bigint());
  while (Atomics.load(busy, 0) === 1) Atomics.wait(busy, 0, 1);
}\`;
let replies = [];
for (let i = 0; i < threads; i++) {
  const worker = new Worker(work, { eval: true, workerData: busy });
  worker.on('error', () => process.exit(1));
  worker.on('message', (word) => {
    replies.push(word);
    if (replies.length < threads) return;
    if (word === 'ready') {
      low();
      process.send('ready');
    } else process.send(String(replies.reduce((sum, t) => sum + t, 0n) / BigInt(threads)));
    replies = [];
  });
}
process.on('message', (word) => {
  Atomics.store(busy, 0, word === 'on' ? 1 : 0);
  Atomics.notify(busy, 0);
});
`;

/** A load on all processors that this process may use, for phases of this length. Throws MeasureError when it can't be started. */
export async function busyProcessors(phaseS: number, threads = availableParallelism()): Promise<Load> {
  // In this process's session: with autogrouping, the kernel compares priorities only within a session.
  const child = spawn(process.execPath, ['-e', PROGRAM], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      JOULEDIFF_BUSY_THREADS: String(threads),
      JOULEDIFF_BUSY_MS: String(forgottenMs(phaseS)),
    },
  });
  const load = new BusyProcessors(child, threads);
  await load.ready();
  return load;
}

class BusyProcessors implements Load {
  readonly words: string;
  readonly #threads: number;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;

  constructor(child: ChildProcess, threads: number) {
    this.words = `${threads} ${threads === 1 ? 'processor' : 'processors'} busy`;
    this.#threads = threads;
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
  }

  async ready(): Promise<void> {
    await this.#answer(null);
  }

  async on(): Promise<bigint> {
    return BigInt(await this.#answer('on'));
  }

  async off(): Promise<bigint> {
    return BigInt(await this.#answer('off'));
  }

  workedS(): number | null {
    try {
      return busySeconds(readStat()) / this.#threads;
    } catch {
      return null;
    }
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  async #answer(word: string | null): Promise<string> {
    const failed = (why: string): never => {
      throw new MeasureError(`The processors could not be kept busy for the test: ${why}.`);
    };
    try {
      const answered = once(this.#child, 'message').then(([answer]) => String(answer));
      if (word !== null) this.#child.send(word, () => {});
      const ended = this.#exited.then(() => failed('the worker process has ended'));
      return await withDeadline(Promise.race([answered, ended]), ANSWER_MS, () => failed('it does not answer'));
    } catch (error) {
      await this.end();
      return error instanceof MeasureError ? Promise.reject(error) : failed(messageOf(error));
    }
  }
}
