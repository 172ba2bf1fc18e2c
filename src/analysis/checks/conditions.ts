import type { Check, CheckOf } from '../../findings/checks.ts';
import { fisherExact } from '../../stats/fisher-exact.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { median } from '../../stats/quantiles.ts';
import { signedRank } from '../../stats/signed-rank.ts';
import type { RunResult } from '../results.ts';
import { alarm, FALSE_ALARMS } from './alarm.ts';
import type { CheckedPair, CheckedRuns } from './checked-runs.ts';

/** A condition of the machine that was recorded with every run and should not differ between variants. */
export interface Condition {
  readonly name: CheckOf<'equal conditions'>['facts']['amounts'][number]['condition'];
  /** Value for a run; null: it was not recorded. */
  readonly of: (run: RunResult) => number | null;
  /** Minimum relevant difference: a share of the baseline's median, or an amount in the unit. */
  readonly least: { readonly share: number } | { readonly amount: number };
}

export const IDLE_POWER: Condition = {
  name: 'idle-power',
  of: (run) => run.idlePowerW,
  least: { share: 0.01 },
};
/** Leakage raises a processor's power by some tenths of a percent per degree. */
export const TEMPERATURE: Condition = {
  name: 'temperature',
  of: (run) => run.machine?.temperatureC ?? null,
  least: { amount: 2 },
};
export const LOAD: Condition = {
  name: 'load',
  of: (run) => run.machine?.load ?? null,
  least: { amount: 0.1 },
};

export const CONDITIONS = [IDLE_POWER, TEMPERATURE, LOAD] as const;

const MIN_RUNS = 6;

/**
 * Checks that the variants had the same conditions as their baselines: signed-rank test of the blocks' differences, Mann–Whitney without
 * blocks, Fisher's exact test of the governors. A difference is reported only if it is also large enough to matter.
 */
export function unequalConditions(runs: CheckedRuns, conditions: readonly Condition[] = CONDITIONS): Check[] {
  const { good, pairs } = runs;
  const amounts = pairs.flatMap((pair) => conditions.flatMap((condition) => compared(good, pair, condition)));
  const governors = pairs.flatMap((pair) => comparedGovernors(good, pair));
  const tests = amounts.length + governors.length;
  if (tests === 0) return [];
  const isSeen = ({ fact, matters }: { fact: { p: number }; matters: boolean }) =>
    matters && fact.p < FALSE_ALARMS / tests;
  const names = new Set(amounts.map(({ fact }) => fact.condition));
  const seen = amounts.filter(isSeen).map(({ fact }) => fact);
  const changed = governors.filter(isSeen).map(({ fact }) => fact);
  return [
    alarm('equal conditions', seen.length + changed.length > 0, {
      baseline: runs.baseline,
      looked: [...names, ...(governors.length > 0 ? (['governor'] as const) : [])],
      amounts: seen,
      governors: changed,
    }),
  ];
}

type Facts = CheckOf<'equal conditions'>['facts'];

interface Compared<Fact> {
  readonly fact: Fact;
  readonly matters: boolean;
}

function compared(
  good: CheckedRuns['good'],
  { baseline, variant, blocks }: CheckedPair,
  { name, of, least }: Condition,
): Compared<Facts['amounts'][number]>[] {
  const known = (of_: string): number[] => good.filter((r) => r.variant === of_).flatMap((r) => of(r) ?? []);
  const [x, y] = [known(baseline), known(variant)];
  if (x.length < MIN_RUNS || y.length < MIN_RUNS) return [];
  const p = pairedP(blocks, of) ?? mannWhitney(x, y)?.p;
  const [from, to] = [median(x), median(y)];
  const share = (to - from) / Math.abs(from);
  if (p === undefined || ('share' in least && from === 0)) return [];
  const matters = 'share' in least ? Math.abs(share) >= least.share : Math.abs(to - from) >= least.amount;
  return [{ fact: { baseline, variant, condition: name, baseline_median: from, variant_median: to, p }, matters }];
}

/** Compares the most frequent governor with all others; null: it never changed. */
function comparedGovernors(
  good: CheckedRuns['good'],
  { baseline, variant }: CheckedPair,
): Compared<Facts['governors'][number]>[] {
  const of = (name: string): string[] =>
    good.filter((r) => r.variant === name).flatMap((r) => r.machine?.governor ?? []);
  const [x, y] = [of(baseline), of(variant)];
  if (x.length < MIN_RUNS || y.length < MIN_RUNS) return [];
  const counts = [...Map.groupBy([...x, ...y], (governor) => governor)].sort((a, b) => b[1].length - a[1].length);
  const usual = counts[0]?.[0] ?? '';
  const others = (governors: readonly string[]): number => governors.filter((governor) => governor !== usual).length;
  const [a, b] = [others(x), others(y)];
  const p = fisherExact(a, x.length, b, y.length);
  const fact = { baseline, variant, usual, other: b, of: y.length, baseline_other: a, baseline_of: x.length, p };
  return [{ fact, matters: true }];
}

/** p of the signed-rank test; null: no blocks, or too few with the condition on both sides. */
function pairedP(blocks: CheckedPair['blocks'], of: Condition['of']): number | null {
  const deltas = blocks.flatMap(({ baselineFirst, first, second }) => {
    const [a, b] = [of(baselineFirst ? first : second), of(baselineFirst ? second : first)];
    return a === null || b === null ? [] : [b - a];
  });
  return deltas.length < MIN_RUNS ? null : (signedRank(deltas)?.p ?? null);
}
