import { totalmem } from 'node:os';
import type { Limit } from '../contracts/execution.ts';
import { type Limits, usableMemory } from './limits.ts';

const GIB = 2 ** 30;
/** Limits of programs that read a meter or answer a small question: more than these need, and too little to harm anything else. */
export const SMALL_LIMITS: Limits = { pids: 1024, memoryBytes: GIB };
/** Limits of programs that work on the user's data: git on a large repository, perf on a long run. */
export const HELPER_LIMITS: Limits = { pids: 1024, memoryBytes: Math.min(4 * GIB, usableMemory(totalmem())) };

/** Sentence on the limit that a program met; null: it met none. */
export function limitSentence(who: string, { pids, memoryBytes }: Limits, limit: Limit | null) {
  if (limit === null) return null;
  return limit === 'memory'
    ? `It needed more memory than ${who} may have (${Math.round((memoryBytes ?? 0) / 2 ** 20)} MiB).`
    : `It needed more processes than ${who} may have (${pids}).`;
}
