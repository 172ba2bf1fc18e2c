import * as z from 'zod';
import { plain } from '../text/plain.ts';
import type { RemoteFiles } from './files.ts';

/** Where a joulediff locks the machine that it runs on. */
const LOCKS = ['/run/lock/joulediff.lock', '/dev/shm/joulediff.lock', '/tmp/joulediff.lock'];

/** What tells who has another machine reserved. */
export const HOLDER = {
  patterns: ['/proc/locks', '/proc/[0-9]*/comm', ...LOCKS.map((path) => `${path}.[0-9]*`)],
  names: LOCKS,
};

const Told = z.object({ what: z.string() });

/** What a holder tells of itself beside the lock. */
function whatIn(text: string | null): string | null {
  try {
    return Told.parse(JSON.parse(text ?? '')).what;
  } catch {
    return null;
  }
}

/** Who measures there, a sentence, by the kernel's list of locks, as `machineHolder` tells it of this machine; null: nobody. Of files with `HOLDER`. */
export function holderIn(files: RemoteFiles): string | null {
  const nodes = LOCKS.flatMap((path) => files.owner(path)?.node ?? []);
  const held = (files.text('/proc/locks') ?? '').split('\n').map((line) => line.trim().split(/\s+/));
  const pid = held.find(([, second, , , , node]) => second !== '->' && nodes.includes(node ?? ''))?.[4];
  if (pid === undefined) return null;
  const name = files.text(`/proc/${pid}/comm`);
  const what = LOCKS.map((path) => whatIn(files.text(`${path}.${pid}`))).find((told) => told !== null);
  return `It is ${what ? `${plain(what, 200)}, ` : ''}process ${pid} there${name === null ? '' : ` (${plain(name, 20)})`}.`;
}
