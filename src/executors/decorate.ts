import type { Executor } from './executor.ts';

/** All members that an executor may have; a new one that is missing here is a type error. */
const MEMBERS = {
  services: true,
  setup: true,
  inspections: true,
  repeatProblem: true,
  prepare: true,
  makeService: true,
  traces: true,
  hasGroups: true,
  filesOf: true,
  recover: true,
} as const satisfies Record<keyof Executor, true>;

/** An executor that does the same as another one, except for `changes`, and `without` the optional members that are named. */
export function decorate(
  executor: Executor,
  changes: Partial<Executor>,
  without: readonly (keyof Executor)[] = [],
): Executor {
  const kept = (Object.keys(MEMBERS) as (keyof Executor)[]).filter((name) => !without.includes(name));
  const own = kept.flatMap((name) => {
    const member = executor[name];
    return member === undefined ? [] : [[name, typeof member === 'function' ? member.bind(executor) : member]];
  });
  return { ...(Object.fromEntries(own) as Executor), ...changes };
}
