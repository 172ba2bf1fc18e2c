import type { PlaceFacts } from '../../contracts/variant.ts';
import { removeLeftFolders } from '../../processes/left-folders.ts';
import { endProcesses, findProcesses } from '../../processes/left-processes.ts';
import { type IsAbandoned, ownerState, parseOwner } from '../../processes/owner.ts';
import { endLeftSessions } from '../../processes/sessions.ts';
import { restoreLeft } from '../../tuning/tuning.ts';
import { startLeftEngines } from '../engine/switch.ts';
import { placeKinds } from '../registry.ts';
import { tellDue } from './due.ts';
import { removeLeftObserved } from './observed-groups.ts';

const GRACE_MS = 1000;

export interface ReapRequest {
  /** Experiment whose things are removed even if their owner can't be judged from here (in another pid namespace). */
  readonly experimentId?: string;
  /** Facts of the places of an experiment that goes on: what it was begun with stays, however old it is. */
  readonly needed?: readonly PlaceFacts[];
}

/**
 * Removes what a killed joulediff left: processes with its mark, what each kind of place leaves, checkouts and other temporary folders,
 * whose owner is dead; puts back what it had set on the machine. Never touches what carries no mark, or has a living owner.
 *
 * @returns a line for the log for each thing removed, or that could not be
 */
export async function reap(request: ReapRequest = {}): Promise<string[]> {
  const isAbandoned = judge(request);
  const lines = [...(await reapProcesses(isAbandoned)), ...(await endLeftSessions(isAbandoned))];
  lines.push(...restoreLeft(isAbandoned));
  // The engines come first, since they are needed below.
  lines.push(...(await startLeftEngines(isAbandoned)));
  for (const kind of placeKinds) lines.push(...(await kind.removeLeft(isAbandoned, request.needed ?? [])));
  lines.push(...(await removeLeftObserved(isAbandoned)));
  // Folders come last, when nothing works in them any more.
  return [...lines, ...removeLeftFolders(isAbandoned), ...tellDue(isAbandoned)];
}

async function reapProcesses(isAbandoned: IsAbandoned): Promise<string[]> {
  const names = await endProcesses(
    () =>
      findProcesses((found) => {
        const owner = found.variable('JOULEDIFF_OWNER');
        if (owner === null) return false;
        return isAbandoned({ owner, experiment: found.variable('JOULEDIFF_EXPERIMENT'), mayBeElsewhere: false });
      }),
    GRACE_MS,
  );
  return names.map((name) => `Ended the process ${name} that an earlier experiment left.`);
}

/** Judges by the owner of a thing: it is left over if it is of the request's experiment, or its owner is dead. */
export function judge({ experimentId }: ReapRequest = {}): IsAbandoned {
  return ({ owner: token, experiment, mayBeElsewhere }) => {
    const isOfRequest = experimentId !== undefined && experiment === experimentId;
    const owner = token === null ? null : parseOwner(token);
    if (owner === null) return isOfRequest;
    switch (ownerState(owner)) {
      case 'alive':
        return false;
      case 'dead':
        return true;
      case 'other-namespace':
        return isOfRequest;
      case 'other-boot':
        return isOfRequest || !mayBeElsewhere;
    }
  };
}
