import { MAX_MORE } from '../../analysis/comparison/to-settle.ts';
import { countedBy } from '../../analysis/metrics/metrics.ts';
import type { Comparison } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import { MIN_BLOCKS } from '../../stats/signed-rank.ts';
import { confidenceText, decimalsFor, fixed, pText, signed, significant } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { capitalized, joined, name, sentences, type Text, text } from '../document/text.ts';
import { isChanged } from '../verdict.ts';
import { effectText } from './change.ts';
import { STOPPED } from './provenance.ts';
import { tailWords } from './tail.ts';

const MAX_METRICS_REPORTED = 2;

/** A comparison in words. An unproven change is never called no difference; an open comparison states the detectable change. */
export interface VerdictTexts {
  /** The verdict with its evidence: one sentence. */
  readonly sentence: Text;
  /** The verdict with its interval only. */
  readonly claim: Text;
  /** `Mean run: 249.7 J → 257.8 J`, and `more in 29 of 30 blocks`: clauses without a full stop; null: not stated. */
  readonly means: Text | null;
  readonly blocks: Text | null;
  /** Further notes; may be empty. */
  readonly more: Text;
}

export function verdictTexts(comparison: Comparison, marginPercent: number): VerdictTexts {
  const { reason } = comparison;
  if (reason === 'failed') {
    const sentence = text`Failed: the experiment could not be measured to its end.`;
    return { sentence, claim: sentence, means: null, blocks: null, more: [] };
  }
  if (reason !== null) {
    const [known, ...more] = inconclusive(comparison, reason, marginPercent);
    const rest = sentences([...more, workWords(comparison, marginPercent), stopWords(comparison)]);
    const sentence = text`Inconclusive: ${known}`;
    return { sentence, claim: sentence, means: null, blocks: null, more: rest };
  }
  const evidence =
    comparison.verdict === 'equivalent'
      ? countWords(comparison)
      : `${evidenceWords(comparison)}${holmWords(comparison)}`;
  return {
    sentence: conclusive(comparison, marginPercent, `; ${evidence}`),
    claim: conclusive(comparison, marginPercent, ''),
    means: meansWords(comparison),
    blocks: blocksWords(comparison),
    more: sentences([
      workWords(comparison, marginPercent),
      groupsWords(comparison, marginPercent),
      tailWords(comparison),
      stopWords(comparison),
    ]),
  };
}

/** Notes after the claim, if a table has the energies and a line the number of blocks. */
export function afterClaim(comparison: Comparison, { blocks, more }: VerdictTexts): Text {
  if (comparison.reason !== null) return more;
  const p = pWords(comparison);
  const effect = comparison.verdict === 'equivalent' ? null : effectText(comparison);
  return clauses([p === null ? null : [p], blocks, effect === null ? null : [effect]], more);
}

function clauses(parts: readonly (Text | null)[], more: Text): Text {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? more : sentences([text`${capitalized(joined(known, '; '))}.`, more]);
}

/** All parts in one text. */
export function verdictText(comparison: Comparison, marginPercent: number): Text {
  const { sentence, means, blocks, more } = verdictTexts(comparison, marginPercent);
  return sentences([sentence, clauses([means, blocks], more)]);
}

/** Text of a decided comparison; `evidence` follows the interval. */
function conclusive(comparison: Comparison, marginPercent: number, evidence: string): Text {
  const { verdict, percent } = comparison;
  const [baseline, variant] = [name(comparison.baseline), name(comparison.variant)];
  const change = changeWords(percent.estimate ?? 0, decimalsFor(percent.ci95));
  const numbers = `${intervalWords(percent.ci95, '95 %')}${evidence}`;
  switch (verdict) {
    case 'equivalent':
      return text`${variant} and ${baseline} are equivalent within ±${String(marginPercent)} % (difference ${signed(percent.estimate ?? 0, decimalsFor(percent.ci90))} %, ${intervalWords(percent.ci90, '90 %')}${evidence}).`;
    case 'changed-within-margin':
      return text`${variant} used ${change} energy than ${baseline}, a change within ±${String(marginPercent)} % (${numbers}).`;
    default:
      return text`${variant} used ${change} energy than ${baseline} (${numbers}).`;
  }
}

