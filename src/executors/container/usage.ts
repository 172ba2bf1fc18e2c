import { existsSync, type FSWatcher, readdirSync, readFileSync, watch } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import type { Limit, Usage } from '../../contracts/execution.ts';
import { type Counted, counted, type RecordedCounter } from '../../findings/resources.ts';
import { membersOf } from '../../processes/left-groups.ts';
import { TICKS_PER_S } from '../../processes/owner.ts';
import { groupStalls } from '../group-accounts.ts';
import { processesIo, type ServiceUse } from '../service-use.ts';
import { NetworkAccounts, networkOf } from './network-accounts.ts';

const ROOT = '/sys/fs/cgroup';

/** Control groups of one container: `events` tells when they are empty, `read` gives their accounts. */
interface Groups {
  readonly events: string;
  read(): Accounts;
}

interface Accounts extends Omit<Usage, 'unread' | 'counters'> {
  readonly counters: readonly Counted[];
  /** Whether the kernel records the peak; if it does and the peak is unknown, the group was gone. */
  readonly keepsPeak: boolean;
  /** `gone`: the group that tells it had been removed already. Those of version 1 are removed one after the other. */
  readonly limit: Limit | 'gone' | null;
}

/**
 * Reads what a container used. Its control group is gone before the engine reports its end: so the kernel is asked to tell when the last process has
 * left it. At that moment the accounts are read, once, some milliseconds before the window ends. Nothing is polled.
 */
export class ContainerUsage {
  readonly #containerId: string;
  readonly #root: string;
  readonly #sharesNetwork: boolean;
  readonly #within: string | null;
  readonly #starts: (Accounts | null)[] = [];
  #watcher: FSWatcher | null = null;
  #network: ReturnType<typeof NetworkAccounts.open> | null = null;

  /** `sharesNetwork`: others were in its network before. `within`: its parent group; null: the engine's own. */
  constructor(containerId: string, root = ROOT, sharesNetwork = false, within: string | null = null) {
    this.#within = within;
    this.#containerId = containerId;
    this.#root = root;
    this.#sharesNetwork = sharesNetwork;
  }

