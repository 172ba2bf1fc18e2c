import type { ObservedGroup } from '../../contracts/observation.ts';
import { hasLimitsWithin } from '../../processes/hierarchies.ts';
import { endLeftIn } from '../../processes/left-groups.ts';
import {
  foldersOf,
  groupsNamed,
  makeObservedGroup,
  perfTree,
  removeObservedGroup,
} from '../../processes/observed-group.ts';
import { type IsAbandoned, ownerToken } from '../../processes/owner.ts';

const PREFIX = 'joulediff_';
let made = 0;

/** A group to be looked at; null: `limitation` tells why there is none. */
type MadeGroup =
  | { readonly group: ObservedGroup; readonly limitation: null }
  | { readonly group: null; readonly limitation: 'no-group' | 'limits' };

/** Its name tells who made it. Disposed of when all that ran in it has ended. `tree` and `groups` (as in /proc/self/cgroup) are others for tests. */
export function observedGroup(tree = perfTree(), groups?: string): MadeGroup & Disposable {
  const [, namespace, pid, startTicks] = ownerToken().split(':');
  // Outside of this process's limits it would be another workload.
  if (tree !== null && hasLimitsWithin(tree, groups))
    return { group: null, limitation: 'limits', [Symbol.dispose]() {} };
  const group = tree === null ? null : makeObservedGroup(`${PREFIX}${pid}_${startTicks}_${namespace}_${++made}`);
  if (group === null) return { group, limitation: 'no-group', [Symbol.dispose]() {} };
  return { group, limitation: null, [Symbol.dispose]: () => removeObservedGroup(group.name) };
}

/** Ends what killed processes left in theirs, however it hides, and removes them. Gives a line for the log for each process. */
export async function removeLeftObserved(isAbandoned: IsAbandoned): Promise<string[]> {
  const lines: string[] = [];
  for (const name of groupsNamed(PREFIX)) {
    const [, pid, startTicks, namespace] = /^joulediff_(\d+)_(\d+)_(\d+)_\d+\.slice$/.exec(name) ?? [];
    if (pid === undefined) continue;
    // No group outlives a boot.
    const owner = [ownerToken().split(':')[0], namespace, pid, startTicks].join(':');
    if (!isAbandoned({ owner, experiment: null, running: true })) continue;
    lines.push(...(await endLeftIn(foldersOf(name))));
    removeObservedGroup(name);
  }
  return lines;
}
