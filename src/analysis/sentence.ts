import type { Comparison, Interval } from '../findings/findings.ts';
import { moments } from '../stats/sums.ts';
import type { ComparedRun } from './comparison/pairing.ts';
import type { Sample } from './comparison/sample.ts';
import { MOST_MORE } from './comparison/to-settle.ts';
import { confidenceText, decimalsFor, fixed, plural, pText, significant } from './numbers.ts';
import type { Reason } from './verdict.ts';

type Told = Omit<Comparison, 'sentence'>;

/** What the verdict rests on beside the numbers. */
export interface Decided {
  readonly marginPercent: number;
  readonly reason: Reason | null;
  /** Comparisons that are judged together; 1: this one alone. */
  readonly family: number;
  /** Whether it was asked how many more blocks would settle it. */
  readonly projected: boolean;
}

/** Least blocks with which the exact signed-rank test can reach p < 0.05: 2/2⁶ = 0.031. */
export const LEAST_BLOCKS = 6;

/**
 * The verdict in plain words, with its numbers. Plain text: names are put in as they are. A change that isn't shown is never called no
 * difference; an open one says what these runs could have seen.
 */
export function sentence(comparison: Told, sample: Sample, decision: Decided): string {
  const { reason } = decision;
  if (reason !== null) {
    return `Inconclusive: ${openWords(comparison, sample, reason, decision)}${stopWords(comparison)}`;
  }
  return `${verdictWords(comparison, decision)}${runWords(comparison, sample)}${tailWords(comparison)}${stopWords(comparison)}`;
}

function verdictWords(comparison: Told, { marginPercent, family }: Decided): string {
  const { baseline, variant, verdict, percent } = comparison;
  const change = changeWords(percent.estimate ?? 0, decimalsFor(percent.ci95));
  const evidence = `${intervalWords(percent.ci95, '95 %')}; ${evidenceWords(comparison)}${holmWords(comparison, family)}`;
  switch (verdict) {
    case 'equivalent':
      return `${variant} and ${baseline} are equivalent within ±${setting(marginPercent)} % (difference ${signed(percent.estimate ?? 0, decimalsFor(percent.ci90))} %, ${intervalWords(percent.ci90, '90 %')}; ${countWords(comparison)}).`;
    case 'changed-within-margin':
      return `${variant} used ${change} energy than ${baseline}, a change within ±${setting(marginPercent)} % (${evidence}).`;
    default:
      return `${variant} used ${change} energy than ${baseline} (${evidence}).`;
  }
}

function openWords(comparison: Told, sample: Sample, reason: Reason, { family, projected }: Decided): string {
  const { baseline, variant, percent } = comparison;
  switch (reason) {
    case 'no-runs': {
      const without = [sample.x.length === 0 ? baseline : null, sample.y.length === 0 ? variant : null];
      return `there is no valid run of ${without.filter((name) => name !== null).join(' and of ')}.`;
    }
    case 'no-block':
      return `no block has one valid run of ${baseline} and one of ${variant}.`;
    case 'not-positive':
      return `${notPositive(comparison, sample)}, so that a change in percent is not defined.`;
    case 'no-variation':
      return `all runs of ${baseline} used ${joules(sample.x[0])} and all of ${variant} ${joules(sample.y[0])}: no variation at this resolution, so that chance can't be told from change. A finer meter or a longer workload would help.`;
    case 'too-few':
      return tooFew(comparison);
    case 'several': {
      const change = changeWords(percent.estimate ?? 0, decimalsFor(percent.ci95));
      const alone = `by itself, ${variant} would have used ${change} energy than ${baseline} (${intervalWords(percent.ci95, '95 %')}; ${evidenceWords(comparison)})`;
      return `${alone}, but one of ${family} comparisons comes out so by chance too easily (${pText(comparison.p_holm ?? 1)} by Holm’s method). ${projected ? settleWords(comparison) : 'More runs would tell.'}${tailWords(comparison)}`;
    }
    case 'open': {
      const [low, high] = percent.ci95 as Interval;
      const decimals = decimalsFor(percent.ci95);
      const between = `the change from ${baseline} to ${variant} lies between ${signed(low, decimals)} and ${signed(high, decimals)} %`;
      return `${between} (95 % CI; ${evidenceWords(comparison)}). ${detectableWords(comparison)}${projected ? ` ${settleWords(comparison)}` : ''}${tailWords(comparison)}`;
    }
  }
}

function tooFew(comparison: Told): string {
  const { variant, baseline, percent, blocks, n_baseline, n_variant } = comparison;
  const { estimate, ci95, confidence } = percent;
  const decimals = decimalsFor(ci95);
  const interval = ci95 === null ? '' : ` (${intervalWords(ci95, confidenceText(confidence, 0.95))})`;
  const need =
    blocks === null
      ? `${n_baseline} and ${n_variant} runs are too few for a 95 % interval.`
      : `${plural(blocks, 'block')} can't show it: ${leastWords(comparison)}.`;
  return `${variant} used ${changeWords(estimate ?? 0, decimals)} energy than ${baseline}${interval}, but ${need}`;
}

function leastWords({ look }: Told): string {
  if (!look) return `the exact test needs at least ${LEAST_BLOCKS}`;
  return `so early the plan with ${look.of} looks asks for p ≤ ${significant(look.nominal_p, 2)}, which the exact test of so few can’t reach`;
}

