import { existsSync, type FSWatcher, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Usage } from '../executor.ts';
import type { Limit } from '../limits.ts';

const ROOT = '/sys/fs/cgroup';

/** The groups of one container: where the kernel tells that it is empty, and where it keeps its accounts. */
interface Groups {
  readonly events: string;
  read(): Accounts;
}

interface Accounts extends Omit<Usage, 'unread'> {
  readonly limit: Limit | null;
}

/**
 * Takes account of what a container uses. Its control group is gone before the engine tells of its end; so the kernel is asked to tell when
 * the last process has left it, and its accounts are read at that moment, once, some milliseconds before the window ends. Nothing is polled.
 */
export class ContainerUsage {
  readonly #containerId: string;
  readonly #root: string;
  readonly #starts: (Accounts | null)[] = [];
  #watcher: FSWatcher | null = null;

  constructor(containerId: string, root = ROOT) {
    this.#containerId = containerId;
    this.#root = root;
  }

  /** The container has started. */
  started(): void {
    const start = this.#starts.push(null) - 1;
    const groups = groupsOf(this.#containerId, this.#root);
    if (groups === null) return;
    const look = () => {
      try {
        if (!/^populated 0$/m.test(readFileSync(groups.events, 'latin1'))) return;
        this.#starts[start] = groups.read();
      } catch {
        // Gone already: what was not read in time stays unknown.
      }
      this.ended();
    };
    try {
      this.#watcher = watch(groups.events, { persistent: false }, look);
      this.#watcher.on('error', () => this.ended());
    } catch {
      // As above.
    }
  }

  /** The container has ended: there is nothing more to be told. */
  ended(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  /** The limit that the last start met, as far as is known. */
  limit(): Limit | null {
    return this.#starts.at(-1)?.limit ?? null;
  }

  /** The sums over all starts. */
  total(): Usage {
    const known = this.#starts.filter((start) => start !== null);
    if (known.length === 0 || known.length < this.#starts.length) {
      const why =
        "What the container used could not be read: its control group was gone before the kernel told of its end, or isn't where this program knows to look.";
      return { cpuS: null, peakMemoryBytes: null, readBytes: null, writtenBytes: null, unread: [why] };
    }
    const sum = (of: (start: Accounts) => number | null): number | null =>
      known.reduce<number | null>((total, start) => {
        const value = of(start);
        return total === null || value === null ? null : total + value;
      }, 0);
    const peaks = known.map(({ peakMemoryBytes }) => peakMemoryBytes);
    const peakMemoryBytes = peaks.every((peak) => peak !== null) ? Math.max(...peaks) : null;
    const writtenBytes = sum((start) => start.writtenBytes);
    return {
      cpuS: sum((start) => start.cpuS),
      peakMemoryBytes,
      readBytes: sum((start) => start.readBytes),
      writtenBytes,
      unread: [peakMemoryBytes === null ? NO_PEAK : null, writtenBytes === null ? NO_IO : null].filter(
        (sentence) => sentence !== null,
      ),
    };
  }
}

const NO_IO =
  "Bytes read and written by containers could not be read: this kernel's control groups don't tell them (those of version 1 never tell whose writes they are).";
const NO_PEAK =
  "The peak memory of containers could not be read: this kernel's control groups don't tell it (those of version 2 do from Linux 5.19 on), or it ended too soon.";

/** Docker's drivers name their groups `docker/ID` and `system.slice/docker-ID.scope`. */
function groupsOf(id: string, root: string): Groups | null {
  for (const name of [join('docker', id), join('system.slice', `docker-${id}.scope`)]) {
    const second = join(root, name);
    if (existsSync(join(second, 'cgroup.events'))) {
      return { events: join(second, 'cgroup.events'), read: () => version2(second) };
    }
    const hybrid = join(root, 'unified', name, 'cgroup.events');
    if (existsSync(hybrid)) return { events: hybrid, read: () => version1(root, name) };
  }
  return null;
}

function version1(root: string, name: string): Accounts {
  const cpuNs = numberIn(join(root, 'cpuacct', name, 'cpuacct.usage'), /^(\d+)$/m);
  return {
    cpuS: cpuNs === null ? null : cpuNs / 1e9,
    peakMemoryBytes: numberIn(join(root, 'memory', name, 'memory.max_usage_in_bytes'), /^(\d+)$/m),
    readBytes: null,
    writtenBytes: null,
    limit: limitMet(join(root, 'memory', name, 'memory.oom_control'), join(root, 'pids', name)),
  };
}

/** What has been written into files and not yet to the disk counts as written: the kernel does it after the container's end. */
function version2(group: string): Accounts {
  const cpuUs = numberIn(join(group, 'cpu.stat'), /^usage_usec (\d+)$/m);
  const io = read(join(group, 'io.stat'));
  const dirty = numberIn(join(group, 'memory.stat'), /^file_dirty (\d+)$/m);
  const sum = (field: string): number | null =>
    io === null ? null : [...io.matchAll(new RegExp(`\\b${field}=(\\d+)`, 'g'))].reduce((s, [, n]) => s + Number(n), 0);
  const flushed = sum('wbytes');
  return {
    cpuS: cpuUs === null ? null : cpuUs / 1e6,
    peakMemoryBytes: numberIn(join(group, 'memory.peak'), /^(\d+)$/m),
    readBytes: sum('rbytes'),
    writtenBytes: flushed === null || dirty === null ? null : flushed + dirty,
    limit: limitMet(join(group, 'memory.events'), group),
  };
}

function limitMet(memoryEvents: string, group: string): Limit | null {
  if (numberIn(memoryEvents, /^oom_kill (\d+)$/m)) return 'memory';
  return numberIn(join(group, 'pids.events'), /^max (\d+)$/m) ? 'processes' : null;
}

function numberIn(path: string, pattern: RegExp): number | null {
  const found = pattern.exec(read(path) ?? '')?.[1];
  return found === undefined ? null : Number(found);
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
