import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../failures.ts';

const PREFIX = 'joulediff-';
const ROOT = '/sys/fs/cgroup';
const NOT_ALLOWED =
  'The peak memory of native runs could not be read: that needs a control group of their own, which only root (or the owner of a delegated group) may make.';

/** Where a group for memory can be made, and where this process belongs. */
interface Place {
  readonly parent: string;
  readonly own: string;
  readonly peakFile: string;
}

/**
 * A control group that a native workload is born into, so that the kernel notes its peak memory; nothing is read while it runs. A process
 * is born where its parent is: this one goes in just before it starts the workload and comes out right after, some tens of microseconds each.
 */
export class MemoryGroup {
  readonly #place: Place | null;
  readonly #group: string;
  #entered = false;
  #inside = false;
  #problem: string | null = null;

  constructor(name: string, root = ROOT) {
    this.#place = findPlace(root);
    this.#group = this.#place === null ? '' : join(this.#place.parent, PREFIX + name);
    if (this.#place === null) {
      this.#problem =
        'The peak memory of native runs could not be read: there is no control group for memory here that they could be measured in.';
      return;
    }
    removeLeft(this.#place.parent);
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
    if (!this.#inside || this.#place === null) return;
    this.#inside = false;
    const { own } = this.#place;
    this.#try(() => writeFileSync(join(own, 'cgroup.procs'), String(process.pid)));
  }

  /** Reads the peak and removes the group, as soon as all that ran in it has ended. */
  end(): { readonly peakBytes: number | null; readonly problem: string | null } {
    this.leave();
    let peakBytes: number | null = null;
    if (this.#entered && this.#place !== null) {
      const { peakFile } = this.#place;
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
function findPlace(root: string): Place | null {
  const groups = read('/proc/self/cgroup') ?? '';
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

/** A workload beside our own group would escape its limits, and be another workload. */
function hasLimits(own: string): boolean {
  const limits = ['cpu.max', 'memory.max', 'memory.high', 'io.max', 'cpuset.cpus'];
  return limits.some((name) => !/^(max\b.*)?$/.test((read(join(own, name)) ?? '').trim()));
}

/** Groups of before whose processes have ended since; one that is in use can't be removed. */
function removeLeft(parent: string): void {
  try {
    for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
      rmdirSync(join(parent, name));
    }
  } catch {
    // Not allowed, or in use.
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
