import type { Check } from '../../findings/checks.ts';
import { fisherExact } from '../../stats/fisher-exact.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { median } from '../../stats/quantiles.ts';
import { signedRank } from '../../stats/signed-rank.ts';
import { fixed, pText, significant } from '../numbers.ts';
import type { RunResult } from '../results.ts';
import type { CheckedRuns } from './checked-runs.ts';
import { FALSE_ALARMS, lamp } from './lamp.ts';

/** Something about the machine that was recorded with every run, and that the variants should have had alike. */
export interface Condition {
  /** As in "the … was 2 % higher": `idle power around the runs`. */
  readonly name: string;
  readonly unit: string;
  /** Null where it was not recorded. */
  readonly of: (run: RunResult) => number | null;
  /** A difference that can be proved may still be too small to matter: share of the baseline's median, or an amount in the unit. */
  readonly least: { readonly share: number } | { readonly amount: number };
}

export const IDLE_POWER: Condition = {
  name: 'idle power around the runs',
  unit: 'W',
  of: (run) => run.idlePowerW,
  least: { share: 0.01 },
};
/** Leakage makes a processor draw some tenths of a percent more for a degree. */
export const TEMPERATURE: Condition = {
  name: 'processor temperature before the runs',
  unit: '°C',
  of: (run) => run.machine?.temperatureC ?? null,
  least: { amount: 2 },
};
export const LOAD: Condition = {
  name: 'load by other processes before the runs',
  unit: 'processors',
  of: (run) => run.machine?.load ?? null,
  least: { amount: 0.1 },
};

export const CONDITIONS = [IDLE_POWER, TEMPERATURE, LOAD] as const;

const LEAST_RUNS = 6;

/**
 * Did the variants have the same conditions? Each recorded condition of each variant against the baseline's: signed-rank test of the
 * blocks' differences, Mann–Whitney without blocks, Fisher's exact test of the governors; told when it is also large enough to matter.
 */
export function unequalConditions(runs: CheckedRuns, conditions: readonly Condition[] = CONDITIONS): Check[] {
  const amounts = runs.others.flatMap((variant) =>
    conditions.flatMap((condition) => compared(runs, variant, condition)),
  );
  const governors = runs.others.flatMap((variant) => comparedGovernors(runs, variant));
  const looked = [...amounts, ...governors];
  if (looked.length === 0) return [];
  const words = looked.filter(({ p, matters }) => matters && p < FALSE_ALARMS / looked.length).map((l) => l.words);
  const names = [...new Set(amounts.map(({ name }) => name)), ...(governors.length > 0 ? ['governor'] : [])];
  return [
    lamp(words, {
      name: 'equal conditions',
      dark: `Nothing unequal to be seen in ${names.join(', ')}.`,
      advice:
        'Part of the difference may be the machine’s and not the workload’s: look for what one variant leaves running, and rest longer.',
    }),
  ];
}

interface Looked {
  readonly name: string;
  readonly p: number;
  readonly matters: boolean;
  readonly words: string;
}

function compared(runs: CheckedRuns, variant: string, { name, unit, of, least }: Condition): Looked[] {
  const known = (of_: string): number[] => runs.good.filter((r) => r.variant === of_).flatMap((r) => of(r) ?? []);
  const [x, y] = [known(runs.baseline), known(variant)];
  if (x.length < LEAST_RUNS || y.length < LEAST_RUNS) return [];
  const p = pairedP(runs, variant, of) ?? mannWhitney(x, y)?.p;
  const [from, to] = [median(x), median(y)];
  const share = (to - from) / Math.abs(from);
  if (p === undefined || ('share' in least && from === 0)) return [];
  const matters = 'share' in least ? Math.abs(share) >= least.share : Math.abs(to - from) >= least.amount;
  const size =
    'share' in least ? `${fixed(100 * Math.abs(share), 1)} %` : `${significant(Math.abs(to - from), 2)} ${unit}`;
  const values = `${significant(from, 3)} → ${significant(to, 3)} ${unit}`;
  const words = `The ${name} was ${size} ${to > from ? 'higher' : 'lower'} for ${variant} than for ${runs.baseline} (${values}, ${pText(p)}).`;
  return [{ name, p, matters, words }];
}

/** The governor that most runs had, against all others. Where it never changed there is nothing to look at. */
function comparedGovernors({ good, baseline }: CheckedRuns, variant: string): Looked[] {
  const of = (name: string): string[] =>
    good.filter((r) => r.variant === name).flatMap((r) => r.machine?.governor ?? []);
  const [x, y] = [of(baseline), of(variant)];
  if (x.length < LEAST_RUNS || y.length < LEAST_RUNS) return [];
  const counts = [...Map.groupBy([...x, ...y], (governor) => governor)].sort((a, b) => b[1].length - a[1].length);
  const usual = counts[0]?.[0] ?? '';
  const others = (governors: readonly string[]): number => governors.filter((governor) => governor !== usual).length;
  const [a, b] = [others(x), others(y)];
  const p = fisherExact(a, x.length, b, y.length);
  const words = `The governor was not ${usual} before ${b} of ${y.length} runs of ${variant} and ${a} of ${x.length} of ${baseline} (Fisher ${pText(p)}).`;
  return [{ name: 'governor', p, matters: true, words }];
}

/** Null without blocks, or where too few of them have the condition on both sides. */
function pairedP({ differences }: CheckedRuns, variant: string, of: Condition['of']): number | null {
  const blocks = differences?.find((d) => d.variant === variant)?.blocks ?? [];
  const deltas = blocks.flatMap(({ baselineFirst, first, second }) => {
    const [a, b] = [of(baselineFirst ? first : second), of(baselineFirst ? second : first)];
    return a === null || b === null ? [] : [b - a];
  });
  return deltas.length < LEAST_RUNS ? null : (signedRank(deltas)?.p ?? null);
}
