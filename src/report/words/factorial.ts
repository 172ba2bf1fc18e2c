import type { Inconclusive } from '../../findings/comparison.ts';
import type { Contrast, Factorial } from '../../findings/factorial.ts';
import type { Interval } from '../../findings/numbers.ts';
import { MIN_BLOCKS } from '../../stats/signed-rank.ts';
import { confidenceText, decimalsFor, pText, signed, significant } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { capitalized, joined, name, sentences, type Text, text } from '../document/text.ts';
import { changeWords, intervalWords, signedRankWords } from './verdict.ts';

/** Number of contrasts that are judged together. */
const FAMILY = 3;

/** A main effect in words. An open one is never called absent. */
export function mainText(factorial: Factorial, which: 0 | 1, marginPercent: number): Text {
  const contrast = factorial.main[which];
  const [base, other] = factorial.factors[which].levels.map(name) as [Text[number], Text[number]];
  const others = factorial.factors[which === 0 ? 1 : 0].levels.map(name);
  const averaged = text`averaged over ${joined(others, ' and ')}`;
  const { estimate, ci95, ci90, verdict, reason } = contrast;
  const change = text`${averaged}, ${other} used ${changeWords(estimate ?? 0, decimalsFor(ci95))} energy than ${base}`;
  if (reason !== null) {
    const between = text`${averaged}, the change from ${base} to ${other} lies`;
    return text`Inconclusive: ${inconclusive(contrast, reason, factorial, { change, between, unit: 'change' })}`;
  }
  const mind: Text = isChange(factorial.interaction)
    ? ['Note the interaction: this is the average of two changes that differ.']
    : [];
  if (verdict === 'equivalent') {
    const difference = `difference ${signed(estimate ?? 0, decimalsFor(ci90))} %, ${intervalWords(ci90, '90 %')}; ${blocksWords(factorial)}`;
    const same = text`${capitalized(averaged)}, ${other} and ${base} are equivalent within ±${String(marginPercent)} % (${difference}).`;
    return sentences([same, mind]);
  }
  const numbers = `${intervalWords(ci95, '95 %')}; ${evidence(contrast, factorial)}`;
  return sentences([text`${capitalized(change)}${withinWords(contrast, marginPercent)} (${numbers}).`, mind]);
}

/** The interaction in words: whether the second factor's effect depends on the first factor's level. A ratio of ratios. */
export function interactionText(factorial: Factorial, marginPercent: number): Text {
  const { interaction: contrast } = factorial;
  const [first, second] = factorial.factors;
  const [base, other] = [name(first.levels[0]), name(first.levels[1])];
  const [from, to] = [name(second.levels[0]), name(second.levels[1])];
  const step = text`the step from ${from} to ${to}`;
  const { estimate, ci95, ci90, verdict, reason } = contrast;
  const size = changeWords(estimate ?? 0, decimalsFor(ci95), ['higher', 'lower']);
  const higher = text`with ${other} the ratio ${to} to ${from} is ${size} than with ${base}`;
  if (reason !== null) {
    const between = text`whether ${step} differs between ${base} and ${other} is open: the ratio of the two ratios lies`;
    const known = inconclusive(contrast, reason, factorial, { change: higher, between, unit: 'interaction' });
    const noise: Text =
      reason === 'open'
        ? ['It is noisier than a comparison of two variants: the same precision takes about twice as many blocks.']
        : [];
    return sentences([text`Inconclusive: ${known}`, noise, stepsWords(factorial)]);
  }
  if (verdict === 'equivalent') {
    const difference = `ratio of ratios ${signed(estimate ?? 0, decimalsFor(ci90))} %, ${intervalWords(ci90, '90 %')}; ${blocksWords(factorial)}`;
    const same = text`${capitalized(step)} is the same with ${other} as with ${base}, within ±${String(marginPercent)} % (${difference}).`;
    return sentences([same, stepsWords(factorial)]);
  }
  const numbers = `ratio of ratios, ${intervalWords(ci95, '95 %')}; ${evidence(contrast, factorial)}`;
  const differs = text`${capitalized(step)} differs between ${base} and ${other}: ${higher}${withinWords(contrast, marginPercent)} (${numbers}).`;
  return sentences([differs, stepsWords(factorial)]);
}

