import { closeSync, createReadStream, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObservedGroup } from '../../../../contracts/observation.ts';
import { nowNs } from '../../../../system/clock.ts';
import type { Target } from '../observer.ts';
import { ObserverError, Tool } from '../tool.ts';
import { CONTROL, untilReady } from './control.ts';
import { endOf, IntervalCounts, type Origin } from './intervals.ts';

const INTERVAL_MS = 50;
const END_MS = 60_000;
/** Duration of a stop, ms: long enough to recognize the next line by its gap. */
const HELD_MS = 3 * INTERVAL_MS;
/** Uncertainty of perf's clock at which no further stops are needed. */
const EXACT_NS = 2_000_000n;
const HOLDS = 5;
/** Maximum stops until a usable line is found; without one the origin is unknown. */
const MAX_HOLDS = 60;
const LINE_MS = 1000;
/** Bytes at the end of the file that contain at least two intervals. */
const TAIL_BYTES = 32_768;

/** Arguments of `perf stat` for counting these events in the group. */
export const countingWords = (events: readonly string[], { name }: ObservedGroup): string[] => [
  ...['-x', ',', '-a', '-e', events.join(), '--for-each-cgroup', name],
];

/** A running perf that counts in intervals of 50 ms. */
export interface Counting {
  cancel(): Promise<void>;
  /** Ends it; returns all counts and when perf began. Throws ObserverError. */
  end(): Promise<{ readonly counts: IntervalCounts; readonly origin: Origin }>;
}

/** Starts counting into a file `name`, active when this resolves. Throws ObserverError, or the signal's reason; nothing runs then. */
export async function startCounting(
  { group, folder, signal }: Target,
  events: readonly string[],
  name: string,
): Promise<Counting> {
  if (group === null) throw new ObserverError('no-group');
  // A file, because perf would block on a pipe with a slow reader, and stop counting.
  const file = join(folder, name);
  const args = ['stat', '-I', String(INTERVAL_MS), '--summary', '-o', file, ...countingWords(events, group)];
  const startedNs = nowNs();
  const tool = await Tool.start('perf', [...args, ...CONTROL], true);
  tool.child.stdout?.resume();
  tool.child.stderr?.resume();
  await untilReady(tool, signal);
  return {
    cancel: () => tool.kill(),
    async end() {
      if (!tool.isRunning) throw tool.lost();
      try {
        // perf creates the file before it reports that it counts.
        const origin = existsSync(file) ? await findOrigin(tool, file, startedNs) : null;
        tool.interrupt();
        await tool.end(END_MS);
        if (origin === null) throw new ObserverError('unreadable');
        const counts = new IntervalCounts();
        for await (const line of createInterface({ input: createReadStream(file) })) counts.take(line);
        return { counts, origin };
      } catch (thrown) {
        await tool.kill();
        throw thrown;
      }
    },
  };
}

/**
 * Finds bounds for the time when perf began, by stopping and continuing it: its next line is not older than the stop, and not newer than its
 * appearance in the file. If perf was stopped between taking the time and writing, that line is older, but the one after it is not. So the
 * first line is used if the second confirms it. Meanwhile the kernel counts on. Throws ObserverError.
 */
async function findOrigin(tool: Tool, file: string, startedNs: bigint): Promise<Origin> {
  let fromNs = startedNs;
  let toNs: bigint | null = null;
  for (let hold = 0; hold < HOLDS || toNs === null; hold++) {
    if (!tool.isRunning) throw tool.lost();
    if (hold === MAX_HOLDS) throw new ObserverError('hangs');
    const stoppedNs = tool.pause();
    await sleep(HELD_MS);
    const before = Math.max(0, ...lastEnds(file));
    const goesOnNs = nowNs();
    tool.goOn();
    const first = await nextLine(tool, file, before);
    if (first === null) continue;
    toNs = earlier(nowNs() - BigInt(first), toNs);
    const second = await nextLine(tool, file, first);
    if (second === null) continue;
    fromNs = later(goesOnNs - BigInt(second), fromNs);
    if (fromNs + BigInt(first) > stoppedNs) fromNs = later(goesOnNs - BigInt(first), fromNs);
    if (toNs - fromNs < EXACT_NS) break;
  }
  return { fromNs, toNs };
}

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const earlier = (a: bigint, b: bigint | null): bigint => (b === null || a < b ? a : b);

/** End of the next interval after that one; null: none came. */
async function nextLine(tool: Tool, file: string, afterNs: number): Promise<number | null> {
  for (let waitedMs = 0; waitedMs < LINE_MS && tool.isRunning; waitedMs++) {
    const next = lastEnds(file).find((end) => end > afterNs);
    if (next !== undefined) return next;
    await sleep(1);
  }
  return null;
}

/** Ends of the last complete intervals in the file; an unfinished line is ignored. Throws ObserverError. */
function lastEnds(file: string): number[] {
  try {
    const handle = openSync(file, 'r');
    try {
      const tail = Buffer.alloc(TAIL_BYTES);
      const from = Math.max(0, fstatSync(handle).size - TAIL_BYTES);
      const lines = tail.toString('latin1', 0, readSync(handle, tail, 0, TAIL_BYTES, from)).split('\n');
      return lines.slice(from > 0 ? 1 : 0, -1).flatMap((line) => endOf(line) ?? []);
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    throw new ObserverError('unreadable', { cause });
  }
}
