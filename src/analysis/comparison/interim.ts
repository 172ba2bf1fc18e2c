import type { Comparison, EndReason } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import type { InterimPlan } from '../../schedule/interims.ts';
import { lanDeMets, type Spending } from '../../stats/lan-demets.ts';
import { interimResult } from '../interims.ts';
import { roomOf, withoutRoom } from './coarse.ts';
import type { Sample } from './sample.ts';

/** Where an experiment that may end early stands. */
export interface Interims extends Pick<InterimPlan, 'planned' | 'spending'> {
  /** Blocks of the plan that are through, those that gave no valid pair too. */
  readonly through: number;
  /** Why it was ended at a look before the last; null: it was not. */
  readonly stoppedBecause: EndReason | null;
}

export interface InterimAt {
  readonly told: NonNullable<Comparison['look']>;
  /** Takes the place of the intervals of a fixed number of blocks. */
  readonly percent: Pick<Comparison['percent'], 'ci95' | 'ci90' | 'confidence'>;
}

/** Total error that the repeated p is looked for between. */
const [MIN_ALPHA, MAX_ALPHA] = [1e-12, 0.5];

/**
 * A comparison at the look where the experiment stands: its repeated intervals, which hold with 95 % (90 %) whichever look one stops at
 * (Jennison and Turnbull 1989). A look off the plan, where somebody stopped it, counts as one look more. Null before the first block, and
 * without log ratios. `withP`: the repeated p is asked for.
 */
export function interimAt(sample: Sample, interims: Interims, withP: boolean): InterimAt | null {
  const { planned, through, spending, stoppedBecause } = interims;
  const { logRatios } = sample;
  if (logRatios === null || through < 1) return null;
  const room = (interval: Interval | null) => withoutRoom(interval, -roomOf(sample).log);
  const most = planned.at(-1) as number;
  const look = interimResult(logRatios, { planned: interimsTaken(planned, through), spending }, through);
  if (look === null) return null;
  const { levels, p, changeInterval, equivalenceInterval } = look;
  return {
    told: {
      number: planned.filter((blocks) => blocks <= through).length,
      of: planned.length,
      most_blocks: most,
      nominal_p: levels.change,
      repeated_p: p === null || !withP ? null : repeatedP(p, interimShares(interims), spending),
      stopped_because: stoppedBecause,
    },
    percent: {
      ci95: room(changeInterval),
      ci90: room(equivalenceInterval),
      confidence: changeInterval && 1 - levels.change,
    },
  };
}

/** A look off the plan stands between those of the plan. */
function interimsTaken(planned: readonly number[], through: number): number[] {
  const most = planned.at(-1) as number;
  return through < most ? [...planned.filter((blocks) => blocks < through), through, most] : [...planned];
}

/** Shares of the planned data at the looks up to the one where the experiment stands, that one last. */
export function interimShares({ planned, through }: Pick<Interims, 'planned' | 'through'>): number[] {
  const most = planned.at(-1) as number;
  return interimsTaken(planned, through)
    .filter((blocks) => blocks <= through)
    .map((blocks) => blocks / most);
}

/**
 * The smallest total error with which this p at the last of these looks would cross the bound: a p that allows for the looks before it.
 * The bound's logarithm is nearly straight over that of the error, so that false position (Illinois) needs about six bounds; 1 where it is
 * above 0.5.
 */
export function repeatedP(p: number, shares: readonly number[], spending: Spending): number {
  const excess = (logAlpha: number): number =>
    Math.log((lanDeMets(shares, Math.exp(logAlpha), spending).at(-1)?.nominalP ?? 0) || Number.MIN_VALUE) - Math.log(p);
  // A look never has a higher level than the whole.
  let [low, high] = [Math.log(Math.max(p, MIN_ALPHA)), Math.log(MAX_ALPHA)];
  let atHigh = excess(high);
  if (atHigh < 0) return 1;
  let atLow = excess(low);
  if (atLow >= 0) return Math.exp(low);
  // What is spent at the last look is a small difference of what is spent by then: of a tiny p fewer digits are left.
  const enough = Math.min(1e-6, Math.max(1e-9, 1e-15 / p));
  let before = 0;
  for (let i = 0; i < 40 && high - low > enough; i++) {
    const middle = (low * atHigh - high * atLow) / (atHigh - atLow);
    const at = excess(middle);
    if (Math.abs(at) < enough) return Math.exp(middle);
    // An end that stays twice pulls too little.
    if (at < 0) {
      [low, atLow] = [middle, at];
      if (before < 0) atHigh /= 2;
    } else {
      [high, atHigh] = [middle, at];
      if (before > 0) atLow /= 2;
    }
    before = Math.sign(at);
  }
  return Math.exp(high);
}
