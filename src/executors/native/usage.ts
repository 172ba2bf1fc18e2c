import { readFileSync } from 'node:fs';
import type { Usage } from '../../contracts/execution.ts';
import { type Counted, counted } from '../../findings/resources.ts';
import { ioBytes } from '../../machine/accounts.ts';
import { MachineFiles } from '../../machine/files.ts';
import { TICKS_PER_S } from '../../processes/owner.ts';
import type { RunGroup } from '../../processes/run-group.ts';
import { groupStalls } from '../group-accounts.ts';

const NO_IO = 'Bytes read and written are not known: this kernel does not record them (/proc/self/io).';

/** Reads what a native workload uses: made before its window, ended right after it. */
export class NativeUsage {
  readonly #group: RunGroup;
  readonly #before: ChildrenUsage;
  readonly #throttledS = throttledS();

  constructor(group: RunGroup) {
    this.#group = group;
    this.#before = readChildrenUsage();
  }

  end(): Usage {
    const after = readChildrenUsage();
    const { peakBytes, problem } = this.#group.peak();
    const difference = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : b - a);
    const readBytes = difference(this.#before.readBytes, after.readBytes);
    const written = difference(this.#before.writtenBytes, after.writtenBytes);
    return {
      cpuS: round(after.userS + after.systemS - this.#before.userS - this.#before.systemS),
      peakMemoryBytes: peakBytes,
      readBytes,
      // Of files deleted now and written before, more may be cancelled than was written.
      writtenBytes: written === null ? null : Math.max(0, written),
      unread: [problem, readBytes === null ? NO_IO : null].filter((sentence) => sentence !== null),
      counters: [
        counted('user_s', round(after.userS - this.#before.userS), 'not-counted'),
        counted('system_s', round(after.systemS - this.#before.systemS), 'not-counted'),
        counted('minor_faults', after.minorFaults - this.#before.minorFaults, 'not-counted'),
        counted('major_faults', after.majorFaults - this.#before.majorFaults, 'not-counted'),
        counted('throttled_s', difference(this.#throttledS, throttledS()), 'not-counted'),
        ...SHARED_NETWORK.map((counter) => counted(counter, null, 'shared-network')),
        ...this.#stalls(),
      ],
    };
  }

  /** Stalls of the run's own group, where it has one in version 2 of control groups. */
  #stalls(): readonly Counted[] {
    return groupStalls(this.#group.accounts(), 'shared-group');
  }
}

/** Rounds to hundredths of a second, the kernel's unit. */
const round = (seconds: number): number => Math.round(100 * seconds) / 100;

/** Seconds for which this process's control group, and a workload with it, was throttled; null: the kernel doesn't count. */
function throttledS(): number | null {
  const groups = new MachineFiles().text('/proc/self/cgroup') ?? '';
  const path = /^\d+:(?:[^:]*,)?cpu(?:,[^:]*)?:(.*)$/m.exec(groups)?.[1];
  if (path === undefined) return null;
  const ns = /^throttled_time (\d+)$/m.exec(new MachineFiles().text(`/sys/fs/cgroup/cpu${path}/cpu.stat`) ?? '')?.[1];
  return ns === undefined ? null : Number(ns) / 1e9;
}

const SHARED_NETWORK = ['received_bytes', 'sent_bytes'] as const;

/** What the ended children of this process have used up to now, their own ended children with them. */
interface ChildrenUsage {
  readonly userS: number;
  readonly systemS: number;
  readonly minorFaults: number;
  readonly majorFaults: number;
  /** Bytes including this process's own, which are next to nothing while a workload runs; null: the kernel doesn't count. */
  readonly readBytes: number | null;
  readonly writtenBytes: number | null;
}

/**
 * The kernel adds what a process used to its parent once that has waited for it (proc(5): cutime, cstime, cminflt, cmajflt; io in the same way). The
 * difference between two readings is exact, in hundredths of a second, and nothing has to be read while the workload runs.
 * What outlives its parent and is never waited for isn't in it.
 */
function readChildrenUsage(): ChildrenUsage {
  const fields = statFields('self');
  // cminflt is the 11th, cmajflt the 13th, cutime and cstime are the 16th and 17th.
  const [minorFaults = 0, majorFaults = 0, user = 0, system = 0] = [fields[8], fields[10], fields[13], fields[14]];
  return { userS: user / TICKS_PER_S, systemS: system / TICKS_PER_S, minorFaults, majorFaults, ...readBytes() };
}

/** Fields of a process from the third on, after its name in parentheses. Throws where it is gone. */
function statFields(pid: number | 'self'): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

/**
 * Processor seconds that processes have used up to now, with their children that ended and that they waited for: of a server and all that
 * it starts, nothing is missing but what had lost its parent before it ended.
 */
export function processesCpuS(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    try {
      // utime, stime, cutime, cstime are the 14th to the 17th.
      return statFields(pid)
        .slice(11, 15)
        .reduce((sum, part) => sum + part, 0);
    } catch {
      // The process has ended meanwhile, and its use counts with its parent.
      return 0;
    }
  });
  return ticks.reduce((sum, own) => sum + own, 0) / TICKS_PER_S;
}

function readBytes(): Pick<ChildrenUsage, 'readBytes' | 'writtenBytes'> {
  try {
    return ioBytes('self');
  } catch {
    return { readBytes: null, writtenBytes: null };
  }
}
