import type { StretchCount } from '../../../../contracts/observation.ts';
import { ObserverError } from '../tool.ts';
import type { Account } from './profiler.ts';

/** Minimum seconds: differences below it are rounding errors of sums. */
const MIN_S = 1e-6;

/**
 * Commands executed between two reads of a server's totals. `own`: the name of the query itself, whose first call the second read includes.
 * Throws ObserverError if the totals were reset in between.
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