/** Sentences for an open comparison; the first follows `Inconclusive: `. */
function inconclusive(
  comparison: Comparison,
  reason: Exclude<Comparison['reason'], null | 'failed'>,
  marginPercent: number,
): [Text, ...Text[]] {
  const { percent, n_baseline, n_variant, mean_energy_j: means } = comparison;
  const [baseline, variant] = [name(comparison.baseline), name(comparison.variant)];
  switch (reason) {
    case 'no-runs': {
      const without = [n_baseline === 0 ? [[baseline]] : [], n_variant === 0 ? [[variant]] : []].flat();
      return [text`there is no valid run of ${joined(without, ' and of ')}.`];
    }
    case 'no-block':
      return [text`no block has one valid run of ${baseline} and one of ${variant}.`];
    case 'not-positive':
      return [text`${notPositive(comparison)}, so that a change in percent is not defined.`];
    case 'no-variation':
      return [
        text`all runs of ${baseline} used ${joules(means.baseline)} and all of ${variant} ${joules(means.variant)}: no variation at this resolution, so chance and change can't be told apart.`,
        ['A finer meter or a longer workload would help.'],
      ];
    case 'too-few':
      return [tooFew(comparison), tailWords(comparison)];
    case 'coarse':
      return [coarseWords(comparison), ['A finer meter or a longer workload would help.'], tailWords(comparison)];
    case 'drifts':
      return [
        text`${driftOfDifference(comparison)}, more than the margin of ±${String(marginPercent)} %, so no single change describes it (${countWords(comparison)}).`,
        tailWords(comparison),
      ];
    case 'groups':
      return [
        text`the blocks of ${variant} against ${baseline} fall into two groups, ${groupsText(comparison)}, which are farther apart than the margin of ±${String(marginPercent)} %.`,
        tailWords(comparison),
      ];
    case 'means-disagree':
      return [
        text`the interval of the change from ${baseline} to ${variant} lies within ±${String(marginPercent)} % (${intervalWords(percent.ci90, '90 %')}), but the mean does not confirm it (${intervalWords(percent.mean_log_ci95, '95 %')}; TOST ${pText(comparison.tests.tost?.p ?? 1)}).`,
        ['Look at the runs: a change that many of them don’t have is no typical change.'],
        tailWords(comparison),
      ];
    case 'several': {
      const change = changeWords(percent.estimate ?? 0, decimalsFor(percent.ci95));
      const alone = text`by itself, ${variant} would have used ${change} energy than ${baseline} (${intervalWords(percent.ci95, '95 %')}; ${evidenceWords(comparison)})`;
      return [
        text`${alone}, but one of ${String(comparison.family_size)} comparisons could too easily be due to chance (${comparison.benchmark === undefined ? `${pText(comparison.p_holm ?? 1)} by Holm’s method` : `q = ${significant(comparison.p_benjamini_hochberg ?? 1, 2)} over the suite`}).`,
        isProjected(comparison) ? settleWords(comparison) : ['More runs would settle it.'],
        tailWords(comparison),
      ];
    }
    case 'open': {
      const [low, high] = percent.ci95 as Interval;
      const decimals = decimalsFor(percent.ci95);
      return [
        text`the change from ${baseline} to ${variant} lies between ${signed(low, decimals)} and ${signed(high, decimals)} % (95 % CI; ${evidenceWords(comparison)}${holmWords(comparison)}).`,
        detectableWords(comparison),
        isProjected(comparison) ? settleWords(comparison) : [],
        tailWords(comparison),
      ];
    }
  }
}

/** Note on energy per unit of work, if the runs' work differs or reverses the change. Else empty. */
export function workWords(
  { metrics = [], percent, variant, baseline }: Comparison,
  marginPercent: number,
  isNamed = false,
): Text {
  const reported = metrics.flatMap(({ unit, percent: work, energy_per_unit_percent: perUnit }): Text[] => {
    const counted = countedBy(unit);
    if (counted === null || work === null || perUnit === null) return [];
    const isClear = ([low, high]: Interval): boolean => low > 0 || high < 0;
    const differs =
      !counted.isRate && work.ci95 !== null && isClear(work.ci95) && Math.abs(work.estimate) > marginPercent;
    const turns =
      perUnit.ci95 !== null &&
      isClear(perUnit.ci95) &&
      Math.sign(perUnit.estimate) !== Math.sign(percent.estimate ?? 0);
    if (!differs && !turns) return [];
    const amount = changeWords(perUnit.estimate, decimalsFor(perUnit.ci95));
    const done = changeWords(work.estimate, decimalsFor(work.ci95), ['more', 'fewer']);
    const [who, than] = isNamed ? [text`${name(variant)} used `, text` than ${name(baseline)}`] : [[], []];
    return [
      text`Counted by ${counted.what}, ${who}${amount} energy${than} (${intervalWords(perUnit.ci95, '95 %')}): ${counted.isRate ? 'the rate' : 'a run'} has ${done} ${counted.what}.`,
    ];
  });
  return sentences(reported.slice(0, MAX_METRICS_REPORTED));
}

