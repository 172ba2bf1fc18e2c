import type { Check, RunResult } from '../findings.ts';
import { fixed, pText, significant } from '../numbers.ts';
import { mannWhitney } from '../stats/mann-whitney.ts';
import { median } from '../stats/quantiles.ts';
import { signedRank } from '../stats/signed-rank.ts';
import type { CheckedRuns } from './checked-runs.ts';
import { FALSE_ALARMS, lamp } from './lamp.ts';

/** Something about the machine that was recorded with every run, and that the variants should have had alike. */
export interface Condition {
  /** As in "the … was 2 % higher": `idle power around the runs`, `temperature before the runs`. */
  readonly name: string;
  readonly unit: string;
  /** Null where it was not recorded. */
  readonly of: (run: RunResult) => number | null;
}

export const IDLE_POWER: Condition = { name: 'idle power around the runs', unit: 'W', of: (run) => run.idlePowerW };

/** A difference that can be proved may still be too small to matter. */
const LEAST_SHARE = 0.01;
const LEAST_RUNS = 6;

/**
 * Did the variants have the same conditions? Each recorded condition of each variant against the baseline's: signed-rank test of the
 * blocks' differences, Mann–Whitney without blocks; told when it is also at least 1 % of the baseline's median.
 */
export function unequalConditions(runs: CheckedRuns, conditions: readonly Condition[] = [IDLE_POWER]): Check[] {
  const looked = conditions.flatMap((condition) =>
    runs.others.flatMap((variant) => compared(runs, variant, condition)),
  );
  if (looked.length === 0) return [];
  const words = looked
    .filter(({ p, share }) => p < FALSE_ALARMS / looked.length && Math.abs(share) >= LEAST_SHARE)
    .map(({ variant, condition, p, share, from, to }) => {
      const values = `${significant(from, 3)} → ${significant(to, 3)} ${condition.unit}`;
      return `The ${condition.name} was ${fixed(100 * Math.abs(share), 1)} % ${share > 0 ? 'higher' : 'lower'} for ${variant} than for ${runs.baseline} (${values}, ${pText(p)}).`;
    });
  return [
    lamp(words, {
      name: 'equal conditions',
      dark: `The variants had the same ${conditions.map(({ name }) => name).join(', ')}.`,
      advice:
        'Part of the difference may be the machine’s and not the workload’s: look for what one variant leaves running, and rest longer.',
    }),
  ];
}

interface Compared {
  readonly variant: string;
  readonly condition: Condition;
  readonly p: number;
  readonly share: number;
  readonly from: number;
  readonly to: number;
}

function compared(runs: CheckedRuns, variant: string, condition: Condition): Compared[] {
  const { of } = condition;
  const known = (name: string): number[] => runs.good.filter((r) => r.variant === name).flatMap((r) => of(r) ?? []);
  const [x, y] = [known(runs.baseline), known(variant)];
  if (x.length < LEAST_RUNS || y.length < LEAST_RUNS) return [];
  const p = pairedP(runs, variant, of) ?? mannWhitney(x, y)?.p;
  const [from, to] = [median(x), median(y)];
  return p === undefined || from === 0
    ? []
    : [{ variant, condition, p, share: (to - from) / Math.abs(from), from, to }];
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