function detectableWords(comparison: Told): string {
  const least = comparison.minimum_detectable_percent;
  if (least === null) return '';
  const unit = comparison.blocks === null ? 'runs' : 'blocks';
  const smaller = comparison.blocks === null ? `; more ${unit} or a quieter machine would see smaller ones` : '';
  return `These ${unit} could reliably have seen a change of ${significant(least, 2)} % or more${smaller}.`;
}

/** What would settle it: a projection, and said to be one. */
function settleWords({ to_settle: settle, blocks }: Told): string {
  if (!settle) {
    return `Not even ${MOST_MORE} more blocks would probably settle it: it takes a quieter machine, a longer workload or a wider margin.`;
  }
  const time = settle.minutes === null ? '' : `${minutesText(settle.minutes)}; `;
  return `About ${plural(settle.blocks, 'more block')} (${time}${(blocks ?? 0) + settle.blocks} in all) would probably settle it, projected from this estimate and its noise.`;
}

function minutesText(minutes: number): string {
  if (minutes < 1) return 'less than a minute';
  return minutes < 120 ? `${Math.ceil(minutes)} min` : `${Math.ceil(minutes / 60)} h`;
}

/** Joules, and in how many blocks the change went that way. */
function runWords({ blocks, percent, verdict }: Told, { x, y, pairs }: Sample): string {
  const means = ` Mean run: ${joules(moments(x).mean)} → ${joules(moments(y).mean)}`;
  if (blocks === null || pairs === null || verdict === 'equivalent') return `${means}.`;
  const up = (percent.estimate ?? 0) > 0;
  const such = pairs.filter(({ baseline, variant }) => (up ? isMore(variant, baseline) : isMore(baseline, variant)));
  return `${means}; ${up ? 'more' : 'less'} in ${such.length} of ${plural(blocks, 'block')}.`;
}

function tailWords({ sensitivity, percent }: Told): string {
  if (sensitivity.tail_effect !== true) return '';
  const mean = percent.mean_log ?? percent.of_means;
  const shown = mean === null ? '' : ` (${signed(mean, decimalsFor(percent.ci95))} %)`;
  return ` Mind the mean${shown}: a few runs far from the others weigh on it.`;
}

/** An experiment that ended at the first look that allowed it was, on average, lucky. */
function stopWords({ look, blocks }: Told): string {
  if (!look?.stopped_early) return '';
  return ` Ended early by plan, at look ${look.number} of ${look.of} (${blocks} of at most ${plural(look.most_blocks, 'block')}): the interval allows for the looks; the estimate lies too far from zero on average.`;
}

/** The level that the p has to meet where there are several looks. */
function levelWords({ look }: Told): string {
  return look ? `, at most ${significant(look.nominal_p, 2)} needed at this look` : '';
}

function evidenceWords(comparison: Told): string {
  const { wilcoxon_signed_rank: signed, mann_whitney: u } = comparison.tests;
  if (comparison.blocks !== null) {
    const exact = signed !== null && signed.n_nonzero <= 400 ? 'exact ' : '';
    return signed === null
      ? countWords(comparison)
      : `${countWords(comparison)}, ${exact}signed-rank ${pText(signed.p)}${levelWords(comparison)}`;
  }
  if (u === null) return countWords(comparison);
  return `${countWords(comparison)}, ${u.method === 'exact' ? 'exact ' : ''}Mann–Whitney ${pText(u.p)}`;
}

/** The p that decides where several comparisons are judged together. */
function holmWords({ p_holm }: Told, family: number): string {
  return p_holm === null ? '' : `, ${pText(p_holm)} for ${family} comparisons (Holm)`;
}

function countWords({ blocks, n_baseline, n_variant }: Told): string {
  return blocks === null ? `${n_baseline} and ${n_variant} runs` : plural(blocks, 'block');
}

export function intervalWords(interval: Interval | null, confidence: string): string {
  if (interval === null) return 'no interval';
  const decimals = decimalsFor(interval);
  return `${confidence} CI ${fixed(interval[0], decimals)} … ${fixed(interval[1], decimals)} %`;
}

export function changeWords(percent: number, decimals: number): string {
  return `${fixed(Math.abs(percent), decimals)} % ${percent < 0 ? 'less' : 'more'}`;
}

function notPositive({ baseline, variant }: Told, { x, y }: Sample): string {
  const low = (energies: readonly number[], name: string): string | null => {
    const count = energies.filter((energy) => !(energy > 0)).length;
    return count === 0 ? null : `${plural(count, 'run')} of ${name}`;
  };
  const runs = [low(x, baseline), low(y, variant)].filter((words) => words !== null).join(' and ');
  return `${runs} gave an energy of zero or less`;
}

export function signed(value: number, decimals: number): string {
  const text = fixed(value, decimals);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

function joules(energyJ: number | undefined): string {
  return `${significant(energyJ ?? 0, 4)} J`;
}

/** A setting as the user wrote it: 1, 0.5. */
function setting(value: number): string {
  return String(value);
}

function isMore(one: ComparedRun, other: ComparedRun): boolean {
  return one.energyJ > other.energyJ;
}
