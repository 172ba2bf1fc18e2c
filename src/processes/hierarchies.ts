import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ObservedGroup } from '../contracts/observation.ts';
import { getErrorCode } from '../errors.ts';

export const ROOT = '/sys/fs/cgroup';
export const PIDS_MAX = 'pids.max';

/** A control group hierarchy of one controller or several: where groups can be made in it, and where this process is. */
export interface Hierarchy {
  readonly parent: string;
  readonly own: string;
  /** Names of its files for memory; null: the kernel keeps no account of memory there. */
  readonly memory: { readonly limit: string; readonly peak: string; readonly events: string } | null;
  readonly countsProcesses: boolean;
}

export const MEMORY_1 = {
  limit: 'memory.limit_in_bytes',
  peak: 'memory.max_usage_in_bytes',
  events: 'memory.oom_control',
} as const;
export const MEMORY_2 = { limit: 'memory.max', peak: 'memory.peak', events: 'memory.events' } as const;

/**
 * Finds where groups can be made. Version 1 has a hierarchy per controller: a group inside our own keeps all our limits. In version 2 a group with
 * processes can't hold groups with controllers, so the new one is made beside our own. Where only our own is writable (a service with Delegate=), one
 * without controllers is made inside: it shows what a run left, and the limits are polled.
 */
export function findHierarchies(root = ROOT, groups = read('/proc/self/cgroup') ?? ''): Hierarchy[] {
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
  if (controllers === undefined) return [];
  if (!isWritable(parent) && isWritable(own)) return [{ parent: own, own, memory: null, countsProcesses: false }];
  if (hasLimits(own)) return [];
  const memory = controllers.includes('memory') ? MEMORY_2 : null;
  return [{ parent, own, memory, countsProcesses: controllers.includes('pids') }];
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Hierarchies for an observed run: in the tree that perf reads, its group is made inside the observed one, in place of its own. */
export function observedIn(
  within: ObservedGroup | undefined,
  hierarchies: readonly Hierarchy[],
  groups = read('/proc/self/cgroup') ?? '',
): readonly Hierarchy[] {
  if (within === undefined) return hierarchies;
  const parent = within.host.folder;
  const tree = parent.slice(0, parent.length - within.host.name.length);
  const path = /^\d+:(?:[^:]*,)?perf_event(?:,[^:]*)?:(.*)$/m.exec(groups)?.[1] ?? /^0::(.*)$/m.exec(groups)?.[1];
  if (path === undefined) return hierarchies;
  const own = join(tree, path);
  const others = hierarchies.filter((at) => at.own !== own);
  const same = hierarchies.find((at) => at.own === own);
  return [...others, { memory: null, countsProcesses: false, ...same, own, parent }];
}

/** Whether a workload in a group at the root of the version 2 tree would escape limits of this process's group or of one above it. */
export function hasLimitsWithin(tree: string, groups = read('/proc/self/cgroup') ?? ''): boolean {
  if (!existsSync(join(tree, 'cgroup.controllers'))) return false; // of version 1: limits are in trees of their own
  const names = (/^0::(.*)$/m.exec(groups)?.[1] ?? '/').split('/').filter(Boolean);
  return names.some((_, i) => hasLimits(join(tree, ...names.slice(0, i + 1))));
}

/** Contents of a new group's files; a file that is missing counts as default. */
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

/** Whether this group has limits: a workload in a group beside it would escape them, and behave differently. */
function hasLimits(own: string): boolean {
  return Object.entries(DEFAULTS).some(([name, unlimited]) => {
    const limit = read(join(own, name))?.trim();
    return limit !== undefined && !unlimited.test(limit);
  });
}

/** Reads a file of a control group; null: it is missing, or may not be read. */
export function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

/** Writes to an existing control group file. Gives the code of the error; null: it is written. `RunGroup.held` tells of missing controllers. */
export function tryWrite(path: string, text: string): string | null {
  try {
    writeFileSync(path, text, { flag: 'r+' });
    return null;
  } catch (cause) {
    return getErrorCode(cause);
  }
}
