import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackSample } from '../../../../contracts/observation.ts';
import { findProcesses } from '../../../../processes/left-processes.ts';
import type { Observation } from '../observer.ts';
import { ObserverError, Tool } from '../tool.ts';
import { readContent } from './content.ts';
import type { AttachedProfiler, Numbering } from './profiler.ts';

/** Environment variable that marks the target's processes, and is inherited by their children. */
const MARK = 'JOULEDIFF_LOOKED_AT';
const POLL_MS = 100;
/** Number of polls after which an unmarked process is ignored. */
const MAX_STRANGE_POLLS = 10;
/** Time limit for a sampler to begin, ms. */
const BEGIN_MS = 10_000;
const WRITE_MS = 30_000;
/** Maximum sampled processes of one run, in all and at the same time. */
const MAX_SAMPLERS = 200;
const MAX_AT_ONCE = 32;
const MAX_BYTES = 64 * 2 ** 20;
const MAX_SAMPLES = 2_000_000;

/** A sampler of one process. */
interface Sampler {
  readonly pid: number;
  readonly file: string;
  readonly tool: Tool;
  readonly begun: Promise<void>;
  isSampling: boolean;
  /** Whether its process still existed when the sampler ended; null: it is running. */
  outlived: boolean | null;
}

/**
 * Samples, from outside, all processes that a run's command (`of` null) or service starts, as soon as each is found. A service is sampled while the
 * client runs.
 */
export function attaching(
  kind: AttachedProfiler,
  of: string | null,
  { folder, numbering }: { readonly folder: string; readonly numbering: Numbering },
): Observation {
  const mark = randomBytes(8).toString('hex');
  const marked = finder(mark);
  const samplers = new Map<number, Sampler>();
  let isAdded = false;
  let isOver = false;
  let failure: unknown = null;
  let watching: Promise<void> = Promise.resolve();

  const watch = async (): Promise<void> => {
    try {
      while (!isOver) {
        for (const pid of marked()) {
          if (samplers.has(pid) || !kind.isFor(pid)) continue;
          samplers.set(pid, await startSampler(pid, (file) => kind.command(pid, file, numbering), folder));
        }
        const busy = [...samplers.values()].filter(({ outlived }) => outlived === null).length;
        if (samplers.size > MAX_SAMPLERS || busy > MAX_AT_ONCE) throw new ObserverError('too-much');
        await sleep(POLL_MS);
      }
    } catch (thrown) {
      failure = thrown;
    }
  };
  const killAll = async (): Promise<void> => {
    isOver = true;
    await watching;
    await Promise.all([...samplers.values()].map(({ tool }) => tool.kill()));
  };
  const finish = async (): Promise<void> => {
    isOver = true;
    await watching;
    for (const { tool } of samplers.values()) tool.interrupt();
  };
  if (of === null) watching = watch();
  return {
    added: {
      of,
      words: { [MARK]: mark },
      folder: null,
      onAdded() {
        isAdded = true;
      },
    },
    ...(of !== null && {
      around: {
        async begin() {
          watching = watch();
          await sleep(POLL_MS);
          await Promise.all([...samplers.values()].map(({ begun }) => begun));
        },
        end: finish,
      },
    }),
    cancel: killAll,
    async end() {
      await finish();
      try {
        if (!isAdded) throw new ObserverError('place-not-seen');
        if (failure !== null) throw failure;
        return { counts: [], samples: await samplesOf(kind, [...samplers.values()]) };
      } finally {
        await killAll();
      }
    },
  };
}

/** Finds marked processes. Just after its creation, a process may still have its parent's environment. */
function finder(mark: string): () => number[] {
  const polls = new Map<number, number>();
  return () =>
    findProcesses(({ pid, variable }) => {
      const before = polls.get(pid) ?? 0;
      if (before >= MAX_STRANGE_POLLS) return false;
      const isMarked = variable(MARK) === mark;
      if (!isMarked) polls.set(pid, before + 1);
      return isMarked;
    });
}

async function startSampler(
  pid: number,
  command: (file: string) => ReturnType<AttachedProfiler['command']>,
  folder: string,
): Promise<Sampler> {
  const file = join(folder, `looked-at-${pid}`);
  const [program, ...args] = command(file);
  const tool = await Tool.start(program, args);
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, BEGIN_MS);
  const sampler: Sampler = { pid, file, tool, begun, isSampling: false, outlived: null };
  tool.child.stderr?.resume();
  tool.child.stdout?.once('data', () => {
    sampler.isSampling = true;
    resolve();
  });
  tool.child.stdout?.resume();
  tool.child.once('exit', () => {
    sampler.outlived = isThere(pid);
    resolve();
  });
  void begun.then(() => clearTimeout(timer));
  return sampler;
}

/** Whether a process exists and is no zombie. */
function isThere(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

async function samplesOf(kind: AttachedProfiler, samplers: readonly Sampler[]): Promise<readonly StackSample[]> {
  const all: (readonly StackSample[])[] = [];
  let room = MAX_BYTES;
  let count = 0;
  for (const { tool, file, isSampling, outlived } of samplers) {
    if ((await tool.end(WRITE_MS)) !== 0) {
      // The process ended before the sampler could attach.
      if (!isSampling && outlived === false) continue;
      throw new ObserverError(isSampling ? 'ended' : kind.limitation());
    }
    const content = readContent(file, room);
    room -= content.length;
    const found = kind.read(content);
    count += found.length;
    if (count > MAX_SAMPLES) throw new ObserverError('wrote-too-much');
    all.push(found);
  }
  if (all.length === 0) throw new ObserverError('no-profile');
  return all.flat();
}
