import { readFileSync } from 'node:fs';
import type { Usage } from '../executor.ts';
import { TICKS_PER_S } from '../leftovers/owner.ts';
import type { RunGroup } from './run-group.ts';

const NO_IO = 'Bytes read and written are not known: this kernel does not record them (/proc/self/io).';

/** Takes account of what a native workload uses: made before its window, ended right after it. */
export class NativeUsage {
  readonly #group: RunGroup;
  readonly #before: ChildrenUsage;

  constructor(group: RunGroup) {
    this.#group = group;
    this.#before = readChildrenUsage();
  }

  end(): Usage {
    const after = readChildrenUsage();
    const { peakBytes, problem } = this.#group.peak();
    const difference = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : b - a);
    const readBytes = difference(this.#before.readBytes, after.readBytes);
    return {
      cpuS: Math.round(100 * (after.cpuS - this.#before.cpuS)) / 100,
      peakMemoryBytes: peakBytes,
      readBytes,
      writtenBytes: difference(this.#before.writtenBytes, after.writtenBytes),
      unread: [problem, readBytes === null ? NO_IO : null].filter((sentence) => sentence !== null),
    };
  }
}

/** What the ended children of this process have used up to now, their own ended children with them. */
interface ChildrenUsage {
  readonly cpuS: number;
  /** With this process's own, which reads and writes next to nothing while a workload runs; null: the kernel doesn't tell. */
  readonly readBytes: number | null;
  readonly writtenBytes: number | null;
}

/**
 * The kernel adds what a process used to its parent when that waited for it (proc(5): cutime, cstime; and io in the same way). The
 * difference between two readings is exact, in hundredths of a second, and nothing has to be read while the workload runs.
 * What outlives its parent and is never waited for isn't in it.
 */
function readChildrenUsage(): ChildrenUsage {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  // Fields from the third on, after the name in parentheses: cutime and cstime are the 16th and 17th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[13]) + Number(fields[14]);
  return { cpuS: ticks / TICKS_PER_S, ...readBytes() };
}

function readBytes(): Pick<ChildrenUsage, 'readBytes' | 'writtenBytes'> {
  try {
    const io = readFileSync('/proc/self/io', 'latin1');
    const field = (name: string): number | null => {
      const found = new RegExp(`^${name}: (\\d+)$`, 'm').exec(io)?.[1];
      return found === undefined ? null : Number(found);
    };
    return { readBytes: field('read_bytes'), writtenBytes: field('write_bytes') };
  } catch {
    return { readBytes: null, writtenBytes: null };
  }
}
