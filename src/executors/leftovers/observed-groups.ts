import { groupsNamed, makeObservedGroup, removeObservedGroup } from '../../observers/group.ts';
import type { ObservedGroup } from '../../observers/observer.ts';
import { type IsAbandoned, ownerToken } from './owner.ts';

const PREFIX = 'joulediff_';
let made = 0;

/** A group to be looked at, whose name tells who made it; null: it can't be made. Disposed of when all that ran in it has ended. */
export function observedGroup(): { readonly group: ObservedGroup | null } & Disposable {
  const [, namespace, pid, startTicks] = ownerToken().split(':');
  const group = makeObservedGroup(`${PREFIX}${pid}_${startTicks}_${namespace}_${++made}`);
  return { group, [Symbol.dispose]: () => group && removeObservedGroup(group.name) };
}

/** Removes those of killed processes; what still ran in them has been ended by its own marks. */
export function removeLeftObserved(isAbandoned: IsAbandoned): void {
  for (const name of groupsNamed(PREFIX)) {
    const [, pid, startTicks, namespace] = /^joulediff_(\d+)_(\d+)_(\d+)_\d+\.slice$/.exec(name) ?? [];
    if (pid === undefined) continue;
    // No group outlives a boot.
    const owner = [ownerToken().split(':')[0], namespace, pid, startTicks].join(':');
    if (isAbandoned({ owner, experiment: null, running: true })) removeObservedGroup(name);
  }
}
