import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Temporary name: the final file name, the process id, and a random UUID. */
const NAME = /^(.*)\.(\d{1,10})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/s;

/** Temporary files of this process. A killed process may have had the same id, as in containers. */
const own = new Set<string>();

/** Temporary path for writing a file before it is renamed. Its name is random, so nobody can place a link there in advance. */
export function temporaryFor(path: string): string {
  const temporary = `${path}.${process.pid}-${randomUUID()}.tmp`;
  own.add(basename(temporary));
  return temporary;
}

/** Final name of the file that a killed process was writing under this name; null: the name is no such file, or the process lives. */
export function parseAbandoned(name: string): string | null {
  const [, of = '', pid = ''] = NAME.exec(name) ?? [];
  if (pid === '' || own.has(name)) return null;
  return Number(pid) === process.pid || !lives(Number(pid)) ? of : null;
}

/** Removes what killed processes were writing in a folder; `of`: only for this file. Never throws, since leftovers only take space. */
export function removeAbandoned(folder: string, of?: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const made = parseAbandoned(name);
      if (made === null || (of !== undefined && made !== of)) continue;
      const path = join(folder, name);
      if (lstatSync(path).isFile()) rmSync(path);
    }
  } catch {
    // It was removed already, or the folder is read-only.
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