  /** The container has started. */
  started(): void {
    const start = this.#starts.push(null) - 1;
    const groups = findCgroups(this.#containerId, this.#root, this.#within);
    if (groups === null) return;
    this.#network = NetworkAccounts.open(groups.events, this.#sharesNetwork);
    const read = () => {
      try {
        if (!/^populated 0$/m.test(readFileSync(groups.events, 'latin1'))) return;
        const traffic = this.#traffic();
        const accounts = groups.read();
        this.#starts[start] = { ...accounts, counters: [...accounts.counters, ...traffic] };
      } catch {
        // The group is gone already: what was not read in time stays unknown.
      }
      this.ended();
    };
    try {
      this.#watcher = watch(groups.events, { persistent: false }, read);
      this.#watcher.on('error', () => this.ended());
    } catch {
      // The group is gone, as above.
    }
  }

  /** The container has ended: there is nothing more to be told. */
  ended(): void {
    this.#watcher?.close();
    this.#watcher = null;
    if (this.#network instanceof NetworkAccounts) this.#network.close();
    this.#network = null;
  }

  #traffic(): Counted[] {
    const network = this.#network;
    const isOpen = network instanceof NetworkAccounts;
    const read = isOpen ? network.read() : null;
    const missing = network === null || isOpen ? 'gone' : network.missing;
    return [
      counted('received_bytes', read?.receivedBytes ?? null, missing),
      counted('sent_bytes', read?.sentBytes ?? null, missing),
    ];
  }

  /** Limit that the last start met; null: none, as far as is known. */
  limit(): Limit | null {
    const limit = this.#starts.at(-1)?.limit ?? null;
    return limit === 'gone' ? null : limit;
  }

  /** Whether the accounts of a start, or those of them that tell a limit, were gone before they were read. */
  get isGone(): boolean {
    return this.#starts.some((start) => start === null || start.limit === 'gone');
  }

  /** The sums over all starts. */
  total(): Usage {
    const known = this.#starts.filter((start) => start !== null);
    if (known.length === 0 || known.length < this.#starts.length) {
      const why =
        "What at least one run in a container used could not be read: its control group had been removed already, or isn't where joulediff looks for it.";
      return {
        cpuS: null,
        peakMemoryBytes: null,
        readBytes: null,
        writtenBytes: null,
        unread: [why],
        counters: ALL_GONE,
      };
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
      counters: added(known.map(({ counters }) => counters)),
      unread: [
        peakMemoryBytes === null ? (known.every(({ keepsPeak }) => keepsPeak) ? TOO_SOON : noPeak()) : null,
        writtenBytes === null ? NO_IO : null,
      ].filter((sentence) => sentence !== null),
    };
  }
}

const COUNTERS: readonly RecordedCounter[] = [
  ...(['user_s', 'system_s', 'minor_faults', 'major_faults', 'throttled_s', 'cpu_stall_s', 'memory_stall_s'] as const),
  ...(['memory_full_stall_s', 'io_stall_s', 'io_full_stall_s', 'received_bytes', 'sent_bytes'] as const),
];
const ALL_GONE = COUNTERS.map((counter) => counted(counter, null, 'gone'));

/** Sums over all starts; a counter that is unknown for one of them is unknown. */
function added(starts: readonly (readonly Counted[])[]): Counted[] {
  return COUNTERS.map((counter) => {
    const all = starts.map((start) => start.find((one) => one.counter === counter) ?? counted(counter, null, 'gone'));
    const missing = all.find((one) => one.missing !== null)?.missing ?? null;
    return missing === null
      ? counted(
          counter,
          all.reduce((sum, { value }) => sum + (value ?? 0), 0),
          'gone',
        )
      : counted(counter, null, missing);
  });
}

/** Counters from the accounts of time and memory. `prefix`: that of sums over groups inside. `areKept`: whether memory is accounted for here. */
function countersOf(
  { userS, systemS, throttledS }: Readonly<Record<'userS' | 'systemS' | 'throttledS', number | null>>,
  memoryStat: string,
  prefix: '' | 'total_',
  areKept: boolean,
): Counted[] {
  const faults = numberIn(memoryStat, new RegExp(`^${prefix}pgfault (\\d+)$`, 'm'));
  const major = numberIn(memoryStat, new RegExp(`^${prefix}pgmajfault (\\d+)$`, 'm'));
  // The engine removes the groups of a container one after the other, and may be at it.
  const without = areKept ? 'gone' : 'not-counted';
  return [
    counted('user_s', userS, 'not-counted'),
    counted('system_s', systemS, 'not-counted'),
    // `pgfault` counts minor and major faults.
    counted('minor_faults', faults === null || major === null ? null : Math.max(0, faults - major), without),
    counted('major_faults', major, without),
    counted('throttled_s', throttledS, 'not-counted'),
  ];
}

const scaled = (value: number | null, unit: number): number | null => (value === null ? null : value / unit);

const NO_IO =
  "The bytes that containers read and write are not known: this kernel's control groups don't record them (those of version 1 never tell whose writes they are).";
const TOO_SOON =
  'The peak memory of at least one run in a container could not be read: its control group had been removed already.';

/** First version of Linux whose version 2 control groups record the peak. */
const [MAJOR, MINOR] = [5, 19];

function noPeak(kernel = release()): string {
  const [major = 0, minor = 0] = kernel.split('.').map(Number.parseFloat);
  const old = major < MAJOR || (major === MAJOR && minor < MINOR);
  return old
    ? `The peak memory of containers is not known: Linux records it from ${MAJOR}.${MINOR} on, and this is ${kernel}.`
    : 'The peak memory of containers is not known: the memory controller is not enabled for their control groups.';
}

/** What a running container has used up to now; nothing is known where the engine is on another machine. */
export function containerUse(id: string, root = ROOT): ServiceUse {
  for (const name of namesOf(id, root)) {
    const second = join(root, name);
    const isSecond = existsSync(join(second, 'cgroup.events'));
    const first = join(root, 'cpuacct', name);
    if (!isSecond && !existsSync(first)) continue;
    const pids = membersOf(isSecond ? second : first);
    const { cpuS, peakMemoryBytes, ...bytes } = isSecond ? version2(second, true) : version1(root, name, true);
    const inGroup = { readBytes: bytes.readBytes, writtenBytes: bytes.writtenBytes };
    // Version 1 doesn't tell whose writes they are; a service lives, and its processes can still be asked.
    const io = Object.values(inGroup).includes(null)
      ? processesIo(pids)
      : (inGroup as Record<keyof typeof inGroup, number>);
    return {
      cpuS: cpuS ?? 'not-counted',
      peakMemoryBytes: peakMemoryBytes ?? 'not-counted',
      ...io,
      network: networkOf(pids),
    };
  }
  return UNKNOWN;
}

const UNKNOWN: ServiceUse = {
  ...({ cpuS: 'gone', peakMemoryBytes: 'gone', readBytes: 'gone', writtenBytes: 'gone', network: 'gone' } as const),
};

/** Parent groups that Docker and Podman use, with the drivers `cgroupfs` and `systemd`. */
const PARENTS = ['docker', 'system.slice', 'libpod_parent', 'machine.slice'];

const SLICES = 'user.slice';

/** Parent groups of engines without root, in the slice that systemd gives their user. */
function parentsOfUsers(root: string): string[] {
  return namesIn(join(root, SLICES), /^user-\d+\.slice$/).flatMap((slice) => {
    const manager = join(SLICES, slice, `user@${slice.slice('user-'.length, -'.slice'.length)}.service`);
    return [manager, join(manager, 'user.slice'), join(manager, 'app.slice')];
  });
}

/** Possible paths of a container's group: each driver has another form. */
function* namesOf(id: string, root: string, within: string | null = null): Generator<string> {
  const names = [id, `docker-${id}.scope`, `libpod-${id}`, `libpod-${id}.scope`];
  for (const parent of within === null ? PARENTS : [within]) yield* names.map((name) => join(parent, name));
  // This runs in a window, so further folders are read only where the parent is unknown.
  if (within !== null) return;
  for (const parent of parentsOfUsers(root)) yield* names.map((name) => join(parent, name));
}

function namesIn(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => pattern.test(name));
  } catch {
    return [];
  }
}

