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
/** perf is stopped for so long that the next line is known by its gap. */
const HELD_MS = 3 * INTERVAL_MS;
/** So well its clock is known, or it has been tried often enough. */
const EXACT_NS = 2_000_000n;
const HOLDS = 5;
/** Without any line that can be used nothing is known. */
const MAX_HOLDS = 60;
const LINE_MS = 1000;
/** Two intervals are in it. */
const TAIL_BYTES = 32_768;

/** Words for `perf stat` that count these events in all that is in the group. */
export const countingWords = (events: readonly string[], { name }: ObservedGroup): string[] => [
  ...['-x', ',', '-a', '-e', events.join(), '--for-each-cgroup', name],
];

/** perf, counting in stretches of 50 ms. */
export interface Counting {
  cancel(): Promise<void>;
  /** All of it, and when perf began. Throws ObserverError. */
  end(): Promise<{ readonly counts: IntervalCounts; readonly origin: Origin }>;
}

/** Counts as soon as this resolves; `name` of a file of its own. Throws ObserverError, or the signal's reason; nothing of it runs then. */
export async function startCounting(
  { group, folder, signal }: Target,
  events: readonly string[],
  name: string,
): Promise<Counting> {
  if (group === null) throw new ObserverError('no-group');
  // Into a pipe whose reader is busy it would wait, and not count on.
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
        // It makes the file before it says that it counts.
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
 * When perf began, between two moments. It is stopped on purpose and let go on: its next line isn't earlier than that, and not later than it is found in the
 * file. But where it was stopped between taking the time and writing, however late, the next line is older; only the one after it is surely not. So the
 * first says when exactly, where the second shows that it wasn't taken before the stop. What happens meanwhile is counted by the kernel. Throws ObserverError.
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

/** The end of the first interval after that one; null: none came. */
async function nextLine(tool: Tool, file: string, afterNs: number): Promise<number | null> {
  for (let waitedMs = 0; waitedMs < LINE_MS && tool.isRunning; waitedMs++) {
    const next = lastEnds(file).find((end) => end > afterNs);
    if (next !== undefined) return next;
    await sleep(1);
  }
  return null;
}

/** Of the last intervals in the file. A line that is still being written isn't one. Throws ObserverError. */
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
