import type { CheckOf } from '../../findings/checks.ts';
import type { RunResult } from '../results.ts';

/**
 * Processes that `prepare` left running: facts, no test. If they ended with it, the command ran without them. If they ran on beside
 * some variants' commands but not others', the variants are not comparable.
 */
export function leftByPrepare(runs: readonly RunResult[]): CheckOf<'left by prepare'>[] {
  const good = [
    ...Map.groupBy(
      runs.filter(({ status }) => status === 'ok'),
      ({ variant }) => variant,
    ),
  ];
  const seen = good.flatMap(([variant, all]) => {
    const left = all.flatMap(({ place }) => (place !== undefined && place.preparedNames.length > 0 ? [place] : []));
    if (left.length === 0) return [];
    const processes = [...new Set(left.flatMap(({ preparedNames }) => preparedNames))].sort();
    return [{ variant, processes, runs_on: left.every(({ preparedRunOn }) => preparedRunOn), runs: left.length }];
  });
  if (seen.length === 0) return [];
  const name = 'left by prepare';
  const facts = { seen };
  if (seen.some(({ runs_on }) => !runs_on)) return [{ name, state: 'warn', reason: 'ended', facts }];
  return seen.length < good.length
    ? [{ name, state: 'warn', reason: 'uneven', facts }]
    : [{ name, state: 'ok', reason: 'runs-on', facts }];
}
