import { detectableRatio } from '../../analysis/comparison/detectable.ts';
import type { Check } from '../../findings/checks.ts';
import type { Comparison } from '../../findings/comparison.ts';
import type { Findings } from '../../findings/findings.ts';
import { MIN_BLOCKS, minBlocks } from '../../stats/signed-rank.ts';
import { decimalsFor, percent, short, significant } from '../../text/numbers.ts';
import { plain, plural } from '../../text/plain.ts';
import {
  capitalized,
  code,
  joined,
  listOf,
  name,
  plainText,
  sentences,
  type Text,
  text,
  uncapitalized,
  withoutStop,
} from '../document/text.ts';
import { byInterest, failedChecks, isChanged, isOnlyNoise, primaryComparisons, type Standing } from '../verdict.ts';
import { comparisonName, percentOfLog } from './change.ts';
import { checkTexts } from './checks.ts';
import { goOnText } from './provenance.ts';
import { runReasonText } from './run-reason.ts';
import { suiteCounts, suiteDetail } from './suite.ts';
import { tailsWords } from './tail.ts';
import { afterClaim, changeWords, groupsWords, rangeWords, verdictTexts, workWords } from './verdict.ts';

export interface Headline {
  /** The most important verdict of all comparisons; null: nothing was compared. */
  readonly verdict: Standing | null;
  /** A few words for a heading, without names. */
  readonly short: string;
  /** The verdict with its evidence as a sentence. */
  readonly sentence: Text;
  /** The verdict with its interval only, for use beside a table with mean energies. */
  readonly claim: Text;
  readonly detail: Text;
  /** Claim about a modelled energy, if `claim` is about the measured time; null: `claim` is about the energy. */
  readonly estimate: Text | null;
}

/** Maximum characters of an error message. */
const LONGEST_FAILURE = 200;
/** Maximum characters of a failed run's reason, whose end may have advice. */
const LONGEST_REASON = 600;

/** Maximum named comparisons; more are counted. */
const MAX_NAMED = 3;

/** The result in words: one comparison's verdict, or a count of several. */
export function headline(findings: Findings): Headline {
  const found = measuredFirst(findings, atFaceValue(findings));
  const checks = failedChecks(findings);
  const hasNumbers = found.verdict === null ? isOnlyNoise(findings) : found.verdict !== 'failed';
  return checks.length > 0 && hasNumbers ? untrusted(findings, found, checks) : found;
}

/** `can't be trusted: its shortest window holds only 1 reading of the meter`. */
export function cantBeTrusted(findings: Findings): Text {
  const reasons = failedChecks(findings).map((check) => checkTexts(check).brief);
  return text`can't be trusted: ${joined(reasons, '; ')}`;
}

/** What comes before further claims about a result that can't be trusted; else empty. */
export const beforeClaims = (findings: Findings): Text =>
  headline(findings).verdict === 'untrusted'
    ? text`The result ${cantBeTrusted(findings)}. The following ignores failed checks. `
    : [];

/** Text for a result that can't be trusted: first why and what to do, then its numbers. */
function untrusted(
  findings: Findings,
  found: Pick<Headline, 'verdict' | 'sentence'>,
  checks: readonly Check[],
): Headline {
  const words = checks.map(checkTexts);
  const claim = text`The result ${cantBeTrusted(findings)}.`;
  return {
    verdict: 'untrusted',
    short: "can't be trusted",
    sentence: claim,
    claim,
    estimate: null,
    detail: sentences([
      ...words.flatMap((check) => [check.found, check.advice ?? []]),
      text`At face value, ${found.verdict === 'inconclusive' ? 'the result is ' : ''}${uncapitalized(found.sentence)}`,
    ]),
  };
}

/** Puts the measured time first, because a model's energies are computed from it. */
function measuredFirst(findings: Findings, found: Omit<Headline, 'estimate'>): Headline {
  const compared = byInterest(primaryComparisons(findings));
  const times = compared.map(timeText).filter((one) => one !== null);
  const isTime =
    findings.suite === undefined &&
    findings.meter.source === 'modelled' &&
    found.verdict !== 'failed' &&
    times.length === compared.length;
  if (!isTime || compared.length === 0 || compared.length > MAX_NAMED) return { ...found, estimate: null };
  return { ...found, claim: text`${capitalized(joined(times, '; '))}.`, estimate: found.claim };
}

