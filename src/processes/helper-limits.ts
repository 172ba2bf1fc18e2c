import { totalmem } from 'node:os';
import type { Limit } from '../contracts/execution.ts';
import { type Limits, memoryOf } from './limits.ts';

const GIB = 2 ** 30;
/** What no program needs that reads a meter or answers a small question; few enough that nothing else is harmed. */
export const SMALL_LIMITS: Limits = { pids: 1024, memoryBytes: GIB };
/** For those that work on data of the user's: git on a large repository, perf on a long run. */
export const HELPER_LIMITS: Limits = { pids: 1024, memoryBytes: Math.min(4 * GIB, memoryOf(totalmem())) };

/** Null where no limit was met. */
export function limitSentence(who: string, { pids, memoryBytes }: Limits, limit: Limit | null) {
  if (limit === null) return null;
  return limit === 'memory'
    ? `It needed more memory than ${who} may have (${Math.round((memoryBytes ?? 0) / 2 ** 20)} MiB).`
    : `It needed more processes than ${who} may have (${pids}).`;
}
