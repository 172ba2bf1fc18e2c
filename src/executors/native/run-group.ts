import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../errors.ts';
import { type IsAbandoned, ownerState, ownerToken, parseOwner } from '../leftovers/owner.ts';
import { endProcesses, findProcesses } from '../leftovers/processes.ts';
import type { Limit, Limits } from '../limits.ts';

/** What a killed process left has this long between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;
const ROOT = '/sys/fs/cgroup';
const PIDS_MAX = 'pids.max';
const NOT_ALLOWED =
  'The peak memory of native runs is not known: that needs a control group of their own, which only root (or the owner of a delegated group) may make.';

const NO_GROUP = 'The peak memory of native runs is not known: no memory control group is available here.';

/** Where groups can be made for one controller or several, and where this process belongs. */
interface Hierarchy {
  readonly parent: string;
  readonly own: string;
  /** Names of its files for memory; null: the kernel keeps no account of memory there. */
  readonly memory: { readonly limit: string; readonly peak: string; readonly events: string } | null;
  readonly countsProcesses: boolean;
}

const MEMORY_1 = {
  limit: 'memory.limit_in_bytes',
  peak: 'memory.max_usage_in_bytes',
  events: 'memory.oom_control',
} as const;
const MEMORY_2 = { limit: 'memory.max', peak: 'memory.peak', events: 'memory.events' } as const;

const NO_LIMITS: Limits = { pids: null, memoryBytes: null };
/** Limits below these could be met by this process itself while it is in the group for the birth. */
const ROOMY: Limits = { pids: 1024, memoryBytes: 2 ** 30 };

/**
 * A control group that a native workload is born into, so that the kernel notes its peak memory, knows all its processes, however they
 * hide, and holds them to limits; nothing is read while it runs. A process is born where its parent is: this one goes in just before the
 * window, which may take the kernel some milliseconds, and comes out right after the workload's start, which takes a tenth of one.
 */
export class RunGroup {
  /** In version 1 of control groups each controller has a hierarchy of its own. */
  readonly #groups: { readonly at: Hierarchy; readonly folder: string }[];
  readonly #limits: Limits;
  #entered = false;
  #inside = false;
  /** Why there is no group. */
  #problem: string | null = null;