/** `b took 23.1 % longer than a (95 % CI 4 to 28 %)`; null: the interval of the time isn't known. */
function timeText({ baseline, variant, typical, look, why: { log_time } }: Comparison): Text | null {
  const found = typical?.duration_s?.percent ?? null;
  // Few blocks give an interval of the mean alone, which does not allow for interim analyses.
  const mean = look === undefined ? log_time : null;
  const change = found?.ci95 ? found.estimate : mean && percentOfLog(mean.mean);
  const [low, high] = found?.ci95 ?? mean?.ci95?.map(percentOfLog) ?? [];
  if (change === null || low === undefined || high === undefined) return null;
  const range = `95 % CI ${rangeWords([low, high])}`;
  if (low <= 0 && high >= 0)
    return text`the times of ${name(variant)} and ${name(baseline)} don’t differ clearly (${range})`;
  const claim = text`${name(variant)} took ${changeWords(change, decimalsFor([low, high]), ['longer', 'less time'])} than ${name(baseline)} (${range})`;
  const pHolm = found?.p_holm ?? 0;
  return pHolm < 0.05
    ? claim
    : text`by itself, ${claim}, but chance could explain that among several comparisons (p = ${significant(pHolm, 2)} by Holm’s method)`;
}

/** The headline from the numbers alone, without the checks. */
function atFaceValue(findings: Findings): Omit<Headline, 'estimate'> {
  const comparisons = primaryComparisons(findings);
  const [first] = comparisons;
  const ordered = byInterest(comparisons);
  if (findings.suite !== undefined && first?.verdict !== 'failed') {
    const counts = suiteCounts(findings, findings.suite);
    const claim = text`${capitalized(counts)}.`;
    const detail = suiteDetail(findings.suite);
    return { verdict: gravest(ordered), short: plainText(counts), sentence: claim, claim, detail };
  }
  if (first === undefined) {
    const { short, sentence } = withoutComparison(findings);
    return { verdict: null, short, sentence, claim: sentence, detail: [] };
  }
  if (first.verdict === 'failed') return failed(findings);
  if (comparisons.length === 1) {
    const texts = verdictTexts(first, findings.experiment.margin_percent);
    const floor = isWithinNoise(findings, first) ? floorWords(findings) : [];
    return {
      verdict: first.verdict,
      short: `${shortWords(first, findings.experiment.margin_percent)}${floor.length === 0 ? '' : ', within the noise floor'}`,
      sentence: goingOn(texts.sentence, floor),
      claim: goingOn(texts.claim, floor),
      detail: afterClaim(first, texts),
    };
  }
  const baselines = new Set(comparisons.map((c) => c.baseline));
  const few = baselines.size === 1 && comparisons.length <= MAX_NAMED;
  const { short, sentence } = formatCounts(
    comparisons.map(({ verdict }) => verdict),
    baselines.size === 1 ? text` against ${name(first.baseline)}` : [],
  );
  const claim = few ? fewText(ordered) : sentence;
  return {
    verdict: few ? (ordered[0]?.verdict ?? null) : gravest(ordered),
    short,
    sentence: claim,
    claim,
    detail: sentences([
      byThemselves(ordered),
      withinNoise(findings, ordered),
      ...ordered
        .slice(0, MAX_NAMED)
        .map((c) => groupsWords(c, findings.experiment.margin_percent, text` of ${comparisonName(c, ordered)}`)),
      ...ordered.slice(0, MAX_NAMED).map((c) => workWords(c, findings.experiment.margin_percent, true)),
      tailsWords(ordered),
    ]),
  };
}

/** The most important verdict: increases before decreases, whatever their size. `ordered`: in order of presentation. */
function gravest(ordered: readonly Comparison[]): Standing | null {
  const [first] = ordered;
  const isChange = first !== undefined && isChanged(first);
  return isChange && ordered.some(({ verdict }) => verdict === 'increase') ? 'increase' : (first?.verdict ?? null);
}

/** Whether a shown change is not larger than the noise floor of this machine. */
function isWithinNoise({ quality }: Findings, comparison: Comparison): boolean {
  return isChanged(comparison) && Math.abs(comparison.percent.estimate ?? 0) <= (quality.noise_floor?.percent ?? 0);
}

function floorWords({ quality }: Findings): Text {
  return [
    `no more than two identical variants may differ by on this machine (noise floor ±${significant(quality.noise_floor?.percent ?? 0, 2)} %)`,
  ];
}

/** A sentence with a clause inserted before its full stop. */
function goingOn(sentence: Text, clause: Text): Text {
  if (clause.length === 0 || typeof sentence.at(-1) !== 'string') return sentence;
  return text`${withoutStop(sentence)}, ${clause}.`;
}

/** Note on changes within the noise floor, for several comparisons. */
function withinNoise(findings: Findings, comparisons: readonly Comparison[]): Text {
  const small = comparisons.filter((comparison) => isWithinNoise(findings, comparison));
  if (small.length === 0) return [];
  return text`The change of ${listOf(small.map((c) => comparisonName(c, comparisons)))} is ${floorWords(findings)}.`;
}

