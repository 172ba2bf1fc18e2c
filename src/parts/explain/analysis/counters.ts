import type { ObservedRun } from '../../../contracts/observed-run.ts';
import { counterText } from '../../../contracts/processor-counters.ts';
import type { CounterWork } from '../../../findings/explain.ts';
import { moments } from '../../../stats/sums.ts';
import { type Estimate, welchEstimate } from '../../../stats/welch.ts';
import { boundedTest } from './estimate.ts';

export const PER_CYCLE = 'instructions-per-cycle';

/** Share from which a part of a change is called almost all of it. */
const ALMOST_ALL = 0.75;

/** A counter in one phase of a run: its value, and how far off the value can be because stretches were shared with other phases. */
export interface Counted {
  readonly value: number;
  readonly given: number;
  readonly most: number;
}

/** Counters of one phase of a run, or of the whole run (null), by name. */
export function countersOf({ phases }: ObservedRun, part: string | null): ReadonlyMap<string, Counted> {
  const sums = new Map<string, Counted>();
  for (const { phase, counts } of phases) {
    if (part !== null && phase !== part) continue;
    for (const { kind, name, value, unsure } of counts) {
      if (kind !== 'counter') continue;
      const sum = sums.get(name) ?? { value: 0, given: 0, most: 0 };
      // The uncertainties of all phases cancel in the whole run.
      const { given, most } = part === null || unsure === undefined ? { given: 0, most: 0 } : unsure;
      sums.set(name, { value: sum.value + value, given: sum.given + given, most: sum.most + most });
    }
  }
  return sums;
}

/** Instructions per cycle, for all processors and for each kind, by name; only where no other phase has a part in the counts. */
export function perCycle(counters: ReadonlyMap<string, Counted>): ReadonlyMap<string, number> {
  const ratios = [...counters].flatMap(([name, cycles]) => {
    const cores = /^cycles(?: \((.*)\))?$/.exec(name);
    const instructions = cores && counters.get(counterText({ counter: 'instructions', cores: cores[1] ?? null }));
    if (cores === null || instructions === undefined || instructions === null || ownOf(cycles) <= 0) return [];
    return [
      [counterText({ counter: PER_CYCLE, cores: cores[1] ?? null }), ownOf(instructions) / ownOf(cycles)] as const,
    ];
  });
  return new Map(ratios);
}

const ownOf = ({ value, given }: Counted): number => value - given;

/** Maximum share of a count that may belong to other phases; above it the phase is left out. */
const MAX_UNSURE = 0.5;

/**
 * Whether a variant needs more cycles for more instructions, or more per instruction: ln cycles = ln instructions − ln instructions per cycle, as
 * means over runs. Null: fewer than two runs of either variant have both, or the phase is too short for the counting interval.
 */
export function compareWork(
  { baseline, variant }: { readonly baseline: readonly ObservedRun[]; readonly variant: readonly ObservedRun[] },
  whose: Pick<CounterWork, 'of' | 'against' | 'phase'>,
): CounterWork | null {
  const [x, y] = [baseline, variant].map((runs) =>
    runs.flatMap((run) => {
      const counters = countersOf(run, whose.phase);
      const [instructions, cycles] = [counters.get('instructions'), counters.get('cycles')];
      const ratio = perCycle(counters).get(PER_CYCLE);
      if (instructions === undefined || cycles === undefined || ratio === undefined || !(ratio > 0)) return [];
      return [
        {
          instructions: instructions.value,
          cycles: cycles.value,
          perCycle: ratio,
          unsure: unsureOf(instructions, cycles),
        },
      ];
    }),
  ) as [Work[], Work[]];
  if (x.length < 2 || y.length < 2) return null;
  const unsure = [x, y].map((list) => moments(list.map((one) => one.unsure)).mean);
  if (unsure.some((part) => part >= MAX_UNSURE)) return null;
  const wider = -unsure.reduce((sum, part) => sum + Math.log1p(-part), 0);
  const change = (key: Exclude<keyof Work, 'unsure'>): CounterWork['cycles'] => {
    const [before, after] = [x, y].map((list) => list.map((one) => one[key])) as [number[], number[]];
    const [from, to] = [before, after].map((list) => list.map(Math.log)) as [number[], number[]];
    const estimate = welchEstimate(from, to) ?? certain(from, to);
    const [lower, upper] = boundedTest(estimate, key === 'perCycle' ? 0 : wider).ci95;
    return {
      baseline: moments(before).mean,
      variant: moments(after).mean,
      percent: percentOf(estimate.value),
      ci95: [percentOf(lower), percentOf(upper)],
    };
  };
  const [instructions, cycles, per] = [change('instructions'), change('cycles'), change('perCycle')];
  return { ...whose, story: storyOf(instructions, cycles), instructions, cycles, per_cycle: per };
}

interface Work {
  readonly instructions: number;
  readonly cycles: number;
  readonly perCycle: number;
  /** Share of the counts that may belong to other phases, or theirs to this phase. */
  readonly unsure: number;
}

const unsureOf = (...all: readonly Counted[]): number => Math.max(...all.map(({ value, most }) => most / value));

/** Estimate for runs that are equal within each variant. */
const certain = (x: readonly number[], y: readonly number[]): Estimate => ({
  value: moments(y).mean - moments(x).mean,
  se: 0,
  df: x.length + y.length - 2,
});

const percentOf = (log: number): number => 100 * Math.expm1(log);

function storyOf(instructions: CounterWork['cycles'], cycles: CounterWork['cycles']): CounterWork['story'] {
  if (cycles.ci95[0] <= 0 && cycles.ci95[1] >= 0) return 'no-difference';
  const share = Math.log1p(instructions.percent / 100) / Math.log1p(cycles.percent / 100);
  if (share >= ALMOST_ALL && share <= 2 - ALMOST_ALL) return 'instructions';
  if (Math.abs(share) <= 1 - ALMOST_ALL) return 'speed';
  return share < 0 || share > 1 ? 'opposite' : 'both';
}
