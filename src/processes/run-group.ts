import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Limit } from '../contracts/execution.ts';
import type { ObservedGroup } from '../contracts/observation.ts';
import { getErrorCode } from '../errors.ts';
import { makeFolder } from '../system/make-folder.ts';
import {
  findHierarchies,
  type Hierarchy,
  MEMORY_1,
  MEMORY_2,
  observedIn,
  PIDS_MAX,
  read,
  tryWrite,
} from './hierarchies.ts';
import { membersOf, ownPrefix, removeGroup, removeLeftIn, seal, use } from './left-groups.ts';
import type { Limits } from './limits.ts';

const PROCS = 'cgroup.procs';
const PIDS_NOW = 'pids.current';
/** Number of threads that this process may start while it is in the group. */
export const SPARE_THREADS = 16;

const NOT_ALLOWED =
  'The peak memory of native runs is not known: that needs a control group of their own, which only root (or the owner of a delegated group) may make.';

const NO_GROUP = 'The peak memory of native runs is not known: no memory control group is available here.';

const NO_LIMITS: Limits = { pids: null, memoryBytes: null };
/** Limits lower than these are set only after this process has left the group, since it could meet them itself. */
const ROOMY = { pids: 1024, memoryBytes: 2 ** 30 };

/**
 * A control group that a native workload is born into: the kernel records its peak memory, knows all its processes, however they hide, and enforces
 * its limits; nothing is read while it runs. A process is born in its parent's group: this process enters just before the window (some milliseconds),
 * and leaves right after the workload's start (a tenth of a millisecond).
 */
export class RunGroup {
  /** In version 1 of control groups each controller has a hierarchy of its own. */
  readonly #groups: { readonly at: Hierarchy; readonly folder: string }[];
  readonly #limits: Limits;
  #entered = false;
  #inside = false;
  /** Whether more memory was in use than the limit when that was to be set. */
  #isBeyond = false;
  /** Why there is no group. */
  #problem: string | null = null;

