import { intervalText, type NoiseFloor } from '../analysis/noise-floor.ts';
import type { Comparison, Findings, Verdict } from '../findings/findings.ts';
import { percent, significant } from '../text/numbers.ts';
import { plural } from '../text/plain.ts';
import { byThemselves, fewSentence, MOST_NAMED } from './few-words.ts';

/** Order of interest: what changed, the largest first; then what is open; then what is the same. */
const RANK: Readonly<Record<Verdict, number>> = {
  increase: 0,
  decrease: 0,
  inconclusive: 1,
  'changed-within-margin': 2,
  equivalent: 3,
};

export function byInterest(comparisons: readonly Comparison[]): Comparison[] {
  const size = (c: Comparison): number => Math.abs(c.percent.estimate ?? 0);
  return [...comparisons].sort((a, b) => RANK[a.verdict] - RANK[b.verdict] || size(b) - size(a));
}

export function isChanged(comparison: Comparison): boolean {
  return comparison.verdict === 'increase' || comparison.verdict === 'decrease';
}

export function primaryChannel({ meter, comparisons }: Findings): string | null {
  return meter.channels[0] ?? comparisons[0]?.channel ?? null;
}

/** Comparisons on the primary channel: the ones that the verdict speaks of. */
export function primaryComparisons(findings: Findings): Comparison[] {
  const channel = primaryChannel(findings);
  const primary = findings.comparisons.filter((c) => c.channel === channel);
  return primary.length > 0 ? primary : [...findings.comparisons];
}

export interface Headline {
  /** The gravest verdict of all comparisons; null: nothing was compared. */
  readonly verdict: Verdict | null;
  /** A few words for a heading. */
  readonly short: string;
  /** The verdict as a sentence, and what else is to be said of it. Names of variants are in them: escape. */
  readonly sentence: string;
  readonly rest: string;
}

/** The verdict in words: the comparison's own where there is one comparison, a count where there are several. */
export function headline(findings: Findings): Headline {
  const comparisons = primaryComparisons(findings);
  const first = comparisons[0];
  if (first === undefined) {
    return (
      onlyNoise(findings) ?? {
        verdict: null,
        short: 'nothing to compare',
        sentence: nothingToCompare(findings),
        rest: '',
      }
    );
  }
  if (comparisons.length === 1) {
    const [sentence, rest] = firstSentence(first);
    return {
      verdict: first.verdict,
      short: shortOf(first, findings.experiment.margin_percent),
      sentence,
      rest,
    };
  }
  const baselines = new Set(comparisons.map((c) => c.baseline));
  const ordered = byInterest(comparisons);
  const few = baselines.size === 1 && comparisons.length <= MOST_NAMED;
  return {
    verdict: ordered[0]?.verdict ?? null,
    ...countsOf(comparisons, baselines.size === 1 ? ` against ${first.baseline}` : ''),
    ...(few && { sentence: fewSentence(ordered) }),
    rest: byThemselves(ordered),
  };
}

/** Of several comparisons, how many came to which verdict: a few words for a heading, and a sentence. */
export function countsOf(comparisons: readonly Comparison[], against = ''): Pick<Headline, 'short' | 'sentence'> {
  const counts = countVerdicts(comparisons);
  const words = counts.map(([count, word]) => `${count} ${count === 1 ? word.replace(/^use/, 'uses') : word}`);
  const clauses = counts.map(([count, , one, many]) => plural(count, one, many));
  return {
    short: words.join(', '),
    sentence: `Of ${plural(comparisons.length, 'comparison')}${against}, ${listOf(clauses)}.`,
  };
}

function shortOf({ verdict, percent: { estimate, ci95 } }: Comparison, marginPercent: number): string {
  switch (verdict) {
    case 'increase':
    case 'decrease':
      return `${percent(estimate, ci95)} energy`;
    case 'changed-within-margin':
      return `${percent(estimate, ci95)} energy, within ±${marginPercent} %`;
    case 'equivalent':
      return `equivalent within ±${marginPercent} %`;
    default:
      return 'inconclusive';
  }
}

/** The sentence up to its first full stop behind both names (a name may have full stops of its own), and what follows. */
function firstSentence({ sentence, variant, baseline }: Comparison): [string, string] {
  const from = Math.max(...[variant, baseline].map((n) => (sentence.includes(n) ? sentence.indexOf(n) + n.length : 0)));
  const stop = sentence.slice(from).search(/\. (?=\p{Lu})/u);
  if (stop < 0) return [sentence, ''];
  return [sentence.slice(0, from + stop + 1), sentence.slice(from + stop + 2)];
}

type Count = readonly [count: number, word: string, one: string, many: string];

function countVerdicts(comparisons: readonly Comparison[]): Count[] {
  const count = (...verdicts: Verdict[]): number => comparisons.filter((c) => verdicts.includes(c.verdict)).length;
  const all: Count[] = [
    [count('increase'), 'use more energy', 'uses more energy', 'use more energy'],
    [count('decrease'), 'use less', 'uses less energy', 'use less energy'],
    [
      count('equivalent', 'changed-within-margin'),
      'within margin',
      'stays within the margin',
      'stay within the margin',
    ],
    [count('inconclusive'), 'inconclusive', 'is inconclusive', 'are inconclusive'],
  ];
  return all.filter(([n]) => n > 0);
}

/** Of an experiment of the baseline against itself: its result. */
function onlyNoise(findings: Findings): Headline | null {
  const { variants, quality } = findings;
  const floor = quality.noise_floor;
  if (floor === null || !isOnlyNoise(findings)) return null;
  const short = `noise floor ±${significant(floor.percent, 2)} %`;
  return { verdict: null, short, sentence: noiseFloorSentence(floor, variants[0]!.name), rest: '' };
}

/** An A/A experiment: one variant, against itself. */
export function isOnlyNoise({ variants, quality }: Findings): boolean {
  return variants.length === 1 && quality.noise_floor?.source === 'inline';
}

function noiseFloorSentence(floor: NoiseFloor, baseline: string): string {
  const interval = `95 % interval ${intervalText(floor.ci95)}, ${plural(floor.blocks, 'block')}`;
  return `The noise floor is ±${significant(floor.percent, 2)} %: so much may two identical variants of ${baseline} differ on this machine (${interval}).`;
}

function nothingToCompare({ variants }: Findings): string {
  const measured = variants.filter((v) => v.energy_j !== null);
  if (measured.length === 0) return 'No run gave an energy: there is nothing to compare.';
  return `Only ${measured.map((v) => v.name).join(', ')} has an energy: there is nothing to compare it with.`;
}

function listOf(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

export interface MeanEnergies {
  readonly baseline: number | null;
  readonly variant: number | null;
}

/** Mean energies of the compared runs, joules; findings of older versions hold them for the primary channel only. */
export function meanEnergies(findings: Findings, comparison: Comparison): MeanEnergies {
  if (comparison.mean_energy_j !== undefined) return comparison.mean_energy_j;
  if (comparison.channel !== primaryChannel(findings)) return { baseline: null, variant: null };
  const mean = (name: string): number | null => findings.variants.find((v) => v.name === name)?.energy_j?.mean ?? null;
  return { baseline: mean(comparison.baseline), variant: mean(comparison.variant) };
}
