import { MIN_BLOCKS } from '../../../stats/signed-rank.ts';
import { fixed, pText, significant } from '../../../text/numbers.ts';
import { code, joined, listedUpTo, name, sentences, text } from '../../document/text.ts';
import { rangeWords } from '../verdict.ts';
import { type CheckTable, firstOf } from './table.ts';

/** Checks of the comparison's assumptions: noise, equal conditions, and the distribution of the numbers. */
export const comparisonChecks = {
  'noise floor'({ reason, facts: { baseline, blocks, percent, ci95, small } }) {
    const floor = `${significant(percent ?? 0, 2)} %`;
    const interval = ci95 === null ? '' : `95 % interval ${rangeWords(ci95)}, ${blocks} blocks`;
    const changes =
      small.length === 0
        ? []
        : text`The change of ${listedUpTo(small.map(name), 3)} is no larger than the difference that two identical variants may show on this machine (±${floor}).`;
    switch (reason) {
      case 'unknown':
        return {
          found: [
            `The noise floor is unknown: it takes ${MIN_BLOCKS} blocks in which both arms of the baseline have an energy above zero, and energies that vary; there are ${blocks}.`,
          ],
          advice: ['Run more repetitions.'],
        };
      case 'alike':
        return {
          found: text`Two identical arms of ${name(baseline)} differ by no more than ±${floor} (${interval}).`,
        };
      case 'apart': {
        const apart = text`Two identical arms of ${name(baseline)} differ on this machine (${interval}), which happens by chance alone in one experiment in twenty.`;
        const advice = `Do not attribute a difference below ${floor} to a variant. Measure again: if the difference is still there, find out what changes from run to run, and rest longer.`;
        return { found: sentences([apart, changes]), advice: [advice] };
      }
      case 'small-change':
        return {
          found: changes,
          advice: [
            'It may come from the machine rather than the variant: measure again with more repetitions before you act on it.',
          ],
        };
    }
  },
  'equal conditions'({ reason, facts }) {
    const { looked, amounts, governors } = facts;
    if (reason === 'none') {
      const names = looked.map((of) => (of === 'governor' ? of : CONDITIONS[of].name));
      return { found: [`No differences between the variants in ${names.join(', ')}.`] };
    }
    const each = amounts.map(
      ({ baseline = facts.baseline, variant, condition, baseline_median: from, variant_median: to, p }) => {
        const { name: what, unit, relative } = CONDITIONS[condition];
        const by = relative
          ? `${fixed(Math.abs((100 * (to - from)) / from), 1)} %`
          : `${significant(Math.abs(to - from), 2)} ${unit}`;
        const values = `${significant(from, 3)} → ${significant(to, 3)} ${unit}`;
        return text`The ${what} was ${by} ${to > from ? 'higher' : 'lower'} for ${name(variant)} than for ${name(baseline)} (${values}, ${pText(p)}).`;
      },
    );
    const others = governors.map(
      (g) =>
        text`The governor was not ${name(g.usual)} before ${String(g.other)} of ${String(g.of)} runs of ${name(g.variant)} and ${String(g.baseline_other)} of ${String(g.baseline_of)} of ${name(g.baseline ?? facts.baseline)} (Fisher ${pText(g.p)}).`,
    );
    const advice =
      'Part of the difference may come from the machine rather than the workload: find out what a variant leaves running, and rest longer.';
    return { found: firstOf([...each, ...others]), advice: [advice] };
  },
  'competing load'({ reason, facts: { usual, most, busy_runs: busy, runs } }) {
    if (reason === 'none')
      return { found: [`Nothing else was busy before the runs (${significant(usual, 2)} processors).`] };
    const found =
      reason === 'always'
        ? `Other programs kept ${significant(usual, 2)} processors busy before the runs, while the machine should have been idle (median).`
        : `Other programs were busy before ${busy} of ${runs} runs, while the machine should have been idle (up to ${significant(most, 2)} processors).`;
    const advice = text`They compete with the workload, and their energy is included. Find them with ${code('top')} and stop them.`;
    return { found: [found], advice };
  },
  'two modes'({ facts: { seen } }) {
    if (seen.length === 0) return { found: ['The runs of each variant form a single group.'] };
    const each = seen.map(
      ({ variant, scaled_dip: dip, limit }) =>
        text`The runs of ${name(variant)} fall into groups (Hartigan’s dip, √n · D = ${fixed(dip, 3)} above ${fixed(limit, 3)}).`,
    );
    const advice =
      'Look at the violin plot: a mean between two groups describes no run. The cause is often something that switches: frequency, cache placement, a background job.';
    return { found: firstOf(each), advice: [advice] };
  },
  normality({ reason, facts: { of, least_p: least, seen } }) {
    const what = of === 'energies' ? 'The energies' : 'The differences';
    if (reason === 'normal') return { found: [`${what} look normal (Shapiro–Wilk ${pText(least)}).`] };
    const which = seen
      .slice(0, 3)
      .map(
        ({ baseline, variant, p }) =>
          text`${name(variant)}${baseline === undefined ? '' : text` against ${name(baseline)}`}: ${pText(p)}`,
      );
    return {
      found: text`${what} do not look normal (Shapiro–Wilk; ${joined(which, ', ')}). The headline does not depend on this.`,
      advice: ['Read the means and t statistics with care: a few runs may dominate them.'],
    };
  },
} satisfies Partial<CheckTable>;

const CONDITIONS = {
  'idle-power': { name: 'idle power around the runs', unit: 'W', relative: true },
  temperature: { name: 'processor temperature before the runs', unit: '°C', relative: false },
  load: { name: 'load by other processes before the runs', unit: 'processors', relative: false },
} as const;
