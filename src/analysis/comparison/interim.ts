import type { Comparison, EndReason } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import type { InterimPlan } from '../../schedule/interims.ts';
import { walshInterval } from '../../stats/hodges-lehmann.ts';
import { lanDeMets, type Spending } from '../../stats/lan-demets.ts';
import { signedRank } from '../../stats/signed-rank.ts';
import { stepWidening, withRoom } from './coarse.ts';
import { toPercentInterval } from './percent.ts';
import type { Sample } from './sample.ts';

/** Interim analyses of an experiment that may end early, with its state. */
export interface Interims extends Pick<InterimPlan, 'planned' | 'spending'> {
  /** Finished blocks of the plan, including those without a valid pair. */
  readonly through: number;
  /** Why an interim analysis before the last ended it; null: none did. */
  readonly stoppedBecause: EndReason | null;
  /** The last planned block of a variant that ended before the others; absent: all end together. */
  readonly lastBlocks?: ReadonlyMap<string, number>;
}

/** The analyses as those of these variants, which have no data beyond the last block of the first to end. */
export function interimsOf(interims: Interims, variants: readonly string[]): Interims {
  const { lastBlocks, through } = interims;
  return { ...interims, through: Math.min(through, ...variants.map((one) => lastBlocks?.get(one) ?? through)) };
}

export interface InterimAt {
  readonly reported: NonNullable<Comparison['look']>;
  /** Replaces the intervals for a fixed number of blocks. */
  readonly percent: Pick<Comparison['percent'], 'ci95' | 'ci90' | 'confidence'>;
}

/** Range in which the total error of the repeated p is searched. */
const [MIN_ALPHA, MAX_ALPHA] = [1e-12, 0.5];

/**
 * A comparison at the current interim analysis, with repeated intervals that hold with 95 % (90 %) at any analysis
 * (Jennison and Turnbull 1989). If a user stopped between planned analyses, this counts as another one. Null before the first block, and
 * without log ratios. `withP`: whether to compute the repeated p.
 */
export function interimAt(sample: Sample, interims: Interims, withP: boolean): InterimAt | null {
  const { planned, through, stoppedBecause } = interims;
  const { logRatios } = sample;
  if (logRatios === null) return null;
  const look = repeatedIntervals(sample.constant ? [] : logRatios, interims);
  if (look === null) return null;
  return {
    reported: {
      number: planned.filter((blocks) => blocks <= through).length,
      of: planned.length,
      most_blocks: planned.at(-1) as number,
      nominal_p: look.nominalP,
      repeated_p: withP ? repeated(signedRank(logRatios)?.p, interims) : null,
      stopped_because: stoppedBecause,
    },
    percent: withRoom(look.percent, stepWidening(sample).log),
  };
}

/** Total errors of the experiment: for a change (two-sided), and for equivalence (two one-sided tests). */
const CHANGE_ALPHA = 0.05;
const EQUIVALENCE_ALPHA = 0.1;

/**
 * Intervals of blocks' log ratios at the current analysis, without the room for a meter's steps, and its nominal level for a change. By Lan–DeMets
 * bounds, all analyses together wrongly call a change, or equivalence, in at most 5 % of experiments. Lost blocks count as done. An interval is
 * null if there are too few blocks for its level.
 */
export function repeatedIntervals(
  logRatios: readonly number[],
  looks: Pick<Interims, 'planned' | 'through' | 'spending'>,
): { readonly nominalP: number; readonly percent: InterimAt['percent'] } | null {
  if (looks.through < 1) return null;
  const shares = interimShares(looks);
  const levelOf = (alpha: number) => lanDeMets(shares, alpha, looks.spending).at(-1)?.nominalP as number;
  const at = (level: number): Interval | null => {
    const found = walshInterval(logRatios, level);
    return found === null || found.confidence < 1 - level ? null : toPercentInterval(found.interval);
  };
  const nominalP = levelOf(CHANGE_ALPHA);
  const ci95 = at(nominalP);
  return { nominalP, percent: { ci95, ci90: at(levelOf(EQUIVALENCE_ALPHA)), confidence: ci95 && 1 - nominalP } };
}

/** Information fractions of the analyses so far, the current one last, planned or not. */
function interimShares({ planned, through }: Pick<Interims, 'planned' | 'through'>): number[] {
  const most = planned.at(-1) as number;
  const now = Math.min(through, most);
  return [...planned.filter((blocks) => blocks < now), now].map((blocks) => blocks / most);
}

/** This p at the current analysis; null stays null, and without interim analyses p is what it is. */
export const repeated = (p: number | null | undefined, looks: Interims | null): number | null =>
  p == null || looks === null ? (p ?? null) : repeatedP(p, interimShares(looks), looks.spending);

/**
 * Repeated p: the smallest total error for which this p crosses the bound at the last of these analyses.
 * The bound's logarithm is nearly linear in that of the error, so false position (Illinois) needs about six bounds; 1 if the result
 * is above 0.5.
 */
export function repeatedP(p: number, shares: readonly number[], spending: Spending): number {
  const excess = (logAlpha: number): number =>
    Math.log((lanDeMets(shares, Math.exp(logAlpha), spending).at(-1)?.nominalP ?? 0) || Number.MIN_VALUE) - Math.log(p);
  // The level of one analysis never exceeds the total error.
  let [low, high] = [Math.log(Math.max(p, MIN_ALPHA)), Math.log(MAX_ALPHA)];
  let atHigh = excess(high);
  if (atHigh < 0) return 1;
  let atLow = excess(low);
  if (atLow >= 0) return Math.exp(low);
  // The error spent at the last analysis is a small difference of cumulative values, so a tiny p has fewer valid digits.
  const enough = Math.min(1e-6, Math.max(1e-9, 1e-15 / p));
  let before = 0;
  for (let i = 0; i < 40 && high - low > enough; i++) {
    const middle = (low * atHigh - high * atLow) / (atHigh - atLow);
    const at = excess(middle);
    if (Math.abs(at) < enough) return Math.exp(middle);
    // Illinois: halve the weight of an end that stays twice.
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
