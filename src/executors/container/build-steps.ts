import { type FSWatcher, readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Limit } from '../../contracts/execution.ts';
import { MEMORY_1, MEMORY_2, PIDS_MAX, tryWrite } from '../../processes/hierarchies.ts';
import type { Limits } from '../../processes/limits.ts';
import { limitInKernelLog } from './limit-met.ts';

const ROOT = '/sys/fs/cgroup';
/** Parent groups of the steps of BuildKit in Docker's engine (driver cgroupfs); in version 1 each controller has a hierarchy of its own. */
const PARENTS = ['memory/docker/buildkit', 'pids/docker/buildkit', 'docker/buildkit'];

/** Values from here on mean "no limit" in version 1, which shows the largest number of bytes in whole pages. */
const UNLIMITED_BYTES = 2 ** 62;

/**
 * Holds each step of a build to limits: BuildKit takes none, and engines before 23 put no step into a group of ours; so the group that it makes is given
 * its limits as soon as it is there, and they go with it. Where that isn't allowed, nothing is held.
 * Nothing tells whose build a step belongs to: those that are there before ours are left alone, as is every limit that somebody set. `root`: another tree, for tests.
 */
export class BuildSteps implements Disposable {
  readonly #limits: Limits;
  readonly #parents: readonly string[];
  readonly #watchers = new Map<string, FSWatcher>();
  /** Steps whose limits the kernel enforces. */
  readonly #held = new Set<string>();
  readonly #ids = new Set<string>();
  /** Groups of steps that were there before our build. */
  readonly #others: ReadonlySet<string>;

  constructor(limits: Limits, root = ROOT) {
    this.#limits = limits;
    this.#parents = PARENTS.map((path) => join(root, path));
    this.#others = new Set(this.#parents.flatMap(namesIn));
    this.poll();
  }

  /** Sets the limits of new groups. To be called repeatedly: the engine makes the parents only with its first build. */
  poll(): void {
    for (const parent of this.#parents) {
      this.#follow(parent);
      for (const id of namesIn(parent)) this.#hold(parent, id);
    }
  }

  /** The limit that a step met since then, of our build or another, by the kernel's log; null: none, or the log can't be read. */
  met(): Limit | null {
    for (const id of this.#ids) {
      const limit = limitInKernelLog(id);
      if (limit !== null && limit !== 'unreadable') return limit;
    }
    return null;
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #follow(parent: string): void {
    if (this.#watchers.has(parent)) return;
    try {
      const watcher = watch(parent, { persistent: false }, () => this.poll());
      watcher.on('error', () => watcher.close());
      this.#watchers.set(parent, watcher);
    } catch {
      // The group is not there yet, or never will be.
    }
  }

  #hold(parent: string, id: string): void {
    const { pids, memoryBytes } = this.#limits;
    const folder = join(parent, id);
    if (this.#others.has(id) || this.#held.has(folder)) return;
    this.#ids.add(id);
    const isWritten = [
      [PIDS_MAX, pids],
      [MEMORY_1.limit, memoryBytes],
      [MEMORY_2.limit, memoryBytes],
    ].map(([file, limit]) => limit !== null && isHeldTo(join(folder, String(file)), String(limit)));
    if (isWritten.includes(true)) this.#held.add(folder);
  }
}

/** Sets a limit. False: it may not be written, or there is a limit already. */
function isHeldTo(path: string, limit: string): boolean {
  try {
    const before = readFileSync(path, 'latin1').trim();
    return (before === 'max' || Number(before) >= UNLIMITED_BYTES) && tryWrite(path, limit) === null;
  } catch {
    return false;
  }
}

/** Names in a folder; empty where it is missing. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}