  /** `root` and `groups` (as in /proc/self/cgroup) are others for tests. */
  constructor(name: string, limits = NO_LIMITS, root = ROOT, groups = ownGroups()) {
    this.#limits = limits;
    const hierarchies = findHierarchies(root, groups);
    if (hierarchies.length === 0) this.#problem = NO_GROUP;
    for (const { parent } of hierarchies) removeLeftIn(parent);
    this.#groups = hierarchies.map((at) => ({ at, folder: join(at.parent, `${ownPrefix()}${name}`) }));
    for (const { folder } of this.#groups) this.#try(() => mkdirSync(folder));
    if (this.#problem === null) this.#limit(true);
  }

  /** The workload's first process is made between this and `leave`. */
  enter(): void {
    if (this.#problem !== null || this.#inside) return;
    this.#inside = true;
    for (const { folder } of this.#groups) this.#move(folder);
    this.#entered = this.#problem === null;
  }

  /** Comes out again; what was born meanwhile stays. */
  leave(): void {
    if (!this.#inside) return;
    this.#inside = false;
    for (const { at } of this.#groups) this.#move(at.own, true);
    this.#limit(false);
  }

  /** Whether the workload was born in it: all that it started is then in it still, but for what root moved elsewhere. */
  get entered(): boolean {
    return this.#entered;
  }

  /** The processes in it. */
  members(): ReadonlySet<number> {
    const [first] = this.#groups;
    return this.#entered && first !== undefined ? membersOf(first.folder) : new Set();
  }

  /** Lets nothing more be born in it, so that whoever ends its processes comes to an end. */
  seal(): void {
    for (const { folder } of this.#groups) seal(folder);
  }

  /** The limits that a workload is held to; null: it can't be, or wasn't to be. Tried, not guessed: to be asked once, before any run. */
  held(): Limits {
    this.enter();
    this.leave();
    const { pids, memoryBytes } = this.#limits;
    const isThere = (name: string | undefined): boolean =>
      this.#problem === null && this.#groups.some(({ folder }) => name && existsSync(join(folder, name)));
    return {
      pids: isThere(PIDS_MAX) ? this.#pids(pids) : null,
      memoryBytes: this.#groups.some(({ at }) => isThere(at.memory?.limit)) ? memoryBytes : null,
    };
  }

  /** The limit that was met, if any was. */
  reached(): Limit | null {
    const counted = (file: string, name: string): boolean =>
      this.#groups.some(({ folder }) => new RegExp(`^${name} [1-9]`, 'm').test(read(join(folder, file)) ?? ''));
    if (counted(MEMORY_1.events, 'oom_kill') || counted(MEMORY_2.events, 'oom_kill')) return 'memory';
    return counted('pids.events', 'max') ? 'processes' : null;
  }

  /** The peak, or why it isn't known. */
  peak(): { readonly peakBytes: number | null; readonly problem: string | null } {
    this.leave();
    const group = this.#groups.find(({ at }) => at.memory !== null);
    const peakFile = group?.at.memory?.peak;
    if (this.#problem !== null || !this.#entered || group === undefined || peakFile === undefined) {
      return { peakBytes: null, problem: this.#problem ?? NO_GROUP };
    }
    try {
      return { peakBytes: Number(readFileSync(join(group.folder, peakFile), 'latin1')), problem: null };
    } catch (cause) {
      return { peakBytes: null, problem: unreadable(cause) };
    }
  }

  /** Removes the group. What a workload left running may still be in it: asked again when that has been ended. */
  remove(): void {
    this.leave();
    for (const { folder } of this.#groups) removeGroup(folder);
  }

  /** Before the window those limits that this process can't meet, and the others when it has come out. */
  #limit(before: boolean): void {
    const { pids, memoryBytes } = this.#limits;
    for (const { at, folder } of this.#groups) {
      if (pids !== null && at.countsProcesses && pids >= (ROOMY.pids ?? 0) === before) {
        tryWrite(join(folder, PIDS_MAX), String(this.#pids(pids)));
      }
      if (memoryBytes !== null && at.memory !== null && memoryBytes >= (ROOMY.memoryBytes ?? 0) === before) {
        tryWrite(join(folder, at.memory.limit), String(memoryBytes));
      }
    }
  }

  /** A group beside this process's own has to bring the limit of that one with it. */
  #pids(pids: number | null): number | null {
    const own = this.#groups.map(({ at }) => Number(read(join(at.own, PIDS_MAX)) ?? Number.NaN));
    return pids === null ? null : Math.min(pids, ...own.filter((limit) => limit > 0));
  }

  #move(folder: string, back = false): void {
    const move = () => writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));
    this.#try(() => {
      try {
        move();
      } catch (cause) {
        if (!back || codeOf(cause) !== 'ENOENT') throw cause;
        // While nobody else was in it, a service manager removed it. As a member of the run's group this process would end with it.
        mkdirSync(folder, { recursive: true });
        move();
      }
    });
  }

  #try(action: () => void): void {
    try {
      action();
    } catch (cause) {
      this.#problem ??= unreadable(cause);
    }
  }
}

function unreadable(cause: unknown): string {
  if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(cause))) return NOT_ALLOWED;
  return `The peak memory of native runs is not known: ${codeOf(cause) || cause}.`;
}

/** A file of control groups is never made by writing to it. */
function tryWrite(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'r+' });
  } catch {
    // No such controller here, or no limit below what is there already: `held` tells.
  }
}

/**
 * Version 1 has a hierarchy for each controller: a group inside our own keeps every limit of ours. In version 2 a group that holds processes
 * can't have groups with controllers inside: it is made beside our own.
 */
function findHierarchies(root: string, groups: string): Hierarchy[] {
  const first = (['memory', 'pids'] as const).flatMap((controller): Hierarchy[] => {
    const path = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(groups)?.[1];
    if (path === undefined) return [];
    const own = join(root, controller, path);
    if (controller === 'pids' && !existsSync(own)) return [];
    return [
      { parent: own, own, memory: controller === 'memory' ? MEMORY_1 : null, countsProcesses: controller === 'pids' },
    ];
  });
  if (first.some(({ memory }) => memory !== null)) return first;
  const unified = /^0::(.*)$/m.exec(groups)?.[1];
  if (unified === undefined || unified === '/') return [];
  const own = join(root, unified);
  const parent = dirname(own);
  const controllers = read(join(parent, 'cgroup.subtree_control'))?.split(/\s+/);
  if (controllers === undefined || hasLimits(own)) return [];
  const memory = controllers.includes('memory') ? MEMORY_2 : null;
  return [{ parent, own, memory, countsProcesses: controllers.includes('pids') }];
}

