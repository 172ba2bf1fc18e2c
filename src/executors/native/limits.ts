import { totalmem } from 'node:os';
import type { Limit } from '../../contracts/execution.ts';
import { InputError } from '../../errors.ts';
import { type Limits, MAX_PIDS, usableMemory } from '../../processes/limits.ts';
import { RunGroup } from '../../processes/run-group.ts';
import { limitUser } from '../../processes/user-limit.ts';

export interface HeldLimits extends Limits {
  /** Limits that a control group enforces. */
  readonly byGroup: Limits;
  /** Limits that nothing enforces, so that joulediff polls the use. */
  readonly watched: Limits;
}

export interface LimitsRequest {
  readonly variant: { readonly name: string; readonly pids?: number; readonly memoryBytes?: number };
  /** The user who the workload runs as. */
  readonly uid: number;
  /** Which of the wanted limits control groups enforce; another function for tests. */
  held?(wanted: Limits): Limits;
}

/**
 * Limits of a native workload. A control group enforces both; where none can be made, the kernel's limit of a user's processes (RLIMIT_NPROC) holds
 * any user but root to one, and the rest is polled. Throws InputError where limits that were given can't be enforced.
 */
export function holdToLimits({ variant, uid, held = heldByGroup }: LimitsRequest): HeldLimits {
  const machine = machineLimits();
  const wanted = { pids: variant.pids ?? machine.pids, memoryBytes: variant.memoryBytes ?? machine.memoryBytes };
  const byGroup = held(wanted);
  const who = `variant ${JSON.stringify(variant.name)}`;
  for (const [key, given, limit] of [
    ['pids', variant.pids, byGroup.pids],
    ['memory', variant.memoryBytes, byGroup.memoryBytes],
  ] as const) {
    if (given === undefined || limit !== null) continue;
    throw new InputError(`The limit ${key} of ${who} can't be held: no control group for it can be made here.`, {
      advice: `This needs root, or a control group that was delegated to you. Leave ${key} out, or start joulediff as root and give the variant a user.`,
    });
  }
  const pids = byGroup.pids ?? limitUser(uid);
  const watched: Limits = {
    pids: pids === null ? wanted.pids : null,
    memoryBytes: byGroup.memoryBytes === null ? wanted.memoryBytes : null,
  };
  return { pids: pids ?? wanted.pids, memoryBytes: wanted.memoryBytes, byGroup, watched };
}

/** Default limits of everything on the host. */
export function machineLimits() {
  const machineBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return { pids: MAX_PIDS, memoryBytes: usableMemory(machineBytes) };
}

/** Names of the limits that are polled. */
export const polledLimits = ({ pids, memoryBytes }: Limits): Limit[] => [
  ...(pids === null ? [] : (['processes'] as const)),
  ...(memoryBytes === null ? [] : (['memory'] as const)),
];

function heldByGroup(wanted: Limits): Limits {
  const probe = new RunGroup('limits', wanted);
  try {
    return probe.held();
  } finally {
    probe.remove();
  }
}
