import type { StretchCount } from '../../../../contracts/observation.ts';
import { ObserverError } from '../tool.ts';
import type { Account } from './profiler.ts';

/** Sums of the same numbers in another order differ by less. */
const MIN_S = 1e-6;

/**
 * What a server executed between two looks at its totals. `own`: the name of the question itself, whose first time the second look has counted.
 * Throws ObserverError where the totals were set back meanwhile.
 */
export function executedBetween(
  before: Account,
  after: Account,
  own: string | null,
): Omit<StretchCount, 'fromNs' | 'toNs'>[] {
  const all = [...after].flatMap(([name, { calls, seconds, errors }]) => {
    const was = before.get(name) ?? { calls: 0, seconds: 0, errors: 0 };
    const asked = name === own ? 1 : 0;
    return [{ name, calls: calls - was.calls - asked, seconds: seconds - was.seconds, errors: errors - was.errors }];
  });
  const isBack = all.some(({ calls, seconds, errors }) => calls < 0 || seconds < -MIN_S || errors < 0);
  if (isBack || [...before.keys()].some((name) => !after.has(name))) throw new ObserverError('unreadable');
  return all
    .filter(({ calls }) => calls > 0)
    .flatMap(({ name, calls, seconds, errors }) => [
      { kind: 'command' as const, name, value: calls, errors },
      { kind: 'command-time' as const, name, value: Math.max(0, seconds), errors: null },
    ]);
}