/** What a new group begins with; a file that isn't there counts as that. */
const DEFAULTS: Readonly<Record<string, RegExp>> = {
  'cpu.max': /^max\b.*$/,
  'cpu.weight': /^100$/,
  'cpu.idle': /^0$/,
  'cpu.uclamp.min': /^0(\.0+)?$/,
  'cpu.uclamp.max': /^max$/,
  'memory.max': /^max$/,
  'memory.high': /^max$/,
  'memory.swap.max': /^max$/,
  'io.max': /^$/,
  'io.weight': /^default 100$/,
  'cpuset.cpus': /^$/,
  'cpuset.mems': /^$/,
};

/** A workload beside our own group would escape its limits, and be another workload. */
function hasLimits(own: string): boolean {
  return Object.entries(DEFAULTS).some(([name, unlimited]) => {
    const limit = read(join(own, name))?.trim();
    return limit !== undefined && !unlimited.test(limit);
  });
}

/** Before the names of a process's groups: who made them, so that a later start can tell whether anybody still waits for them. */
function ownPrefix(): string {
  const [, namespace, pid, startTicks] = ownerToken().split(':');
  return `joulediff-${pid}-${startTicks}-${namespace}-`;
}

/** Null: it is no group of ours. No group outlives a boot. */
function ownerOf(name: string): string | null {
  const [, pid, startTicks, namespace] = /^joulediff-(\d+)-(\d+)-(\d+)-/.exec(name) ?? [];
  return pid === undefined ? null : [ownerToken().split(':')[0], namespace, pid, startTicks].join(':');
}

/**
 * Ends what killed processes left in their groups, in which all is that was born there, however it hides, and removes them.
 *
 * @returns a line for the log for each process
 */
export async function removeLeftGroups(isAbandoned: IsAbandoned): Promise<string[]> {
  const lines: string[] = [];
  for (const { parent } of findHierarchies(ROOT, ownGroups())) {
    for (const name of namesIn(parent)) {
      const owner = ownerOf(name);
      if (owner === null || !isAbandoned({ owner, experiment: null, running: true })) continue;
      const folder = join(parent, name);
      seal(folder);
      const ended = await endProcesses(() => {
        const members = membersOf(folder);
        return findProcesses(({ pid }) => members.has(pid));
      }, GRACE_MS);
      lines.push(...ended.map((process) => `Ended the process ${process} that an earlier experiment left.`));
      removeGroup(folder);
    }
  }
  return lines;
}

/** One that is in use can't be removed, and keeps none of the others; an empty one of another living process is about to be used. */
function removeLeftIn(parent: string): void {
  for (const name of namesIn(parent)) {
    const owner = parseOwner(ownerOf(name) ?? '');
    if (owner !== null && (owner.pid === process.pid || ownerState(owner) === 'dead')) removeGroup(join(parent, name));
  }
}

/** With the groups that the workload made inside it, as far as nothing is in them. */
function removeGroup(folder: string): void {
  for (const path of [folder, ...foldersIn(folder)].reverse()) {
    try {
      rmdirSync(path);
    } catch {
      // Never made, removed already, not allowed, or not empty yet: the next run removes it.
    }
  }
}

/** The processes in a group and in those inside it. */
function membersOf(group: string): ReadonlySet<number> {
  const lines = [group, ...foldersIn(group)].flatMap((folder) =>
    (read(join(folder, 'cgroup.procs')) ?? '').split('\n'),
  );
  return new Set(lines.filter(Boolean).map(Number));
}

/** Lets nothing more be born in a group whose kernel counts processes. */
const seal = (folder: string): void => tryWrite(join(folder, PIDS_MAX), '0');

/** Groups that the workload made inside its own. */
function foldersIn(group: string): string[] {
  try {
    const entries = readdirSync(group, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  } catch {
    return [];
  }
}

function namesIn(parent: string): string[] {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}

const ownGroups = (): string => read('/proc/self/cgroup') ?? '';

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