  /** `within`: the group in which the run is observed. `root` and `groups` (as in /proc/self/cgroup): others for tests. */
  constructor(name: string, limits = NO_LIMITS, root?: string, groups?: string, within?: ObservedGroup) {
    this.#limits = limits;
    const hierarchies = observedIn(within, findHierarchies(root, groups));
    if (hierarchies.length === 0) this.#problem = NO_GROUP;
    for (const { parent } of hierarchies) removeLeftIn(parent);
    this.#groups = hierarchies.map((at) => ({ at, folder: join(at.parent, `${ownPrefix()}${name}`) }));
    for (const { folder } of this.#groups) {
      use(folder);
      this.#try(() => mkdirSync(folder));
    }
    if (this.#problem === null) this.#limit(true);
  }

  /** Gives the group the weight of a nice value: groups of version 2 compete by weight, and nice values inside have no effect outside. */
  weigh(nice: number | null): void {
    if (nice === null) return;
    for (const { folder } of this.#groups) tryWrite(join(folder, 'cpu.weight.nice'), String(nice));
  }

  /** Enters the group: processes that are started until `leave` are born in it. */
  enter(): void {
    if (this.#problem !== null || this.#inside) return;
    this.#inside = true;
    for (const { folder } of this.#groups) this.#move(folder);
    this.#entered = this.#problem === null;
    if (this.#entered) this.#limitBirth();
  }

  /**
   * Moves a waiting process into the group, in place of `enter` and `leave`: then nothing that this process or its threads do meanwhile is counted as
   * the workload's. False: it is not in the group, whose counters would show nothing of it.
   */
  takeIn(pid: number): boolean {
    if (this.#problem !== null) return false;
    for (const { folder } of this.#groups) this.#try(() => writeFileSync(join(folder, PROCS), String(pid)));
    this.#entered = this.#problem === null;
    this.#limit(false);
    return this.#entered;
  }

  /** Leaves the group; processes that were born meanwhile stay in it. */
  leave(): void {
    if (!this.#inside) return;
    this.#inside = false;
    for (const { at } of this.#groups) this.#move(at.own, true);
    this.#limit(false);
  }

  /** The group's `cgroup.procs` files, through which another process can join; none: there is no group. Sets the small limits, too. */
  doors(): readonly string[] {
    if (this.#problem !== null) return [];
    this.#entered = true;
    this.#limit(false);
    return this.#groups.map(({ folder }) => join(folder, PROCS));
  }

  /** Whether the workload was born in it; then all that it started is still in it, except what root moved elsewhere. */
  get entered(): boolean {
    return this.#entered;
  }

  /** The processes in it. */
  members(): ReadonlySet<number> {
    const [first] = this.#groups;
    return this.#entered && first !== undefined ? membersOf(first.folder) : new Set();
  }

  /** Moves the group's processes into the group of this process. */
  release(): void {
    for (const { at, folder } of this.#groups) {
      for (const pid of membersOf(folder)) tryWrite(join(at.own, PROCS), String(pid));
    }
  }

  /** Lets no more processes be born in the group, so that all in it can be ended. */
  seal(): void {
    for (const { folder } of this.#groups) seal(folder);
  }

  /** The limits that the kernel enforces, found by trying; null: it can't, or none was given. To be called once, before any run. */
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
    if (this.#isBeyond) return 'memory';
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

  /** Folder with the kernel's accounts of waiting times, in version 2; null: there are none. To be read before `remove`. */
  accounts(): string | null {
    const [first] = this.#groups;
    return this.#entered && first !== undefined && existsSync(join(first.folder, 'cgroup.events'))
      ? first.folder
      : null;
  }

  /** Removes the group. While processes that a workload left are in it, nothing happens: to be called again when they have ended. */
  remove(): void {
    this.leave();
    for (const { folder } of this.#groups) removeGroup(folder);
  }

  /** Whether the group is gone; the kernel may need a moment after the last process has left. */
  get isRemoved(): boolean {
    return this.#groups.every(({ folder }) => !existsSync(folder));
  }

  /** Limits the birth: on a busy machine leaving takes long enough for a fork bomb. Adds this process's threads and some spare to the limit. */
  #limitBirth(): void {
    const { pids } = this.#limits;
    if (pids === null || pids >= ROOMY.pids) return;
    for (const { at, folder } of this.#groups) {
      const mine = Number(read(join(folder, PIDS_NOW)) ?? 0);
      if (!at.countsProcesses || !(mine > 0)) continue;
      tryWrite(join(folder, PIDS_MAX), String(this.#pids(mine + SPARE_THREADS + pids)));
    }
  }

  /** Sets the limits: before the window those that this process can't meet itself, and the smaller ones after it has left the group. */
  #limit(before: boolean): void {
    const { pids, memoryBytes } = this.#limits;
    const atThisTime = (limit: number, roomy: number): number | null =>
      before ? Math.max(limit, roomy) : limit < roomy ? limit : null;
    for (const { at, folder } of this.#groups) {
      const most = pids === null || !at.countsProcesses ? null : atThisTime(pids, ROOMY.pids);
      if (most !== null) tryWrite(join(folder, PIDS_MAX), String(this.#pids(most)));
      const bytes = memoryBytes === null || at.memory === null ? null : atThisTime(memoryBytes, ROOMY.memoryBytes);
      if (bytes === null || at.memory === null) continue;
      // Version 1 refuses a limit below what is in use (EBUSY), and ends nothing for it.
      if (tryWrite(join(folder, at.memory.limit), String(bytes)) === 'EBUSY') this.#end();
    }
  }

  /** Ends the workload: it used more than its memory limit before that could be set. */
  #end(): void {
    this.#isBeyond = true;
    this.seal();
    for (const pid of this.members()) {
      try {
        if (pid !== process.pid) process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
  }

  /** The limit of processes, not above that of this process's own group, which a group beside it would escape. */
  #pids(pids: number | null): number | null {
    const own = this.#groups.map(({ at }) => Number(read(join(at.own, PIDS_MAX)) ?? Number.NaN));
    return pids === null ? null : Math.min(pids, ...own.filter((limit) => limit > 0));
  }

  #move(folder: string, back = false): void {
    const move = () => writeFileSync(join(folder, PROCS), String(process.pid));
    this.#try(() => {
      try {
        move();
      } catch (cause) {
        if (!back || getErrorCode(cause) !== 'ENOENT') throw cause;
        // A service manager removed the empty group. This process must not stay in the run's group, where it would be ended.
        makeFolder(folder);
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
  if (['EACCES', 'EPERM', 'EROFS'].includes(getErrorCode(cause))) return NOT_ALLOWED;
  return `The peak memory of native runs is not known: ${getErrorCode(cause) || cause}.`;
}