/** `the difference between container and native fell by 19.4 % during the experiment (Mann–Kendall p < 0.001)`. */
function driftOfDifference({ baseline, variant, drift }: Comparison): Text {
  const { change_percent: change, p } = drift ?? { change_percent: 0, p: 1 };
  const amount = `${change > 0 ? 'rose' : 'fell'} by ${fixed(Math.abs(change), 1)} %`;
  return text`the difference between ${name(variant)} and ${name(baseline)} ${amount} during the experiment (Mann–Kendall ${pText(p)})`;
}

/** `20 near +0.4 % and 10 near +30.1 %`. */
function groupsText({ groups }: Comparison): string {
  return (groups ?? []).map(({ blocks, percent }) => `${blocks} near ${signed(percent, 1)} %`).join(' and ');
}

/** Note if the blocks form two groups farther apart than the margin: the headline's change is that of neither. Else empty. */
export function groupsWords(comparison: Comparison, marginPercent: number, whose: Text = []): Text {
  const [low, high] = comparison.groups ?? [];
  if (!low || !high || Math.log((100 + high.percent) / (100 + low.percent)) <= Math.log1p(marginPercent / 100))
    return [];
  return text`The blocks${whose} fall into two groups: ${groupsText(comparison)}. The estimate describes neither.`;
}

/** Whether the number of blocks that would settle it was projected. */
function isProjected({ reason, blocks }: Comparison): boolean {
  return (reason === 'open' || reason === 'several') && blocks !== null;
}

function tooFew(comparison: Comparison): Text {
  const { percent, blocks, n_baseline, n_variant } = comparison;
  const { estimate, ci95, confidence } = percent;
  const interval = ci95 === null ? '' : ` (${intervalWords(ci95, confidenceText(confidence, 0.95))})`;
  const need =
    blocks === null
      ? `${n_baseline} and ${n_variant} runs are too few for a 95 % interval.`
      : `${plural(blocks, 'block')} can't show it: ${leastWords(comparison)}.`;
  return text`${name(comparison.variant)} used ${changeWords(estimate ?? 0, decimalsFor(ci95))} energy than ${name(comparison.baseline)}${interval}, but ${need}`;
}

function leastWords({ look }: Comparison): string {
  if (!look || look.of === 1) return `the exact test needs at least ${MIN_BLOCKS}`;
  return `this early, the plan with ${plural(look.of, 'interim analysis', 'interim analyses')} requires p ≤ ${significant(look.nominal_p, 2)}, which so few blocks can’t reach`;
}

/** Note if the meter's resolution prevents a decision. */
function coarseWords({ coarse, blocks, mean_energy_j: means }: Comparison): Text {
  const { step_j: step, equal_blocks: equal } = coarse ?? { step_j: 0, equal_blocks: 0 };
  const share = means.baseline === null ? '' : ` (${significant((100 * step) / means.baseline, 2)} %)`;
  return [
    `${equal} of ${plural(blocks ?? 0, 'block')} show the same difference, because the energies come in steps of ${joules(step)}${share}; rounding by one step either way could change the answer.`,
  ];
}

function detectableWords({ minimum_detectable_percent: least, blocks }: Comparison): Text {
  if (least === null) return [];
  const unit = blocks === null ? 'runs' : 'blocks';
  const smaller = blocks === null ? `; more ${unit} or a quieter machine would detect smaller ones` : '';
  return [`The smallest detectable change of these ${unit} was ${significant(least, 2)} %${smaller}.`];
}

/** What would probably decide it, marked as a projection. */
function settleWords({ to_settle: settle, blocks }: Comparison): Text {
  if (!settle) {
    return [
      `Even ${MAX_MORE} more blocks would probably not settle it; that takes a quieter machine, a longer workload or a wider margin.`,
    ];
  }
  const time = settle.minutes === null ? '' : `${minutesText(settle.minutes)}; `;
  return [
    `About ${plural(settle.blocks, 'more block')} (${time}${(blocks ?? 0) + settle.blocks} in all) would probably settle it, projected from this estimate and its noise.`,
  ];
}

function minutesText(minutes: number): string {
  if (minutes < 1) return 'less than a minute';
  return minutes < 120 ? `${Math.ceil(minutes)} min` : `${Math.ceil(minutes / 60)} h`;
}

function meansWords({ mean_energy_j: means }: Comparison): Text {
  return [`Mean run: ${joules(means.baseline)} → ${joules(means.variant)}`];
}

