import type { Limit, LimitMet } from '../contracts/execution.ts';
import { size, wholeNumber } from '../input/leaves.ts';

/** Upper bound on the processes and threads of a workload: enough for any that is no fork bomb. */
export const MAX_PIDS = 16_384;

const MIB = 2 ** 20;
const SIX_MEBIBYTES = 6 * MIB;

/** Limits of a workload; null: no other limit than what the machine has. */
export interface Limits {
  readonly pids: number | null;
  readonly memoryBytes: number | null;
}

/** Keys of the experiment file that set the limits, for all kinds of places that can enforce them. */
export const limitKeys = {
  pids: wholeNumber(16, 4_194_304)
    .optional()
    .meta({ description: `Maximum number of processes and threads at a time; default: ${MAX_PIDS}.` }),
  memory: size(SIX_MEBIBYTES, 'a size of at least 6m, such as 512m, 2g or a number of bytes')
    .optional()
    .meta({ description: 'Memory limit; default: the memory of the machine, minus a reserve.' }),
};

/**
 * The memory that a workload may have on a machine that has so much: all but a sixteenth, of which there are 128 MiB at least and 1 GiB at
 * most. A workload that needs the rest, too, would take joulediff, the engine and the machine with it.
 */
export function usableMemory(machineBytes: number): number {
  const reserve = Math.min(Math.max(machineBytes / 16, 128 * MIB), 1024 * MIB);
  return Math.floor((machineBytes - reserve) / MIB) * MIB;
}

/** The limits as facts of a place; null: one that can't be enforced. `watched`: limits that joulediff polls, since the kernel doesn't hold them. */
export const limitFacts = ({ pids, memoryBytes }: Limits, watched: readonly Limit[] = []) => ({
  limit_processes: pids,
  limit_memory_bytes: memoryBytes,
  ...(watched.length > 0 && { limit_watched: watched.join(', ') }),
});

const REACHED: Readonly<Record<LimitMet, string>> = {
  processes: 'it needed more processes or threads than it may have: see the key pids',
  memory: 'one of its processes was ended because memory ran out: see the key memory',
  'perhaps-memory':
    'it was killed, perhaps because memory ran out: neither its control group nor the kernel’s log shows the cause any more (see the key memory)',
};

/** Why a run that met a limit has failed, without a full stop. */
export const limitText = (limit: LimitMet): string => REACHED[limit];
