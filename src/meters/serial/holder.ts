import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { lockingProcess } from '../../system/file-locks.ts';

export interface Holder {
  readonly pid: number;
  /** Command name, null where it can't be read. */
  readonly command: string | null;
}

/**
 * The process that has this port, null when none is seen: one that locked it, or one that merely has it open
 * (of processes of other users only locks can be seen). Looked up before opening, because opening a port changes its line settings
 * before the lock is tried, and would disturb whoever has it.
 */
export function portHolder(path: string): Holder | null {
  return lockHolder(path) ?? openHolder(path);
}

function lockHolder(path: string): Holder | null {
  try {
    const pid = lockingProcess(path, 'FLOCK');
    return pid === null ? null : holder(pid);
  } catch {
    // No /proc/locks: the lock itself is still tried when the port is opened.
    return null;
  }
}

function openHolder(path: string): Holder | null {
  const device = realpathSync(path);
  // Not of pseudo-terminals, whose far end may keep the near end open to survive its users, nor of what is no terminal.
  if (!/^\/dev\/tty/.test(device)) return null;
  for (const pid of list('/proc').filter((entry) => /^\d+$/.test(entry))) {
    for (const fd of list(`/proc/${pid}/fd`)) {
      if (linkOf(`/proc/${pid}/fd/${fd}`) === device) return holder(Number(pid));
    }
  }
  return null;
}

function holder(pid: number): Holder {
  try {
    return { pid, command: readFileSync(`/proc/${pid}/comm`, 'utf8').trim() };
  } catch {
    return { pid, command: null };
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
