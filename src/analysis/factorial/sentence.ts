import type { FactorialDesign } from '../../experiment/experiment.ts';
import { walshEstimate } from '../../stats/hodges-lehmann.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import type { Judged } from '../factorial.ts';
import { confidenceText, decimalsFor, plural, pText, significant } from '../numbers.ts';
import { changeWords, intervalWords, LEAST_BLOCKS, signed } from '../sentence.ts';
import type { Reason } from '../verdict.ts';
import type { Cells } from './cells.ts';

/** What the sentences speak about beside the contrast itself. */
export interface About {
  readonly design: FactorialDesign;
  readonly cells: Cells;
  readonly marginPercent: number;
  /** The interaction is shown to be there. */
  readonly interacts: boolean;
}

/** Contrasts that are judged together. */
const FAMILY = 3;

/** A main difference in plain words. Plain text: names are put in as they are. An open one is never called no difference. */
export function mainSentence(judged: Judged, which: 0 | 1, about: About): string {
  const { factors } = about.design;
  const [base, other] = factors[which].levels;
  const averaged = `averaged over ${factors[1 - which]?.levels.join(' and ')}`;
  const { contrast, decision } = judged;
  const { estimate, ci95, ci90 } = contrast;
  if (decision.reason !== null) {
    const known = open(judged, about, {
      change: `${averaged}, ${other} used ${changeWords(estimate ?? 0, decimalsFor(ci95))} energy than ${base}`,
      between: `${averaged}, the change from ${base} to ${other} lies`,
      unit: 'a change',
    });
    return `Inconclusive: ${known}`;
  }
  const mind = about.interacts ? ' Mind the interaction: this is the average of two changes that differ.' : '';
  if (decision.verdict === 'equivalent') {
    const difference = `difference ${signed(estimate ?? 0, decimalsFor(ci90))} %, ${intervalWords(ci90, '90 %')}; ${blocksOf(about)}`;
    return `${capital(averaged)}, ${other} and ${base} are equivalent within ±${about.marginPercent} % (${difference}).${mind}`;
  }
  const within = decision.verdict === 'changed-within-margin' ? `, a change within ±${about.marginPercent} %` : '';
  const change = `${capital(averaged)}, ${other} used ${changeWords(estimate ?? 0, decimalsFor(ci95))} energy than ${base}`;
  return `${change}${within} (${intervalWords(ci95, '95 %')}; ${evidence(judged, about)}).${mind}`;
}

/** The interaction in plain words: whether a step of the second factor is another with another level of the first. A ratio of ratios. */
export function interactionSentence(judged: Judged, about: About): string {
  const [first, second] = about.design.factors;
  const [base, other] = first.levels;
  const step = `the step from ${second.levels[0]} to ${second.levels[1]}`;
  const { contrast, decision } = judged;
  const { estimate, ci95, ci90 } = contrast;
  const size = `${changeWords(estimate ?? 0, decimalsFor(ci95))
    .replace(/more$/, 'higher')
    .replace(/less$/, 'lower')}`;
  const higher = `with ${other} the ratio ${second.levels[1]} to ${second.levels[0]} is ${size} than with ${base}`;
  if (decision.reason !== null) {
    const known = open(judged, about, {
      change: higher,
      between: `whether ${step} differs between ${base} and ${other} is open: the ratio of the two ratios lies`,
      unit: 'an interaction',
    });
    const noise =
      decision.reason === 'open'
        ? ' It is noisier than a comparison of two variants: the same sharpness takes about twice the blocks.'
        : '';
    return `Inconclusive: ${known}${noise}${stepsOf(about)}`;
  }
  if (decision.verdict === 'equivalent') {
    const difference = `ratio of ratios ${signed(estimate ?? 0, decimalsFor(ci90))} %, ${intervalWords(ci90, '90 %')}; ${blocksOf(about)}`;
    return `${capital(step)} is the same with ${other} as with ${base}, within ±${about.marginPercent} % (${difference}).${stepsOf(about)}`;
  }
  const within = decision.verdict === 'changed-within-margin' ? `, a change within ±${about.marginPercent} %` : '';
  return `${capital(step)} differs between ${base} and ${other}: ${higher}${within} (ratio of ratios, ${intervalWords(ci95, '95 %')}; ${evidence(judged, about)}).${stepsOf(about)}`;
}

interface OpenWords {
  /** A clause that tells the estimate. */
  readonly change: string;
  /** What lies between the ends of the interval. */
  readonly between: string;
  readonly unit: string;
}

function open(judged: Judged, about: About, words: OpenWords): string {
  const { estimate: _, ci95, confidence, minimum_detectable_percent: least } = judged.contrast;
  const decimals = decimalsFor(ci95);
  switch (judged.decision.reason as Reason) {
    case 'no-runs':
      return 'one of the four variants has no valid run.';
    case 'no-block':
      return 'no block has one valid run of each of the four variants.';
    case 'not-positive':
      return 'a run gave an energy of zero or less, so that no ratio is defined.';
    case 'no-variation':
      return "no variant's energy varies at this resolution, so that chance can't be told from change. A finer meter or a longer workload would help.";
    case 'too-few': {
      const interval = ci95 === null ? '' : ` (${intervalWords(ci95, confidenceText(confidence, 0.95))})`;
      return `${words.change}${interval}, but ${blocksOf(about)} can't show it: the exact test needs at least ${LEAST_BLOCKS}.`;
    }
    case 'several':
      return `by itself, ${words.change} (${intervalWords(ci95, '95 %')}; ${evidence(judged, about)}), but one of ${FAMILY} contrasts comes out so by chance too easily. More blocks would tell.`;
    default: {
      const [low, high] = ci95 ?? [0, 0];
      const seen =
        least === null
          ? ''
          : ` These blocks could reliably have seen ${words.unit} of ${significant(least, 2)} % or more; more blocks or a quieter machine would see smaller ones.`;
      return `${words.between} between ${signed(low, decimals)} and ${signed(high, decimals)} % (95 % CI; ${evidence(judged, about)}).${seen}`;
    }
  }
}

/** ` native to container: about +3.1 % with base, +3.9 % with head.` */
function stepsOf({ design, cells }: About): string {
  const [first, second] = design.factors;
  const sizes = cells.steps.map((logs) => {
    const estimate = walshEstimate(logs);
    const ends = estimate?.ci95?.interval ?? null;
    const decimals = decimalsFor(ends && [toPercent(ends[0]), toPercent(ends[1])]);
    return estimate && `${signed(toPercent(estimate.estimate), decimals)} %`;
  });
  if (sizes[0] === null || sizes[1] === null) return '';
  return ` From ${second.levels[0]} to ${second.levels[1]}: about ${sizes[0]} with ${first.levels[0]}, ${sizes[1]} with ${first.levels[1]}.`;
}

function evidence({ contrast }: Judged, about: About): string {
  const { wilcoxon_signed_rank: test, p_holm: pHolm } = contrast;
  if (test === null) return blocksOf(about);
  const exact = test.n_nonzero <= 400 ? 'exact ' : '';
  const holm = pHolm === null ? '' : `, ${pText(pHolm)} for ${FAMILY} contrasts (Holm)`;
  return `${blocksOf(about)}, ${exact}signed-rank ${pText(test.p)}${holm}`;
}

function blocksOf({ cells }: About): string {
  return plural(cells.blocks, 'block');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
