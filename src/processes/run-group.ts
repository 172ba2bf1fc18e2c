import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Limit } from '../contracts/execution.ts';
import type { ObservedGroup } from '../contracts/observation.ts';
import { codeOf } from '../errors.ts';
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
/** So many may begin in this process while it is in the group. */
export const SPARE_THREADS = 16;

const NOT_ALLOWED =
  'The peak memory of native runs is not known: that needs a control group of their own, which only root (or the owner of a delegated group) may make.';

const NO_GROUP = 'The peak memory of native runs is not known: no memory control group is available here.';

const NO_LIMITS: Limits = { pids: null, memoryBytes: null };
/** Limits below these could be met by this process itself while it is in the group for the birth. */
const ROOMY = { pids: 1024, memoryBytes: 2 ** 30 };

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
  /** More memory was in use than the limit that was to be set. */
  #isBeyond = false;
  /** Why there is no group. */
  #problem: string | null = null;

  /** `within`: what it is looked at in. `root` and `groups` (as in /proc/self/cgroup) are others for tests. */
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

  /** A group of version 2 competes with others by its own weight: a nice value inside counts for nothing outside. */
  weigh(nice: number | null): void {
    if (nice === null) return;
    for (const { folder } of this.#groups) tryWrite(join(folder, 'cpu.weight.nice'), String(nice));
  }

  /** The workload's first process is made between this and `leave`. */
  enter(): void {
    if (this.#problem !== null || this.#inside) return;
    this.#inside = true;
    for (const { folder } of this.#groups) this.#move(folder);
    this.#entered = this.#problem === null;
    if (this.#entered) this.#limitBirth();
  }

  /**
   * Takes in a process that waits, in the place of `enter` and `leave`: nothing that this process does meanwhile, in whichever of its threads, is then
   * counted as the workload's. False: it isn't in the group, so that whoever looks into that would see nothing of it, and take it for none.
   */
  takeIn(pid: number): boolean {
    if (this.#problem !== null) return false;
    for (const { folder } of this.#groups) this.#try(() => writeFileSync(join(folder, PROCS), String(pid)));
    this.#entered = this.#problem === null;
    this.#limit(false);
    return this.#entered;
  }

  /** Comes out again; what was born meanwhile stays. */
  leave(): void {
    if (!this.#inside) return;
    this.#inside = false;
    for (const { at } of this.#groups) this.#move(at.own, true);
    this.#limit(false);
  }

  /** Files by which a process that is not this one's own makes itself at home there; none: there is no group. Small limits hold from now on. */
  doors(): readonly string[] {
    if (this.#problem !== null) return [];
    this.#entered = true;
    this.#limit(false);
    return this.#groups.map(({ folder }) => join(folder, PROCS));
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

  /** Moves what is in it to where this process is. */
  release(): void {
    for (const { at, folder } of this.#groups) {
      for (const pid of membersOf(folder)) tryWrite(join(at.own, PROCS), String(pid));
    }
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

  /** Where the kernel keeps what all of it waited for, in version 2; null: nowhere. To be asked before it is removed. */
  accounts(): string | null {
    const [first] = this.#groups;
    return this.#entered && first !== undefined && existsSync(join(first.folder, 'cgroup.events'))
      ? first.folder
      : null;
  }

  /** Removes the group. What a workload left running may still be in it: asked again when that has been ended. */
  remove(): void {
    this.leave();
    for (const { folder } of this.#groups) removeGroup(folder);
  }

  /** A kernel may need a moment after the last process has left. */
  get isRemoved(): boolean {
    return this.#groups.every(({ folder }) => !existsSync(folder));
  }

  /** On a busy machine the way out takes as long as a fork bomb needs: until then its limit, and what this process has and may need in threads. */
  #limitBirth(): void {
    const { pids } = this.#limits;
    if (pids === null || pids >= ROOMY.pids) return;
    for (const { at, folder } of this.#groups) {
      const mine = Number(read(join(folder, PIDS_NOW)) ?? 0);
      if (!at.countsProcesses || !(mine > 0)) continue;
      tryWrite(join(folder, PIDS_MAX), String(this.#pids(mine + SPARE_THREADS + pids)));
    }
  }

  /** Before the window no limit that this process could meet itself, and the smaller ones when it has come out. */
  #limit(before: boolean): void {
    const { pids, memoryBytes } = this.#limits;
    const atThisTime = (limit: number, roomy: number): number | null =>
      before ? Math.max(limit, roomy) : limit < roomy ? limit : null;
    for (const { at, folder } of this.#groups) {
      const most = pids === null || !at.countsProcesses ? null : atThisTime(pids, ROOMY.pids);
      if (most !== null) tryWrite(join(folder, PIDS_MAX), String(this.#pids(most)));
      const bytes = memoryBytes === null || at.memory === null ? null : atThisTime(memoryBytes, ROOMY.memoryBytes);
      if (bytes === null || at.memory === null) continue;
      // The kernel of version 1 sets no limit below what is in use, and ends nothing for it.
      if (tryWrite(join(folder, at.memory.limit), String(bytes)) === 'EBUSY') this.#end();
    }
  }

  /** What was born here has met its limit of memory before it could be set. */
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

  /** A group beside this process's own has to bring the limit of that one with it. */
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
        if (!back || codeOf(cause) !== 'ENOENT') throw cause;
        // While nobody else was in it, a service manager removed it. As a member of the run's group this process would end with it.
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
  if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(cause))) return NOT_ALLOWED;
  return `The peak memory of native runs is not known: ${codeOf(cause) || cause}.`;
}
