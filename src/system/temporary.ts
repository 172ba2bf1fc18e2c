import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Name of the file that is being made, process, and what nobody can foresee. */
const NAME = /^(.*)\.(\d{1,10})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/s;

/** Files of this process. A killed one may have had the same number, as in containers. */
const own = new Set<string>();

/** Where a file is written before it takes its place: a name that nobody can foresee, so no link can be laid in its way. */
export function temporaryFor(path: string): string {
  const temporary = `${path}.${process.pid}-${randomUUID()}.tmp`;
  own.add(basename(temporary));
  return temporary;
}

/** The name of the file that a process was making when it was killed; null: it is none of those, or its process lives. */
export function abandonedOf(name: string): string | null {
  const [, of = '', pid = ''] = NAME.exec(name) ?? [];
  if (pid === '' || own.has(name)) return null;
  return Number(pid) === process.pid || !lives(Number(pid)) ? of : null;
}

/** Removes from a folder what killed processes were making there; `of`: only of this file. Never throws: it only takes room. */
export function removeAbandoned(folder: string, of?: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const made = abandonedOf(name);
      if (made === null || (of !== undefined && made !== of)) continue;
      const path = join(folder, name);
      if (lstatSync(path).isFile()) rmSync(path);
    }
  } catch {
    // Gone already, or a folder that can only be read.
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
