import { COUNTERS } from '../../contracts/processor-counters.ts';
import type { CounterWork } from '../../findings/explain.ts';
import { decimalsFor, fixed, signed } from '../../text/numbers.ts';

/** Hardware counters in words, which distinguish more instructions from more time per instruction. */

type Change = CounterWork['cycles'];

/** `+38.9 ± 0.2 %`. */
export function changeOf({ percent, ci95 }: Change): string {
  const decimals = Math.min(2, decimalsFor(ci95));
  return `${signed(percent, decimals)} ± ${fixed((ci95[1] - ci95[0]) / 2, decimals)} %`;
}

/** `2.10 → 1.40`. */
export const formatPerCycle = ({ per_cycle: { baseline, variant } }: CounterWork): string =>
  `${fixed(baseline, 2)} → ${fixed(variant, 2)}`;

/** `More instructions, at nearly the same speed`; null: no difference is clear. */
export function storyOf({ story, cycles, instructions }: CounterWork): string | null {
  const [isMore, areMore] = [cycles.percent > 0, instructions.percent > 0];
  const amount = areMore ? 'More instructions' : 'Fewer instructions';
  switch (story) {
    case 'no-difference':
      return null;
    case 'instructions':
      return `${amount}, at nearly the same speed`;
    case 'speed':
      return `Nearly the same instructions, ${isMore ? 'more' : 'less'} time for each`;
    case 'both':
      return `${amount}, and ${isMore ? 'more' : 'less'} time for each`;
    case 'opposite':
      return `${amount}, but ${areMore ? 'less' : 'more'} time for each`;
  }
}

/** `instructions +38.9 ± 0.2 %, instructions per cycle 2.10 → 2.08, cycles +40.1 ± 0.3 %`. */
export const workNumbers = (work: CounterWork): string =>
  `instructions ${changeOf(work.instructions)}, instructions per cycle ${formatPerCycle(work)}, cycles ${changeOf(work.cycles)}`;

/** Missing counters, if others are present: `cache-misses`. */
export const missingCounters = (counters: readonly string[]): readonly string[] =>
  COUNTERS.filter((name) => !counters.includes(name));
