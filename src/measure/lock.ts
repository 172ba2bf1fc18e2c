import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import * as z from 'zod';
import { getErrorCode, MeasureError, messageOf } from '../errors.ts';
import { lockingProcess } from '../system/file-locks.ts';
import { isJob } from '../system/gitea.ts';
import { plain } from '../text/plain.ts';

/** Folders that all users of a machine share; the first is where locks belong, the others are for machines where only root may write there. */
const PLACES = ['/run/lock', '/dev/shm', '/tmp'];
const MACHINE = 'joulediff';

/** Description that a holder leaves beside the lock, for others that find the machine taken. */
const Holder = z.object({ what: z.string(), since: z.iso.datetime() });

/** Another experiment holds the machine. */
export class MachineTaken extends MeasureError {
  /** Sentence on who holds it. */
  readonly holder: string;

  constructor(holder: string, cause: unknown, advice = 'Wait until it has ended.') {
    super(`Another experiment is being measured on this machine; two at once would measure each other. ${holder}`, {
      advice,
      cause,
    });
    this.holder = holder;
  }
}

/**
 * Locks this machine: two experiments at once would measure each other. The kernel's lock is on a file of the machine. It ends with the process,
 * however that ends, and holds for all users and network namespaces. It does not see containers and virtual machines on the same hardware that don't
 * share the file's folder. `what` is shown to whoever comes second (`the experiment "sort"`).
 * `JOULEDIFF_LOCK` gives another name, for tests that run side by side. Throws MeasureError when the machine is taken, or can't be.
 */
export function lockMachine(what: string, name = process.env.JOULEDIFF_LOCK ?? MACHINE): Disposable {
  const path = lockFile(name);
  const db = lock(path);
  const reported = `${path}.${process.pid}`;
  forgetDead(dirname(path));
  try {
    rmSync(reported, { force: true });
    writeFileSync(reported, JSON.stringify({ what, since: new Date().toISOString() }), { flag: 'wx', mode: 0o644 });
  } catch {
    // This file only adds to a message; the lock is what counts.
  }
  return {
    [Symbol.dispose]: () => {
      forget(reported);
      // The machine's lock file stays: all processes must lock the same file.
      if (name !== MACHINE) forget(path);
      db.close();
    },
  };
}

/** Removes a file, if possible: another user's can't be removed, and no measurement may be lost for that. */
function forget(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The user who made the file removes it at the next start.
  }
}

/** Who holds the machine, a sentence; null: nobody does. Takes nothing, and makes no file. */
export function machineHolder(name = process.env.JOULEDIFF_LOCK ?? MACHINE): string | null {
  const path = lockPaths(name).find((place) => lstatSync(place, { throwIfNoEntry: false }));
  return path === undefined || findLockHolder(path) === null ? null : holderText(path);
}

function lockPaths(name: string): string[] {
  const file = name === MACHINE ? `${MACHINE}.lock` : `${MACHINE}-${name.replace(/[^A-Za-z0-9._-]/g, '_')}.lock`;
  return PLACES.map((place) => join(place, file));
}

/** The lock file, made where it is missing: so that every user may lock it, unless somebody made it before for a group alone. */
function lockFile(name: string): string {
  const paths = lockPaths(name);
  const there = paths.find((path) => lstatSync(path, { throwIfNoEntry: false }));
  const path = there ?? paths.find((each) => isShared(dirname(each))) ?? (paths.at(-1) as string);
  try {
    const made = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o666);
    // `mode` alone would be cut by the umask.
    fchmodSync(made, 0o666);
    closeSync(made);
  } catch (cause) {
    if (getErrorCode(cause) !== 'EEXIST') throw unusable(path, messageOf(cause), cause);
  }
  const found = lstatSync(path);
  // Nothing is ever written to it, and SQLite must find nothing to read in it.
  if (!found.isFile() || found.size > 0) throw unusable(path, 'it is not an empty file');
  return path;
}