/** Number of blocks in which the change had this direction. */
function blocksWords({ blocks, percent, verdict, descriptive }: Comparison): Text | null {
  const up = (percent.estimate ?? 0) > 0;
  const such = up ? descriptive?.more_in_blocks : descriptive?.less_in_blocks;
  if (blocks === null || verdict === 'equivalent' || such == null) return null;
  return [`${up ? 'more' : 'less'} in ${such} of ${plural(blocks, 'block')}`];
}

/** Note on early stopping: a change that stops an experiment at its first opportunity is, on average, overestimated. */
function stopWords(comparison: Comparison): Text {
  const { look, blocks } = comparison;
  if (!look || look.stopped_because === null) return [];
  const most = plural(look.most_blocks, 'block');
  const ended = `Ended early by plan, after ${blocks} of at most ${most}, because ${STOPPED[look.stopped_because]}: the interval allows for the interim analyses`;
  return [`${ended}${isChanged(comparison) ? '; on average, such an estimate is a little too large' : ''}.`];
}

/** Level that p must meet with several interim analyses. */
function levelWords({ look }: Comparison): string {
  return look && look.of > 1 ? `, at most ${significant(look.nominal_p, 2)} needed at this interim analysis` : '';
}

function evidenceWords(comparison: Comparison): string {
  const p = pWords(comparison, false);
  return p === null ? countWords(comparison) : `${countWords(comparison)}, ${p}`;
}

/** The deciding test's p and the family's; null for equivalence, which has another test, and if there is none. */
function pWords(comparison: Comparison, family = true): string | null {
  const { wilcoxon_signed_rank: signedRank } = comparison.tests;
  if (comparison.verdict === 'equivalent') return null;
  const holm = family ? holmWords(comparison) : '';
  if (comparison.blocks !== null) {
    return signedRank && `${signedRankWords(signedRank)}${levelWords(comparison)}${holm}`;
  }
  const p = armsP(comparison);
  return p && `${p}${holm}`;
}

/**
 * p without blocks. The interval decides, which allows for arms with different scatter. If Mann–Whitney's test disagrees with it,
 * Brunner and Munzel's is used instead; null: neither agrees.
 */
function armsP({ tests: { mann_whitney: u, brunner_munzel: munzel }, percent: { ci95 } }: Comparison): string | null {
  if (u === null) return null;
  const isChange = ci95 !== null && (ci95[0] > 0 || ci95[1] < 0);
  const agrees = (p: number): boolean => ci95 === null || p < 0.05 === isChange;
  if (agrees(u.p)) return `${u.method === 'exact' ? 'exact ' : ''}Mann–Whitney ${pText(u.p)}`;
  return munzel && agrees(munzel.p) ? `Brunner–Munzel ${pText(munzel.p)}` : null;
}

/** Maximum pairs for the exact distribution; above it, the normal approximation is used. */
const MAX_EXACT = 400;

export function signedRankWords({ n_nonzero, p }: NonNullable<Comparison['tests']['wilcoxon_signed_rank']>): string {
  return `${n_nonzero <= MAX_EXACT ? 'exact ' : ''}signed-rank ${pText(p)}`;
}

/** The adjusted p that decides if several comparisons are judged together. */
function holmWords({ p_holm, family_size: family, benchmark, p_benjamini_hochberg: q }: Comparison): string {
  if (benchmark !== undefined) return q === null ? '' : `, q = ${significant(q, 2)} over the suite`;
  return p_holm === null ? '' : `, ${pText(p_holm)} for ${family} comparisons (Holm)`;
}

function countWords({ blocks, n_baseline, n_variant }: Comparison): string {
  return blocks === null ? `${n_baseline} and ${n_variant} runs` : plural(blocks, 'block');
}

/** `−0.3 to 0.9 %`. */
export function rangeWords([low, high]: Interval): string {
  const decimals = decimalsFor([low, high]);
  return `${fixed(low, decimals)} to ${fixed(high, decimals)} %`;
}

export const intervalWords = (interval: Interval | null, confidence: string): string =>
  interval === null ? 'no interval' : `${confidence} CI ${rangeWords(interval)}`;

/** `3.1 % more`. */
export function changeWords(percent: number, decimals: number, [up, down] = ['more', 'less']): string {
  return `${fixed(Math.abs(percent), decimals)} % ${percent < 0 ? down : up}`;
}

function notPositive({ baseline, variant, n_not_positive: low }: Comparison): Text {
  const arm = (count: number, of: string): Text[] =>
    count === 0 ? [] : [text`${plural(count, 'run')} of ${name(of)}`];
  const runs = [...arm(low.baseline, baseline), ...arm(low.variant, variant)];
  return text`${joined(runs, ' and ')} gave an energy of zero or less`;
}

function joules(energyJ: number | null): string {
  return `${significant(energyJ ?? 0, 4)} J`;
}