/** Headline of an experiment that could not be completed: the error instead of a result. */
function failed({ quality, experiment, variants }: Findings): Omit<Headline, 'estimate'> {
  const plan = quality.checks.find((check) => check.name === 'plan');
  const message = plan?.name === 'plan' ? plan.facts.message : null;
  const [why = null] = (message ?? '').split('\n').filter((line) => line.trim() !== '');
  const claim =
    why === null
      ? text`Failed: the experiment could not be measured to its end.`
      : text`Failed: ${plain(why, LONGEST_FAILURE)}`;
  const done = experiment.repetitions_completed ?? 0;
  const complete = done === 0 ? 'No block was' : done === 1 ? '1 block was' : `${done} blocks were`;
  const resume = text`${complete} complete by then. Once the cause is fixed, ${goOnText()}.`;
  const detail = sentences([lastFailure(variants), resume]);
  return { verdict: 'failed', short: 'failed', sentence: claim, claim, detail };
}

/** Reason of the last failed run, and the path of its output; empty if none failed. */
function lastFailure(variants: Findings['variants']): Text {
  const all = variants.flatMap(({ name: variant, excluded }) => excluded.map((run) => ({ variant, ...run })));
  const last = all.filter(({ status }) => status === 'failed').sort((a, b) => b.run - a.run)[0];
  if (last?.reason == null) return [];
  const why = plain(runReasonText(last.reason), LONGEST_REASON).replace(/\.$/, '');
  return text`Run ${String(last.run)} of ${name(last.variant)}: ${why}. What it printed is in the folder ${code('logs')} of the result.`;
}

/** `+3.1 % energy`, `+0.6 % energy, within ±1 %`, `equivalent within ±1 %`, `inconclusive`. */
function shortWords(comparison: Comparison, marginPercent: number): string {
  const { verdict, percent: change } = comparison;
  const energy = `${percent(change.estimate, change.ci95)} energy`;
  const words = noChangeWords(comparison, marginPercent);
  if (words === null) return energy;
  return verdict === 'changed-within-margin' ? `${energy}, ${words}` : words;
}

/** Words for a verdict that is no change beyond the margin; null: it is one. */
function noChangeWords({ verdict }: Comparison, marginPercent: number): string | null {
  switch (verdict) {
    case 'increase':
    case 'decrease':
      return null;
    case 'changed-within-margin':
      return `within ±${marginPercent} %`;
    case 'equivalent':
      return `equivalent within ±${marginPercent} %`;
    case 'inconclusive':
    case 'failed':
      return verdict;
  }
}

/** Counts of verdicts: a few words for a heading, and a sentence. */
export function formatCounts(standings: readonly Standing[], against: Text = []): Pick<Headline, 'short' | 'sentence'> {
  const counts = COUNTED.flatMap(({ verdicts, short, clause }) => {
    const count = standings.filter((standing) => verdicts.includes(standing)).length;
    const at = count === 1 ? 0 : 1;
    return count === 0 ? [] : [{ count, short: short[at], clause: clause[at] }];
  });
  const clauses = counts.map(({ count, clause }): Text => [`${count} ${clause}`]);
  return {
    short: counts.map(({ count, short }) => `${count} ${short}`).join(', '),
    sentence: text`Of ${plural(standings.length, 'comparison')}${against}, ${listOf(clauses)}.`,
  };
}

/** Words for one comparison, and for several. */
type OneOrMany = readonly [one: string, many: string];

const COUNTED: readonly { verdicts: readonly Standing[]; short: OneOrMany; clause: OneOrMany }[] = [
  {
    verdicts: ['increase'],
    short: ['uses more energy', 'use more energy'],
    clause: ['uses more energy', 'use more energy'],
  },
  { verdicts: ['decrease'], short: ['uses less', 'use less'], clause: ['uses less energy', 'use less energy'] },
  {
    verdicts: ['equivalent', 'changed-within-margin'],
    short: ['within margin', 'within margin'],
    clause: ['stays within the margin', 'stay within the margin'],
  },
  {
    verdicts: ['untrusted'],
    short: ["can't be trusted", "can't be trusted"],
    clause: ["can't be trusted", "can't be trusted"],
  },
  { verdicts: ['failed'], short: ['failed', 'failed'], clause: ['failed', 'failed'] },
  {
    verdicts: ['inconclusive'],
    short: ['inconclusive', 'inconclusive'],
    clause: ['is inconclusive', 'are inconclusive'],
  },
];

