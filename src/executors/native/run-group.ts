import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../errors.ts';

const PREFIX = 'joulediff-';
const ROOT = '/sys/fs/cgroup';
const NOT_ALLOWED =
  'The peak memory of native runs could not be read: that needs a control group of their own, which only root (or the owner of a delegated group) may make.';

const NO_GROUP =
  'The peak memory of native runs could not be read: there is no control group for memory here that they could be measured in.';

/** Where a group can be made, and where this process belongs; without a `peakFile` the kernel keeps no account of memory there. */
interface Location {
  readonly parent: string;
  readonly own: string;
  readonly peakFile: string | null;
}

/**
 * A control group that a native workload is born into, so that the kernel notes its peak memory and knows all its processes, however they
 * hide; nothing is read while it runs. A process is born where its parent is: this one goes in just before the window, which may take the
 * kernel some milliseconds, and comes out right after the workload's start, which takes a tenth of one.
 */
export class RunGroup {
  readonly #location: Location | null;
  readonly #group: string;
  #entered = false;
  #inside = false;
  /** Why there is no group. */
  #problem: string | null = null;

  /** `root` and `groups` (as in /proc/self/cgroup) are others for tests. */
  constructor(name: string, root = ROOT, groups = ownGroups()) {
    this.#location = findLocation(root, groups);
    this.#group = this.#location === null ? '' : join(this.#location.parent, PREFIX + name);
    if (this.#location === null) {
      this.#problem = NO_GROUP;
      return;
    }
    removeLeftIn(this.#location.parent);
    this.#try(() => mkdirSync(this.#group));
  }

  /** The workload's first process is made between these two. Once: executions of one window are the same work. */
  enter(): void {
    if (this.#problem !== null || this.#entered) return;
    this.#try(() => writeFileSync(join(this.#group, 'cgroup.procs'), String(process.pid)));
    this.#entered = this.#problem === null;
    this.#inside = this.#entered;
  }

  /** Comes out again; what was born meanwhile stays. */
  leave(): void {
    if (!this.#inside || this.#location === null) return;
    this.#inside = false;
    const { own } = this.#location;
    this.#try(() => writeFileSync(join(own, 'cgroup.procs'), String(process.pid)));
  }

  /** Whether the workload was born in it: all that it started is then in it still, but for what root moved elsewhere. */
  get entered(): boolean {
    return this.#entered;
  }

  /** The processes in it. */
  members(): ReadonlySet<number> {
    if (!this.#entered) return new Set();
    const folders = [this.#group, ...foldersIn(this.#group)];
    const lines = folders.flatMap((folder) => (read(join(folder, 'cgroup.procs')) ?? '').split('\n'));
    return new Set(lines.filter(Boolean).map(Number));
  }

  /** The peak, or why it isn't known. */
  peak(): { readonly peakBytes: number | null; readonly problem: string | null } {
    this.leave();
    const peakFile = this.#location?.peakFile ?? null;
    if (this.#problem !== null || !this.#entered || peakFile === null) {
      return { peakBytes: null, problem: this.#problem ?? NO_GROUP };
    }
    try {
      return { peakBytes: Number(readFileSync(join(this.#group, peakFile), 'latin1')), problem: null };
    } catch (cause) {
      return { peakBytes: null, problem: unreadable(cause) };
    }
  }

  /** Removes the group. What a workload left running may still be in it: asked again when that has been ended. */
  remove(): void {
    this.leave();
    if (this.#group === '') return;
    try {
      rmdirSync(this.#group);
    } catch {
      // Never made, removed already, or not empty yet: the next run removes it.
    }
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
  return `The peak memory of native runs could not be read: ${codeOf(cause) || cause}.`;
}

/**
 * Version 1 has a hierarchy for memory alone: a group inside our own keeps every limit of ours. In version 2 a group that holds processes
 * can't have groups with controllers inside: it is made beside our own.
 */
function findLocation(root: string, groups: string): Location | null {
  const memory = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(groups)?.[1];
  if (memory !== undefined) {
    const own = join(root, 'memory', memory);
    return { parent: own, own, peakFile: 'memory.max_usage_in_bytes' };
  }
  const unified = /^0::(.*)$/m.exec(groups)?.[1];
  if (unified === undefined || unified === '/') return null;
  const own = join(root, unified);
  const parent = dirname(own);
  const controllers = read(join(parent, 'cgroup.subtree_control'));
  if (controllers === null || hasLimits(own)) return null;
  return { parent, own, peakFile: controllers.split(/\s+/).includes('memory') ? 'memory.peak' : null };
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

/** Removes the groups that killed processes left, as soon as nothing runs in them. */
export function removeLeftGroups(): void {
  const location = findLocation(ROOT, ownGroups());
  if (location !== null) removeLeftIn(location.parent);
}

/** One that is in use can't be removed, and keeps none of the others; an empty one of another living process is about to be used. */
function removeLeftIn(parent: string): void {
  for (const name of namesIn(parent)) {
    const pid = /^joulediff-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || (Number(pid) !== process.pid && existsSync(`/proc/${pid}`))) continue;
    try {
      rmdirSync(join(parent, name));
    } catch {
      // Not allowed, or in use.
    }
  }
}

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
