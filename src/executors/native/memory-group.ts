import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../errors.ts';

const PREFIX = 'joulediff-';
const ROOT = '/sys/fs/cgroup';
const NOT_ALLOWED =
  'The peak memory of native runs could not be read: that needs a control group of their own, which only root (or the owner of a delegated group) may make.';

/** Where a group for memory can be made, and where this process belongs. */
interface Location {
  readonly parent: string;
  readonly own: string;
  readonly peakFile: string;
}

/**
 * A control group that a native workload is born into, so that the kernel notes its peak memory; nothing is read while it runs. A process
 * is born where its parent is: this one goes in just before the window, which may take the kernel some milliseconds, and comes out right
 * after the workload's start, which takes a tenth of one.
 */
export class MemoryGroup {
  readonly #location: Location | null;
  readonly #group: string;
  #entered = false;
  #inside = false;
  #problem: string | null = null;

  /** `root` and `groups` (as in /proc/self/cgroup) are others for tests. */
  constructor(name: string, root = ROOT, groups = ownGroups()) {
    this.#location = findLocation(root, groups);
    this.#group = this.#location === null ? '' : join(this.#location.parent, PREFIX + name);
    if (this.#location === null) {
      this.#problem =
        'The peak memory of native runs could not be read: there is no control group for memory here that they could be measured in.';
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

  /** Reads the peak and removes the group, as soon as all that ran in it has ended. */
  end(): { readonly peakBytes: number | null; readonly problem: string | null } {
    this.leave();
    let peakBytes: number | null = null;
    if (this.#entered && this.#location !== null) {
      const { peakFile } = this.#location;
      this.#try(() => {
        peakBytes = Number(readFileSync(join(this.#group, peakFile), 'latin1'));
      });
    }
    this.remove();
    return { peakBytes: this.#problem === null ? peakBytes : null, problem: this.#problem };
  }

  /** What a workload left running may still be in it: asked again when that has been ended. */
  remove(): void {
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
      this.#problem ??= ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(cause) ?? '')
        ? NOT_ALLOWED
        : `The peak memory of native runs could not be read: ${codeOf(cause) ?? cause}.`;
    }
  }
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
  const controllers = read(join(parent, 'cgroup.subtree_control')) ?? '';
  if (!controllers.split(/\s+/).includes('memory') || hasLimits(own)) return null;
  return { parent, own, peakFile: 'memory.peak' };
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