/**
 * A few comparisons with one baseline in a sentence that a person would say, in the order given: `alpine uses 7.8 % more energy than
 * native, debian 3.5 % more; busybox is inconclusive.`
 */
export function fewText(comparisons: readonly Comparison[]): Text {
  const changed = comparisons.filter(
    (c) => c.verdict !== 'inconclusive' && c.verdict !== 'failed' && c.verdict !== 'equivalent',
  );
  const clauses = changed.map((c, i) => {
    const within = c.verdict === 'changed-within-margin' ? ', which is within the margin' : '';
    const amount = changeWords(c.percent.estimate ?? 0, decimalsFor(c.percent.ci95));
    return i === 0
      ? text`${name(c.variant)} uses ${amount} energy than ${name(c.baseline)}${within}`
      : text`${name(c.variant)} ${amount}${within}`;
  });
  const same = comparisons.filter((c) => c.verdict === 'equivalent');
  const open = comparisons.filter((c) => c.verdict === 'inconclusive');
  const to = changed.length === 0 && same[0] ? text` to ${name(same[0].baseline)}` : [];
  const against = changed.length + same.length === 0 && open[0] ? text` against ${name(open[0].baseline)}` : [];
  const parts = [
    joined(clauses, ', '),
    isAre(same, text`equivalent${to}`),
    isAre(open, text`inconclusive${against}`),
  ].filter((part) => part.length > 0);
  return text`${joined(parts, '; ')}.`;
}

/** Note if an interval excludes zero but the family's test does not confirm a change. Empty if there is no such case. */
export function byThemselves(comparisons: readonly Comparison[]): Text {
  const off = comparisons.filter(({ reason }) => reason === 'several');
  if (off.length === 0) return [];
  const who = off.length > MAX_NAMED ? `${off.length} of them` : listOf(off.map((c) => comparisonName(c, comparisons)));
  const judged = `but one of ${comparisons.length} comparisons could too easily be due to chance (Holm’s method)`;
  return text`By ${off.length === 1 ? 'itself' : 'themselves'}, ${who} would show a change, ${judged}. ${enoughBlocks(off, comparisons.length)}`;
}

/** Note if there are too few blocks for several comparisons. */
function enoughBlocks(off: readonly Comparison[], family: number): string {
  const least = minBlocks(family);
  const few = off.some(({ blocks }) => blocks !== null && blocks < least);
  return few
    ? `To show it among ${family} comparisons takes at least ${least} blocks.`
    : 'More blocks would settle it.';
}

function isAre(comparisons: readonly Comparison[], what: Text): Text {
  if (comparisons.length === 0) return [];
  return text`${listOf(comparisons.map((c) => c.variant))} ${comparisons.length === 1 ? 'is' : 'are'} ${what}`;
}

/** How many blocks a later experiment takes, from the scatter of identical variants. Equivalence takes 1.09 times as many: ((1.645 + 1.28) / (1.96 + 0.84))². */
function blocksToDetect(
  { experiment: { margin_percent: margin } }: Findings,
  { ci95, blocks }: NonNullable<Findings['quality']['noise_floor']>,
): string {
  const least = detectableRatio(ci95);
  if (!(margin > 0) || least === null) return '';
  const needed = Math.max(MIN_BLOCKS, Math.ceil(blocks * (Math.log1p(least / 100) / Math.log1p(margin / 100)) ** 2));
  return ` With this many blocks, a change of ${significant(least, 2)} % is found in 80 of 100 experiments; one of ${short(margin)} % takes about ${plural(needed, 'block')}, and to show that there is none, a tenth more.`;
}

/** Headline of an A/A experiment, whose result is the noise floor. */
function withoutComparison(findings: Findings): Pick<Headline, 'short' | 'sentence'> {
  const { variants, quality } = findings;
  const floor = quality.noise_floor;
  const [only] = variants;
  if (only !== undefined && floor !== null && isOnlyNoise(findings)) {
    const percentText = `±${significant(floor.percent, 2)} %`;
    const interval = `95 % interval ${rangeWords(floor.ci95)}, ${plural(floor.blocks, 'block')}`;
    return {
      short: `noise floor ${percentText}`,
      sentence: text`The noise floor is ${percentText}: two identical variants of ${name(only.name)} may differ by that much on this machine (${interval}).${blocksToDetect(findings, floor)}`,
    };
  }
  const measured = variants.filter((v) => v.energy_j !== null).map((v) => name(v.name));
  const sentence: Text =
    measured.length === 0
      ? ['No run gave an energy: there is nothing to compare.']
      : text`Only ${joined(measured, ', ')} has an energy: there is nothing to compare it with.`;
  return { short: 'nothing to compare', sentence };
}
