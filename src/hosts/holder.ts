import * as z from 'zod';
import { plain } from '../text/plain.ts';
import type { RemoteFiles } from './files.ts';

/** Lock files of a joulediff that runs on the machine itself. */
const LOCKS = ['/run/lock/joulediff.lock', '/dev/shm/joulediff.lock', '/tmp/joulediff.lock'];

/** Files that show who has another machine reserved. */
export const HOLDER = {
  patterns: ['/proc/locks', '/proc/[0-9]*/comm', ...LOCKS.map((path) => `${path}.[0-9]*`)],
  names: LOCKS,
};

const Reported = z.object({ what: z.string() });

/** The holder's description of itself, from the file beside its lock. */
function whatIn(text: string | null): string | null {
  try {
    return Reported.parse(JSON.parse(text ?? '')).what;
  } catch {
    return null;
  }
}

/** Sentence on the holder of the other machine, by its kernel's list of locks; null: it is free. `files`: read with `HOLDER`. */
export function holderIn(files: RemoteFiles): string | null {
  const nodes = LOCKS.flatMap((path) => files.owner(path)?.node ?? []);
  const held = (files.text('/proc/locks') ?? '').split('\n').map((line) => line.trim().split(/\s+/));
  const pid = held.find(([, second, , , , node]) => second !== '->' && nodes.includes(node ?? ''))?.[4];
  if (pid === undefined) return null;
  const name = files.text(`/proc/${pid}/comm`);
  const what = LOCKS.map((path) => whatIn(files.text(`${path}.${pid}`))).find((reported) => reported !== null);
  return `It is ${what ? `${plain(what, 200)}, ` : ''}process ${pid} there${name === null ? '' : ` (${plain(name, 20)})`}.`;
}
