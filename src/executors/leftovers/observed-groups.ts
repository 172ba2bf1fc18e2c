import { foldersOf, groupsNamed, makeObservedGroup, perfTree, removeObservedGroup } from '../../observers/group.ts';
import type { ObservedGroup } from '../../observers/observer.ts';
import { hasLimitsWithin } from '../native/hierarchies.ts';
import { endLeftIn } from '../native/left-groups.ts';
import { type IsAbandoned, ownerToken } from './owner.ts';

const PREFIX = 'joulediff_';
let made = 0;

/** A group to be looked at, whose name tells who made it; null: it can't be made, or this process has limits that it would be outside of. Disposed of when all that ran in it has ended. */
export function observedGroup(): { readonly group: ObservedGroup | null } & Disposable {
  const [, namespace, pid, startTicks] = ownerToken().split(':');
  const tree = perfTree();
  // Outside its limits it would be another workload.
  const isFree = tree !== null && !hasLimitsWithin(tree);
  const group = !isFree ? null : makeObservedGroup(`${PREFIX}${pid}_${startTicks}_${namespace}_${++made}`);
  return { group, [Symbol.dispose]: () => group && removeObservedGroup(group.name) };
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