function findCgroups(id: string, root: string, within: string | null): Groups | null {
  for (const name of namesOf(id, root, within)) {
    const second = join(root, name);
    if (existsSync(join(second, 'cgroup.events'))) {
      const keepsPeak = existsSync(join(second, 'memory.peak'));
      const limits = limitFiles(join(second, 'memory.events'), second);
      return {
        events: join(second, 'cgroup.events'),
        read: () => ({ ...version2(second, keepsPeak), limit: limitMet(limits) }),
      };
    }
    const hybrid = join(root, 'unified', name, 'cgroup.events');
    if (existsSync(hybrid)) {
      const keepsPeak = existsSync(join(root, 'memory', name));
      const limits = limitFiles(join(root, 'memory', name, 'memory.oom_control'), join(root, 'pids', name));
      return { events: hybrid, read: () => ({ ...version1(root, name, keepsPeak), limit: limitMet(limits) }) };
    }
  }
  return null;
}

function version1(root: string, name: string, keepsPeak: boolean): Omit<Accounts, 'limit'> {
  const cpuNs = numberIn(join(root, 'cpuacct', name, 'cpuacct.usage'), /^(\d+)$/m);
  const times = join(root, 'cpuacct', name, 'cpuacct.stat');
  const quota = join(root, 'cpu', name, 'cpu.stat');
  return {
    counters: [
      ...countersOf(
        {
          userS: scaled(numberIn(times, /^user (\d+)$/m), TICKS_PER_S),
          systemS: scaled(numberIn(times, /^system (\d+)$/m), TICKS_PER_S),
          throttledS: scaled(numberIn(quota, /^throttled_time (\d+)$/m), 1e9),
        },
        join(root, 'memory', name, 'memory.stat'),
        'total_',
        keepsPeak,
      ),
      ...groupStalls(join(root, 'unified', name), 'not-counted'),
    ],
    cpuS: cpuNs === null ? null : cpuNs / 1e9,
    keepsPeak,
    peakMemoryBytes: numberIn(join(root, 'memory', name, 'memory.max_usage_in_bytes'), /^(\d+)$/m),
    readBytes: null,
    writtenBytes: null,
  };
}

/** What has been written into files and not yet to the disk counts as written: the kernel does it after the container's end. */
function version2(group: string, keepsPeak: boolean): Omit<Accounts, 'limit'> {
  const cpuUs = numberIn(join(group, 'cpu.stat'), /^usage_usec (\d+)$/m);
  const io = read(join(group, 'io.stat'));
  const dirty = numberIn(join(group, 'memory.stat'), /^file_dirty (\d+)$/m);
  const sum = (field: string): number | null =>
    io === null ? null : [...io.matchAll(new RegExp(`\\b${field}=(\\d+)`, 'g'))].reduce((s, [, n]) => s + Number(n), 0);
  const flushed = sum('wbytes');
  const inSeconds = (field: string): number | null =>
    scaled(numberIn(join(group, 'cpu.stat'), new RegExp(`^${field} (\\d+)$`, 'm')), 1e6);
  return {
    counters: [
      ...countersOf(
        { userS: inSeconds('user_usec'), systemS: inSeconds('system_usec'), throttledS: inSeconds('throttled_usec') },
        join(group, 'memory.stat'),
        '',
        keepsPeak,
      ),
      ...groupStalls(group, 'not-counted'),
    ],
    cpuS: cpuUs === null ? null : cpuUs / 1e6,
    keepsPeak,
    peakMemoryBytes: numberIn(join(group, 'memory.peak'), /^(\d+)$/m),
    readBytes: sum('rbytes'),
    writtenBytes: flushed === null || dirty === null ? null : flushed + dirty,
  };
}

/** The files that tell of limits, as far as this kernel keeps them for the group. */
function limitFiles(memoryEvents: string, pidsGroup: string) {
  const files = [
    { limit: 'memory', file: memoryEvents, count: /^oom_kill (\d+)$/m },
    { limit: 'processes', file: join(pidsGroup, 'pids.events'), count: /^max (\d+)$/m },
  ] as const;
  return files.filter(({ file }) => existsSync(file));
}

function limitMet(files: ReturnType<typeof limitFiles>): Limit | 'gone' | null {
  const met = files.find(({ file, count }) => numberIn(file, count));
  return met?.limit ?? (files.every(({ file }) => existsSync(file)) ? null : 'gone');
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
