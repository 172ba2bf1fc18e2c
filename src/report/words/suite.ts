import type { Comparison } from '../../findings/comparison.ts';
import type { Findings } from '../../findings/findings.ts';
import type { BenchmarkState, SuiteFindings, SuiteMean } from '../../findings/suite.ts';
import { percent } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { joined, listed, listOf, name, sentences, type Text, text } from '../document/text.ts';
import { isChanged, primaryComparisons } from '../verdict.ts';
import { rangeWords } from './verdict.ts';

/** `1 benchmark failed; 3 of 40 benchmarks use more energy, 1 less; geometric mean +0.6 %`, the latter for each variant where there are several. */
export function suiteCounts(findings: Findings, suite: SuiteFindings): Text {
  const all = primaryComparisons(findings);
  const several = suite.means.length > 1;
  const parts = suite.means.map((mean) => {
    const own = all.filter((comparison) => isOf(comparison, mean));
    const of = (verdict: Comparison['verdict']) => own.filter((comparison) => comparison.verdict === verdict).length;
    const [more, less] = [of('increase'), of('decrease')];
    const whole = plural(own.length, 'benchmark');
    const uses = `${more} of ${whole} ${more === 1 ? 'uses' : 'use'} more energy`;
    const counted =
      more > 0
        ? `${uses}${less > 0 ? `, ${less} less` : ''}`
        : less > 0
          ? `${less} of ${whole} ${less === 1 ? 'uses' : 'use'} less energy`
          : `no change shown in ${whole}`;
    return text`${several ? text`${name(mean.variant)}: ` : []}${counted}${meanWords(mean)}`;
  });
  const lost = STATES.slice(0, 2).flatMap(([state, words]) => {
    const { length } = inState(suite, state);
    return length === 0 ? [] : [`${plural(length, 'benchmark')} ${words}; `];
  });
  const counts = parts.length === 0 ? ['no benchmark could be compared'] : joined(parts, '. ');
  return text`${lost}${counts}`;
}

const meanWords = ({ percent: { estimate, ci95 } }: SuiteMean): string =>
  estimate === null ? '' : `; geometric mean ${percent(estimate, ci95)}`;

/** Whether a comparison is of a benchmark with this variant. */
export const isOf = ({ benchmark, variant }: Comparison, mean: Pick<SuiteMean, 'variant'>): boolean =>
  benchmark !== undefined && variant === `${benchmark}/${mean.variant}`;

/** Meaning of the mean's interval, and benchmarks that were not compared, with reasons. */
export function suiteDetail(suite: SuiteFindings): Text {
  const means = suite.means.map(({ variant, baseline, blocks, percent: { ci95, confidence } }): Text => {
    if (ci95 === null || confidence === null || confidence < 0.95) {
      return text`The geometric mean of ${name(variant)} against ${name(baseline)} has no 95 % interval yet (${plural(blocks, 'block')}).`;
    }
    return text`Geometric mean of ${name(variant)} against ${name(baseline)}: 95 % CI ${rangeWords(ci95)}, over ${plural(blocks, 'block')}.`;
  });
  return sentences([...means, ...leftOut(suite)]);
}

/** Reasons without a comparison, in order; the first two are news, and part of the headline. */
const STATES: readonly (readonly [Exclude<BenchmarkState, 'compared'>, string, string])[] = [
  ['failed', 'failed', 'failed'],
  ['invalid', 'could not be measured', 'could not be measured'],
  ['too-short', 'is too short to measure', 'are too short to measure'],
  ['new', 'is new', 'are new'],
  ['gone', 'is gone', 'are gone'],
];

const MAX_NAMED = 5;

const inState = ({ benchmarks }: SuiteFindings, state: BenchmarkState): string[] =>
  benchmarks.filter((benchmark) => benchmark.state === state).map((benchmark) => benchmark.name);

function leftOut(suite: SuiteFindings): Text[] {
  return STATES.flatMap(([state, one, many]) => {
    const own = inState(suite, state);
    if (own.length === 0) return [];
    const more = own.length - MAX_NAMED;
    const names = more > 0 ? text`${listed(own.slice(0, MAX_NAMED))} and ${String(more)} more` : listOf(own);
    return [text`${names} ${own.length === 1 ? one : many}.`];
  });
}

/** `36 others: 30 within the margin, 6 inconclusive`; null: all benchmarks changed. */
export function othersText(findings: Findings): string | null {
  const others = primaryComparisons(findings).filter((comparison) => !isChanged(comparison));
  if (others.length === 0) return null;
  const count = (...verdicts: Comparison['verdict'][]): number =>
    others.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const parts = [
    [count('equivalent', 'changed-within-margin'), 'within the margin'],
    [count('inconclusive'), 'inconclusive'],
    [count('failed'), 'failed'],
  ].flatMap(([some, words]) => (some === 0 ? [] : [`${some} ${words}`]));
  const all = others.length === primaryComparisons(findings).length;
  return `${plural(others.length, all ? 'comparison' : 'other')}: ${parts.join(', ')}`;
}

/** Findings with only the changed benchmarks of a suite, since all would be too much for a terminal. */
export function ofChanged(findings: Findings): Findings {
  if (findings.suite === undefined) return findings;
  const comparisons = findings.comparisons.filter(isChanged);
  const names = new Set(comparisons.flatMap(({ baseline, variant }) => [baseline, variant]));
  return { ...findings, comparisons, variants: findings.variants.filter(({ name }) => names.has(name)) };
}