interface OpenWords {
  /** Clause with the estimate. */
  readonly change: Text;
  /** Meaning of the range between the interval's ends. */
  readonly between: Text;
  readonly unit: string;
}

function inconclusive(contrast: Contrast, reason: Inconclusive, factorial: Factorial, words: OpenWords): Text {
  const { ci95, confidence, minimum_detectable_percent: least } = contrast;
  switch (reason) {
    case 'no-runs':
      return ['one of the four variants has no valid run.'];
    case 'failed':
      return ['the experiment could not be measured to its end.'];
    case 'no-block':
      return ['no block has one valid run of each of the four variants.'];
    case 'not-positive':
      return ['a run gave an energy of zero or less, so that no ratio is defined.'];
    case 'coarse':
      return [
        'many blocks show the same difference, because the energies come in large steps; rounding by one step either way could change the answer. A finer meter or a longer workload would help.',
      ];
    case 'drifts':
      return [
        `the ${words.unit} drifts during the experiment by more than the margin, so no single number describes it.`,
      ];
    case 'groups':
      return [`the blocks fall into two groups, whose ${words.unit}s are farther apart than the margin.`];
    case 'means-disagree':
      return [
        `the interval of the ${words.unit} lies within the margin (${intervalWords(contrast.ci90, '90 %')}), but the mean does not confirm it (${intervalWords(contrast.mean_log_ci95, '95 %')}).`,
      ];
    case 'no-variation':
      return [
        "no variant's energy varies at this resolution, so chance and change can't be told apart. A finer meter or a longer workload would help.",
      ];
    case 'too-few': {
      const interval = ci95 === null ? '' : ` (${intervalWords(ci95, confidenceText(confidence, 0.95))})`;
      return text`${words.change}${interval}, but ${blocksWords(factorial)} can't show it: the exact test needs at least ${String(MIN_BLOCKS)}.`;
    }
    case 'several':
      return text`by itself, ${words.change} (${intervalWords(ci95, '95 %')}; ${evidence(contrast, factorial)}), but one of ${String(FAMILY)} contrasts could too easily be due to chance. More blocks would settle it.`;
    case 'open': {
      const [low, high] = ci95 as Interval;
      const decimals = decimalsFor(ci95);
      const seen: Text =
        least === null
          ? []
          : [
              `The smallest detectable ${words.unit} of these blocks was ${significant(least, 2)} %; more blocks or a quieter machine would detect smaller ones.`,
            ];
      const open = text`${words.between} between ${signed(low, decimals)} and ${signed(high, decimals)} % (95 % CI; ${evidence(contrast, factorial)}).`;
      return sentences([open, seen]);
    }
  }
}

/** `From native to container: about +3.1 % with base, +3.9 % with head.` */
function stepsWords({ factors: [first, second], steps }: Factorial): Text {
  const [a, b] = steps.map((step) => step && `${signed(step.estimate, decimalsFor(step.ci95))} %`);
  if (!a || !b) return [];
  const [from, to] = second.levels.map(name) as [Text[number], Text[number]];
  return text`From ${from} to ${to}: about ${a} with ${name(first.levels[0])}, ${b} with ${name(first.levels[1])}.`;
}

function withinWords({ verdict }: Contrast, marginPercent: number): string {
  return verdict === 'changed-within-margin' ? `, a change within ±${marginPercent} %` : '';
}

function evidence({ wilcoxon_signed_rank: test, p_holm: pHolm }: Contrast, factorial: Factorial): string {
  if (test === null) return blocksWords(factorial);
  const holm = pHolm === null ? '' : `, ${pText(pHolm)} for ${FAMILY} contrasts (Holm)`;
  return `${blocksWords(factorial)}, ${signedRankWords(test)}${holm}`;
}

function blocksWords({ blocks }: Factorial): string {
  return plural(blocks, 'block');
}

function isChange({ verdict }: Contrast): boolean {
  return verdict !== 'inconclusive' && verdict !== 'equivalent';
}
