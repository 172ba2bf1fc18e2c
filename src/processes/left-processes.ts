import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessStat, readStat } from './owner.ts';

const POLL_MS = 20;
const KILL_WAIT_MS = 1000;
/** Upper bound on the scans for processes: one that can't be stopped, such as another user's, may go on starting more. */
const MAX_SCANS = 100;

/** A process as the search for left-overs sees it. */
export interface FoundProcess extends ProcessStat {
  readonly pid: number;
  /** Value of a variable that the process was started with; null when it has none or may not be read. */
  variable(name: string): string | null;
}

/**
 * Living processes that `wanted` picks, without this process and its ancestors, which must never be ended.
 * Zombies don't count: they use nothing, and only their parent can remove them.
 */
export function findProcesses(wanted: (found: FoundProcess) => boolean): number[] {
  const own = ancestry();
  const found: number[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || own.has(pid)) continue;
    const stat = readStat(pid);
    // Group 0 are the kernel's own threads.
    if (stat === null || stat.state === 'Z' || stat.state === 'X' || stat.group === 0) continue;
    let environ: string | undefined;
    const process = {
      ...stat,
      pid,
      variable(name: string) {
        environ ??= readEnviron(pid);
        return variableIn(environ, name);
      },
    };
    if (wanted(process)) found.push(pid);
  }
  return found;
}

/**
 * Ends every process that `find` gives: SIGTERM, `graceMs` to comply, then SIGKILL until none is left (1 s at most).
 * `find` is asked again each time, so that children born meanwhile are ended too, and a reused pid isn't.
 * Returns the names of what was ended.
 */
export async function endProcesses(find: () => readonly number[], graceMs: number): Promise<string[]> {
  const names = new Map<number, string>();
  const signal = (pids: readonly number[], name: NodeJS.Signals) => {
    for (const pid of pids) {
      if (!names.has(pid)) names.set(pid, nameOf(pid));
      signalProcess(pid, name);
    }
  };
  const graceEnd = performance.now() + graceMs;
  let left = find();
  signal(left, 'SIGTERM');
  while (left.length > 0 && performance.now() < graceEnd) {
    await sleep(POLL_MS);
    left = find();
  }
  const killEnd = performance.now() + KILL_WAIT_MS;
  while (left.length > 0 && performance.now() < killEnd) {
    signal(left, 'SIGKILL');
    await sleep(POLL_MS);
    left = find();
  }
  return [...names.values()];
}

/** Ends what `find` gives, which may go on starting more meanwhile, without waiting for its end. Gives how many there were. */
export function endAtOnce(find: () => readonly number[]): number {
  const all = new Set<number>();
  for (let before = -1, scans = 0; before < all.size && scans < MAX_SCANS; scans++) {
    before = all.size;
    // Parents come first, so that they can't start another in the place of a child that has ended.
    for (const one of find()) {
      all.add(one);
      signalProcess(one, 'SIGSTOP');
    }
  }
  for (const one of all) signalProcess(one, 'SIGKILL');
  return all.size;
}

/** Sends a signal to a process, or to a group when `pid` is negative; one that is gone is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, or another user's: nothing that could be done about either.
  }
}

function ancestry(): Set<number> {
  const pids = new Set<number>();
  for (let pid = process.pid; pid > 0 && !pids.has(pid); pid = readStat(pid)?.parent ?? 0) pids.add(pid);
  return pids;
}

function readEnviron(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

function variableIn(environ: string, name: string): string | null {
  const text = `\0${environ}`;
  const at = text.indexOf(`\0${name}=`);
  if (at < 0) return null;
  const start = at + name.length + 2;
  const end = text.indexOf('\0', start);
  return text.slice(start, end < 0 ? undefined : end);
}

/** Name of a process as the kernel shows it, 15 characters at most; `?` when it is gone. */
export function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '?';
  }
}