/** Whether all users may make files in a folder, and none may remove another's. */
function isShared(place: string): boolean {
  const found = statSync(place, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === 0 && (found.mode & 0o1777) === 0o1777;
}

/** How long to wait for another process that does the same, milliseconds. */
const ALONE_MS = 10_000;

/**
 * Does something that no two processes may do at once, under a lock of the kernel on an empty file made at `path`, which ends with the process.
 * If the file can't be made, it is done without. Throws what `work` throws, and SQLITE_BUSY where another process takes too long.
 */
export function alone<T>(path: string, work: () => T): T {
  let db: Database.Database | undefined;
  try {
    try {
      db = new Database(path, { timeout: ALONE_MS });
      db.pragma('journal_mode = MEMORY');
      db.exec('BEGIN IMMEDIATE');
    } catch (cause) {
      if (getErrorCode(cause).startsWith('SQLITE_BUSY')) throw cause;
    }
    return work();
  } finally {
    db?.close();
  }
}

/** Locks a file as SQLite does (fcntl(2), which Node.js does not offer); no transaction is ever written. */
function lock(path: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    // The file must exist: a system may forbid SQLite to create one for another user in a shared folder.
    db = new Database(path, { fileMustExist: true, timeout: 0 });
    // In another mode SQLite would put a file beside the lock, which other users may not open when its maker was killed.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN IMMEDIATE');
    return db;
  } catch (cause) {
    db?.close();
    if (getErrorCode(cause).startsWith('SQLITE_BUSY')) throw new MachineTaken(holderText(path), cause);
    throw unusable(path, mayWrite(path) ? messageOf(cause) : 'this user may not write to it', cause);
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function unusable(path: string, why: string, cause?: unknown): MeasureError {
  return new MeasureError(`The machine can't be reserved by its lock ${path}: ${why}.`, {
    advice: 'Everybody who may measure on this machine needs write access to that file, which must be empty.',
    cause,
  });
}

function holderText(path: string): string {
  const pid = findLockHolder(path);
  if (pid === null && isJob(process.env)) return heldSince(null);
  if (pid === null) return `Its process can't be seen from here; it locks ${path}.`;
  const uid = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
  const by = `process ${pid}${uid === undefined ? '' : ` of ${userName(uid)}`}`;
  const reported = reportedBy(`${path}.${pid}`, uid);
  if (isJob(process.env)) return heldSince(reported?.since ?? null);
  return reported === null
    ? `It is ${by}.`
    : `It is ${plain(reported.what, 200)}, ${by}, since ${reported.since.slice(0, 16).replace('T', ' ')} UTC.`;
}

/** Since when another job has the machine; no more, since people of other repositories read this job's log. `since`: ISO 8601. */
const heldSince = (since: string | null): string =>
  since === null ? 'Since when is not known.' : `It has been busy since ${since.slice(0, 16).replace('T', ' ')} UTC.`;

function findLockHolder(path: string): number | null {
  try {
    return lockingProcess(path, 'POSIX');
  } catch {
    return null;
  }
}

/** The holder's description of itself; a file of any other user is ignored. */
function reportedBy(path: string, uid: number | undefined): z.infer<typeof Holder> | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = lstatSync(path);
      if (!found.isFile() || found.uid !== uid || found.size > 10_000) return null;
      return Holder.parse(JSON.parse(readFileSync(file, 'utf8')));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function userName(uid: number): string {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.split(':')[2] === String(uid));
    return line?.split(':')[0] ?? `user ${uid}`;
  } catch {
    return `user ${uid}`;
  }
}

/** Removes the descriptions of killed holders, and with each a lock with a name of its own, if it is free. */
function forgetDead(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, own, pid] = /^joulediff(-.+)?\.lock\.(\d+)$/.exec(name) ?? [];
    if (pid === undefined || statSync(`/proc/${pid}`, { throwIfNoEntry: false })) continue;
    try {
      rmSync(join(folder, name));
      const lock = join(folder, `joulediff${own}.lock`);
      if (own !== undefined && lockingProcess(lock, 'POSIX') === null) rmSync(lock);
    } catch {
      // The file is another user's, or gone meanwhile.
    }
  }
}
