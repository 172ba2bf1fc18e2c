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

/** A group for an observed run; null: there is none, for the reason in `limitation`. */
type MadeGroup =
  | { readonly group: ObservedGroup; readonly limitation: null }
  | { readonly group: null; readonly limitation: 'no-group' | 'limits' };

/** Makes a group whose name tells its maker. Disposing ends what runs in it. `tree` and `groups` (as in /proc/self/cgroup): others for tests. */
export function observedGroup(tree = perfTree(), groups?: string): MadeGroup & Disposable {
  const [, namespace, pid, startTicks] = ownerToken().split(':');
  // The workload must inherit this process's limits; with others it would behave differently.
  if (tree !== null && hasLimitsWithin(tree, groups))
    return { group: null, limitation: 'limits', [Symbol.dispose]() {} };
  const group = tree === null ? null : makeObservedGroup(`${PREFIX}${pid}_${startTicks}_${namespace}_${++made}`);
  if (group === null) return { group, limitation: 'no-group', [Symbol.dispose]() {} };
  return { group, limitation: null, [Symbol.dispose]: () => removeObservedGroup(group.name) };
}

/** Ends what killed processes left in their groups, however it hides, and removes the groups. Gives a line for the log for each process. */
export async function removeLeftObserved(isAbandoned: IsAbandoned): Promise<string[]> {
  const lines: string[] = [];
  for (const name of groupsNamed(PREFIX)) {
    const [, pid, startTicks, namespace] = /^joulediff_(\d+)_(\d+)_(\d+)_\d+\.slice$/.exec(name) ?? [];
    if (pid === undefined) continue;
    // Groups do not survive a reboot, so the owner is of this boot.
    const owner = [ownerToken().split(':')[0], namespace, pid, startTicks].join(':');
    if (!isAbandoned({ owner, experiment: null, mayBeElsewhere: false })) continue;
    lines.push(...(await endLeftIn(foldersOf(name))));
    removeObservedGroup(name);
  }
  return lines;
}
