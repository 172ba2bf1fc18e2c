import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { type FoundProcess, nameOf } from './left-processes.ts';
import { readStat } from './owner.ts';

/**
 * Whether a process is an orphan of this user that began at `sinceTicks` or later, in a session of that time too, and in the control group of this
 * process. Its first ancestor of that time must be a child of init, of a systemd that adopts orphans, or of one of `parents`: children of a shell in
 * which somebody works meanwhile don't count.
 */
export function orphanedSince(
  sinceTicks: number,
  uid: number,
  parents: readonly number[] = [],
): (found: FoundProcess) => boolean {
  const ownGroups = textOf('/proc/self/cgroup');
  const isNew = (ticks: string): boolean => Number(ticks) >= sinceTicks;
  return ({ pid, startTicks, session, parent }) => {
    if (!isNew(startTicks) || ownerOf(pid) !== uid) return false;
    if (textOf(`/proc/${pid}/cgroup`) !== ownGroups) return false;
    const leader = session === pid ? null : readStat(session);
    if (leader !== null && !isNew(leader.startTicks)) return false;
    let elder = parent;
    for (let stat = readStat(elder); stat !== null && elder > 1 && isNew(stat.startTicks); stat = readStat(elder)) {
      elder = stat.parent;
    }
    return elder === 1 || parents.includes(elder) || nameOf(elder) === 'systemd';
  };
}

/** Whether a process is at work in a folder or in one inside it. */
export function worksIn(pid: number, folder: string): boolean {
  const at = linkOf(`/proc/${pid}/cwd`);
  return at !== null && !/^\.\.(\/|$)/.test(relative(folder, at));
}

/** Target of one of a process's links in /proc, such as `fd/1`; null where it can't be read. */
export const openAs = (pid: number, name: string): string | null => linkOf(`/proc/${pid}/${name}`);

function ownerOf(pid: number): number | null {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? null;
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
