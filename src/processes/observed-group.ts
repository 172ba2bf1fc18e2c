import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ObservedGroup } from '../contracts/observation.ts';

const ROOT = '/sys/fs/cgroup';

/** The tree in which perf looks for groups: that of the controller perf_event in version 1, else that of version 2; null: neither is mounted. */
export function perfTree(mounts = read('/proc/self/mounts') ?? ''): string | null {
  const rows = mounts.split('\n').map((line) => line.split(' '));
  const first = rows.find(([, , type, options]) => type === 'cgroup' && options?.split(',').includes('perf_event'));
  return (first ?? rows.find(([, , type]) => type === 'cgroup2'))?.[1] ?? null;
}

/**
 * Makes the group of one observed run, with one inside for what runs on the host and one for what an engine starts. `name` has only letters, digits
 * and underscores: systemd would make a parent of what is before a dash. Null: it can't be made.
 */
export function makeObservedGroup(name: string): ObservedGroup | null {
  const tree = perfTree();
  if (tree === null || !/^\w+$/.test(name)) return null;
  const top = `${name}.slice`;
  const of = (part: string) => ({
    name: `${top}/${name}-${part}.slice`,
    folder: join(tree, top, `${name}-${part}.slice`),
  });
  const group = { name: top, folder: join(tree, top), host: of('host'), inside: of('inside') };
  try {
    mkdirSync(group.folder);
    share(tree, group.folder);
    for (const { folder } of [group.host, group.inside]) mkdirSync(folder);
    share(group.folder, group.host.folder);
    return group;
  } catch {
    removeObservedGroup(group.name);
    return null;
  }
}

/** Enables the controllers of `tree` for the groups inside `folder`, as far as the kernel lets it. */
function share(tree: string, folder: string): void {
  for (const controller of (read(join(tree, 'cgroup.subtree_control')) ?? '').split(/\s+/).filter(Boolean)) {
    try {
      writeFileSync(join(folder, 'cgroup.subtree_control'), `+${controller}`, { flag: 'r+' });
    } catch {
      // Events are counted without the controllers as well.
    }
  }
}

/** Removes the group in every tree, since an engine may have made more of the same name. One that still holds processes stays. */
export function removeObservedGroup(name: string): void {
  for (const folder of foldersOf(name)) {
    for (const path of [...foldersIn(folder).reverse(), folder]) {
      try {
        rmdirSync(path);
      } catch {
        // The group is not there, or processes are in it.
      }
    }
  }
}

/** Where groups of this name are, or would be. */
export const foldersOf = (name: string): string[] => trees().map((tree) => join(tree, name));

/** Names of all groups with this prefix, in any tree. */
export function groupsNamed(prefix: string): string[] {
  return [...new Set(trees().flatMap((tree) => namesIn(tree).filter((name) => name.startsWith(prefix))))];
}

/** The roots of all hierarchies. */
function trees(): string[] {
  const tree = perfTree();
  return [
    ...new Set([
      ROOT,
      ...namesIn(ROOT).map((name) => join(ROOT, name)),
      ...(tree === null ? [] : [tree, dirname(tree)]),
    ]),
  ];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  } catch {
    return [];
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
