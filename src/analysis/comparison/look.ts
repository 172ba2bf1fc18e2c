import type { Comparison } from '../findings.ts';
import { nextLook } from '../looks.ts';
import { lanDeMets } from '../stats/lan-demets.ts';
import type { Sample } from './sample.ts';

/** Where an experiment that may end early stands. */
export interface Looks {
  /** Blocks at each planned look, increasing. */
  readonly planned: readonly number[];
  /** Blocks of the plan that are through, those that gave no valid pair too. */
  readonly through: number;
  /** It was ended at a look before the last. */
  readonly stoppedEarly: boolean;
}

export interface LookAt {
  readonly told: NonNullable<Comparison['look']>;
  /** Takes the place of the intervals of a fixed number of blocks. */
  readonly percent: Pick<Comparison['percent'], 'ci95' | 'ci90' | 'confidence'>;
}

/** Total error that the repeated p is looked for between. */
const [LEAST_ALPHA, MOST_ALPHA] = [1e-12, 0.5];

/**
 * A comparison at the look where the experiment stands: its repeated intervals, which hold with 95 % (90 %) whichever look one stops at
 * (Jennison and Turnbull 1989). A look off the plan, where somebody stopped it, counts as one look more. Null before the first block, and
 * without log ratios.
 */
export function lookAt(
  { logRatios }: Sample,
  { planned, through, stoppedEarly }: Looks,
  marginPercent: number,
): LookAt | null {
  if (logRatios === null || through < 1) return null;
  const most = planned.at(-1) as number;
  const past = planned.filter((blocks) => blocks < through);
  const looks = through < most ? [...past, through, most] : [...planned];
  const look = nextLook(logRatios, looks, marginPercent, through);
  if (look.levels === null) return null;
  const { levels, p, changeInterval, equivalenceInterval } = look;
  const shares = looks.slice(0, look.look).map((blocks) => blocks / most);
  return {
    told: {
      number: planned.filter((blocks) => blocks <= through).length,
      of: planned.length,
      most_blocks: most,
      nominal_p: levels.change,
      repeated_p: p === null ? null : repeatedP(p, shares),
      stopped_early: stoppedEarly,
    },
    percent: {
      ci95: changeInterval,
      ci90: equivalenceInterval,
      confidence: changeInterval && 1 - levels.change,
    },
  };
}

/**
 * The smallest total error with which this p at the last of these looks would cross the bound: a p that allows for the looks before it.
 * By bisection; 1 where it is above 0.5.
 */
export function repeatedP(p: number, shares: readonly number[]): number {
  const crosses = (alpha: number): boolean => p <= (lanDeMets(shares, alpha).at(-1)?.nominalP ?? 0);
  if (!crosses(MOST_ALPHA)) return 1;
  let [low, high] = [Math.log(LEAST_ALPHA), Math.log(MOST_ALPHA)];
  for (let i = 0; i < 30; i++) {
    const middle = (low + high) / 2;
    if (crosses(Math.exp(middle))) high = middle;
    else low = middle;
  }
  return Math.exp(high);
}
