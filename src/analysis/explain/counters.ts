import type { CounterWork } from '../../findings/explain.ts';
import { counterText } from '../../observers/perf-counters/names.ts';
import { moments } from '../../stats/sums.ts';
import { type Estimate, tTest, welchEstimate } from '../../stats/welch.ts';
import type { ObservedRun } from './profile.ts';

export const PER_CYCLE = 'instructions-per-cycle';

/** A part of the whole from which on it is told as almost all of it. */
const ALMOST_ALL = 0.75;

/** Of one run and phase, or of all of it: what each counter came to, by its name. */
export function countersOf({ phases }: ObservedRun, part: string | null): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { phase, counts } of phases) {
    if (part !== null && phase !== part) continue;
    for (const { kind, name, value } of counts) {
      if (kind === 'counter') sums.set(name, (sums.get(name) ?? 0) + value);
    }
  }
  return sums;
}

/** Instructions in each cycle, of all processors and of each kind of them, by their names. */
export function perCycle(counters: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const ratios = [...counters].flatMap(([name, cycles]) => {
    const cores = /^cycles(?: \((.*)\))?$/.exec(name);
    const instructions = cores && counters.get(counterText({ counter: 'instructions', cores: cores[1] ?? null }));
    if (cores === null || instructions === undefined || instructions === null || cycles === 0) return [];
    return [[counterText({ counter: PER_CYCLE, cores: cores[1] ?? null }), instructions / cycles] as const];
  });
  return new Map(ratios);
}

/**
 * Whether a variant needs more cycles for more instructions, or for each of them: ln cycles = ln instructions − ln instructions per cycle, as means over runs.
 * Null: fewer than two runs of either have both.
 */
export function workOf(
  { baseline, variant }: { readonly baseline: readonly ObservedRun[]; readonly variant: readonly ObservedRun[] },
  of: string,
  phase: string | null,
): CounterWork | null {
  const [x, y] = [baseline, variant].map((runs) =>
    runs.flatMap((run) => {
      const counters = countersOf(run, phase);
      const [instructions = 0, cycles = 0] = [counters.get('instructions'), counters.get('cycles')];
      return instructions > 0 && cycles > 0 ? [{ instructions, cycles, perCycle: instructions / cycles }] : [];
    }),
  ) as [Work[], Work[]];
  if (x.length < 2 || y.length < 2) return null;
  const change = (key: keyof Work): CounterWork['cycles'] => {
    const [before, after] = [x, y].map((list) => list.map((one) => one[key])) as [number[], number[]];
    const [from, to] = [before, after].map((list) => list.map(Math.log)) as [number[], number[]];
    const estimate = welchEstimate(from, to) ?? certain(from, to);
    const [lower, upper] = tTest(estimate).ci95;
    return {
      baseline: moments(before).mean,
      variant: moments(after).mean,
      percent: percentOf(estimate.value),
      ci95: [percentOf(lower), percentOf(upper)],
    };
  };
  const [instructions, cycles, per] = [change('instructions'), change('cycles'), change('perCycle')];
  return { of, phase, story: storyOf(instructions, cycles), instructions, cycles, per_cycle: per };
}

interface Work {
  readonly instructions: number;
  readonly cycles: number;
  readonly perCycle: number;
}

/** No run differs from another of its variant. */
const certain = (x: readonly number[], y: readonly number[]): Estimate => ({
  value: moments(y).mean - moments(x).mean,
  se: Number.MIN_VALUE,
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
