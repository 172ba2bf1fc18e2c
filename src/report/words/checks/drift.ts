import { duration, fixed, pText, significant } from '../../../text/numbers.ts';
import { plural } from '../../../text/plain.ts';
import { code, listed, name, sentences, type Text, text } from '../../document/text.ts';
import { type CheckTable, firstOf, moreOrLess, size } from './table.ts';

/** Checks of changes over time and between successive runs. */
export const driftChecks = {
  drift({ reason, facts }) {
    if (reason === 'none') return { found: ['No drift of the machine was found.'] };
    const { blocked, fixed_order: sameOrder, change_percent: change, p, lag1 } = facts;
    const seen =
      reason === 'trend'
        ? `The runs drifted: they ${direction(change)} by ${size(change)} from the first to the last (Mann–Kendall ${pText(p)}).`
        : lag1 > 0
          ? `Neighboring runs are alike (lag-1 correlation ${fixed(lag1, 2)}).`
          : `Neighboring runs alternate: a run with more energy tends to follow one with less (lag-1 correlation ${fixed(lag1, 2)}).`;
    if (blocked && sameOrder) {
      const left =
        'In every block, the baseline and a variant ran in the same order, so what changes from one run to the next stays in their difference.';
      return {
        found: sentences([[seen], whoseWords(facts), [left]]),
        advice: ['Measure again with another seed, or randomize the order of each block.'],
      };
    }
    if (facts.lag !== undefined && facts.correlation !== undefined) {
      const apart = `Runs that are ${facts.lag} apart ${facts.correlation > 0 ? 'are alike' : 'take turns'} (correlation ${fixed(facts.correlation, 2)}).`;
      const dependent = 'So they are not independent, although the p values and intervals assume that they are.';
      return {
        found: sentences([[reason === 'trend' || facts.lag === 1 ? seen : apart], whoseWords(facts), [dependent]]),
        advice: [
          'Run the variants in randomized blocks; in a file, name what belongs together (a job, a day) in a column block.',
        ],
      };
    }
    const cure: Text = blocked ? [sharedCure(facts)] : [];
    const advice = blocked
      ? 'A longer warm-up or rest would narrow the interval.'
      : 'Run the variants in randomized blocks: without blocks, drift is part of the difference.';
    return { found: sentences([[seen], whoseWords(facts), cure]), advice: [advice] };
  },
  'drift of the difference'({ facts }) {
    const { seen } = facts;
    if (seen.length === 0) return { found: ['No drift of the difference was found.'] };
    const each = seen.map(({ baseline = facts.baseline, variant, trend, change_percent: change, p, lag1 }) =>
      trend
        ? text`The difference between ${name(variant)} and ${name(baseline)} ${direction(change)} by ${size(change)} during the experiment (Mann–Kendall ${pText(p)}).`
        : text`The differences between ${name(variant)} and ${name(baseline)} depend on the previous block (lag-1 correlation ${fixed(lag1, 2)}).`,
    );
    return {
      found: firstOf(each),
      advice: [
        'The blocks did not absorb everything that changed, so one number does not describe the difference. Measure again on a quieter machine or after a longer warm-up.',
      ],
    };
  },
  'warm-up'({ reason, facts }) {
    if (reason === 'none') return { found: ['No warm-up effect was found in the first quarter of the runs.'] };
    const { blocked, change_percent: change, p } = facts;
    const cure: Text = blocked ? [sharedCure(facts)] : [];
    const seen = `The first quarter of the runs used ${size(change)} ${moreOrLess(change)} than the rest (Mann–Whitney ${pText(p)}).`;
    const advice = blocked
      ? 'More warm-up blocks would narrow the interval a little.'
      : 'Warm up longer before the measured runs, and run the variants in randomized blocks.';
    return { found: sentences([[seen], whoseWords(facts), cure]), advice: [advice] };
  },
  'order effect'({ facts }) {
    const { seen } = facts;
    if (seen.length === 0) return { found: ['No order effect was found.'] };
    const each = seen.map(
      ({ baseline = facts.baseline, variant, later_percent: later, p }) =>
        text`Of ${name(variant)} and ${name(baseline)}, the one that ran later in a block used ${size(later)} ${moreOrLess(later)} as a result (Mann–Whitney ${pText(p)}).`,
    );
    const advice =
      'The order is random, so neither variant is favored, but the interval is wider: rest longer before every run.';
    return { found: firstOf(each), advice: [advice] };
  },
  'carry-over'({ reason, facts: { baseline, variant, change_percent: change, p, rested } }) {
    if (reason === 'none') return { found: ['No carry-over from one run to the next was found.'] };
    const after = text`A run right after ${name(variant)} used ${size(change)} ${moreOrLess(change)} than one right after ${name(baseline)} (Mann–Whitney ${pText(p)}).`;
    const longer =
      rested &&
      text`Of the two runs of a block, the one that rested longer used ${moreOrLess(rested.rho)} (Spearman’s ρ ${significant(rested.rho, 2)}, ${pText(rested.p)}).`;
    return {
      found: rested !== null && rested.p < p ? (longer ?? after) : after,
      advice: [
        'Carry-over makes a difference look smaller or larger than it is, but cannot create one: rest longer before every run.',
      ],
    };
  },
  rests({ reason, facts: { rests, longest, up_to_s: most, median_s: middle } }) {
    if (reason === 'settled') {
      const which = longest === 0 ? 'every run' : `all but ${longest} of ${plural(rests, 'run')}`;
      return { found: [`The machine had settled before ${which}, after ${duration(middle)} (median).`] };
    }
    return {
      found: [
        `Before ${longest} of ${plural(rests, 'run')}, the idle machine had not settled after ${duration(most)}: its power or its temperature still changed.`,
      ],
      advice: text`The runs of a block may have begun in different states. See what keeps the machine busy or warm (${code('joulediff doctor')}), or give a longer ${code('rest')}.`,
    };
  },
} satisfies Partial<CheckTable>;

interface Shared {
  readonly seen_in?: readonly string[];
  readonly difference_drifts?: boolean;
}

/** Variants that show the drift by themselves. */
function whoseWords({ seen_in: seenIn = [] }: Shared): Text {
  return seenIn.length === 0 ? [] : text`The runs of ${listed(seenIn)} show it by themselves.`;
}

/** Whether comparing within blocks removes the drift. */
function sharedCure({ seen_in: seenIn = [], difference_drifts: drifts = false }: Shared): string {
  if (drifts) return 'The difference drifts too, so comparing within blocks does not remove all of it.';
  return seenIn.length < 2
    ? 'Comparing within blocks removes what all variants of a block share.'
    : 'Comparing within blocks removes it from the difference.';
}

const direction = (change: number): string => (change > 0 ? 'rose' : 'fell');
