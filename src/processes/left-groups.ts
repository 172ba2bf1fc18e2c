import { existsSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PIDS_MAX, ROOT, read, tryWrite } from './hierarchies.ts';
import { endProcesses, findProcesses } from './left-processes.ts';
import { type IsAbandoned, ownerState, ownerToken, parseOwner } from './owner.ts';

/** Time between SIGTERM and SIGKILL for processes that a killed joulediff left. */
const GRACE_MS = 1000;

/** Prefix of the names of this process's groups: its owner token, so that a later start can tell whether it still runs. */
export function ownPrefix(): string {
  const [, namespace, pid, startTicks] = ownerToken().split(':');
  return `joulediff-${pid}-${startTicks}-${namespace}-`;
}

/** Owner token in the name of a group; null: it is no group of ours. No group survives a reboot. */
function ownerOf(name: string): string | null {
  const [, pid, startTicks, namespace] = /^joulediff-(\d+)-(\d+)-(\d+)-/.exec(name) ?? [];
  return pid === undefined ? null : [ownerToken().split(':')[0], namespace, pid, startTicks].join(':');
}

/**
 * Ends what killed processes left in their groups, in which all is that was born there, however it hides, and removes them.
 *
 * @returns a line for the log for each process
 */
export async function removeLeftGroups(isAbandoned: IsAbandoned, root = ROOT): Promise<string[]> {
  const lines: string[] = [];
  for (const folder of ownFolders(root)) {
    if (!isAbandoned({ owner: ownerOf(basename(folder)), experiment: null, mayBeElsewhere: false })) continue;
    lines.push(...(await endLeftIn([folder])));
    removeGroup(folder);
  }
  return lines;
}

/** Folders that are searched: the trees of these controllers in version 1 of control groups, the one tree (`.`) in version 2. */
const TREES = ['memory', 'pids', 'unified', '.'];
const MAX_FOLDERS = 50_000;

/**
 * Finds all groups that a joulediff of this user made, or for root, of any user: a later start may be in another login or service.
 */
function ownFolders(root: string): string[] {
  const uid = process.geteuid?.() ?? 0;
  const found: string[] = [];
  const isV1 = TREES.some((name) => name !== '.' && existsSync(join(root, name, 'cgroup.procs')));
  const waiting = isV1 ? TREES.slice(0, -1).map((name) => join(root, name)) : [root];
  for (let seen = 0; waiting.length > 0 && seen < MAX_FOLDERS; seen++) {
    const folder = waiting.pop() as string;
    for (const inner of entriesOf(folder)) {
      const path = join(folder, inner);
      if (ownerOf(inner) === null) waiting.push(path);
      else if (uid === 0 || statSync(path, { throwIfNoEntry: false })?.uid === uid) found.push(path);
    }
  }
  return found;
}

function entriesOf(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Ends all that is in groups that killed processes left. Gives a line for the log for each process. */
export async function endLeftIn(folders: readonly string[]): Promise<string[]> {
  for (const folder of folders) seal(folder);
  const ended = await endProcesses(() => {
    const members = new Set(folders.flatMap((folder) => [...membersOf(folder)]));
    return findProcesses(({ pid }) => members.has(pid));
  }, GRACE_MS);
  return ended.map((process) => `Ended the process ${process} that an earlier experiment left.`);
}

/** Groups of this process in which processes may still be born, or whose counters are still to be read. */
const inUse = new Set<string>();

export const use = (folder: string): void => void inUse.add(folder);

/** Removes empty groups of this process and of dead ones. Those of other living processes stay: they may be about to be used. */
export function removeLeftIn(parent: string): void {
  for (const name of namesIn(parent)) {
    const owner = parseOwner(ownerOf(name) ?? '');
    if (owner === null || inUse.has(join(parent, name))) continue;
    if (owner.pid === process.pid || ownerState(owner) === 'dead') removeGroup(join(parent, name));
  }
}

/** Removes a group with the empty groups that the workload made inside it. */
export function removeGroup(folder: string): void {
  inUse.delete(folder);
  for (const path of [folder, ...foldersIn(folder)].reverse()) {
    try {
      rmdirSync(path);
    } catch {
      // Never made, removed already, not allowed, or not empty yet: the next run removes it.
    }
  }
}

/** The processes in a group and in those inside it. */
export function membersOf(group: string): ReadonlySet<number> {
  const lines = [group, ...foldersIn(group)].flatMap((folder) =>
    (read(join(folder, 'cgroup.procs')) ?? '').split('\n'),
  );
  return new Set(lines.filter(Boolean).map(Number));
}

/** Lets nothing more be born in a group whose kernel counts processes. */
export const seal = (folder: string): void => void tryWrite(join(folder, PIDS_MAX), '0');

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
