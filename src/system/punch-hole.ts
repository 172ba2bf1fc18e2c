import { spawnSync } from 'node:child_process';
import { getErrorCode, systemMessage } from '../errors.ts';

const MAX_MS = 10_000;

/**
 * Frees a range of an open file (hole punching). The file keeps its length and reads as zeros there. Node.js has no call for it, so this runs
 * fallocate(1) of util-linux, in some 2 ms.
 *
 * why it failed: the file system can't do it, or the program is missing or another one; null: it succeeded
 */
export function punchHole(descriptor: number, fromByte: number, toByte: number): string | null {
  // BigInt, because a sparse file may be larger than 2^53 bytes.
  const [from, to] = [BigInt(fromByte), BigInt(toByte)];
  if (to <= from) return null;
  const words = ['--punch-hole', '--offset', String(from), '--length', String(to - from), '/proc/self/fd/3'];
  const { error, status, stderr } = spawnSync('fallocate', words, {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    timeout: MAX_MS,
  });
  if (error !== undefined) {
    return getErrorCode(error) === 'ENOENT' ? 'there is no program fallocate' : `fallocate: ${systemMessage(error)}`;
  }
  return status === 0 ? null : stderr.trim().split('\n')[0] || 'fallocate failed';
}
