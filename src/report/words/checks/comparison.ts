import { LEAST_BLOCKS } from '../../../analysis/verdict.ts';
import { fixed, pText, significant } from '../../../text/numbers.ts';
import { code, joined, listed, name, sentences, text } from '../compose.ts';
import { rangeWords } from '../verdict.ts';
import { type CheckTable, firstOf } from './table.ts';

/** Checks of what the comparison takes for granted: noise, equal conditions, and the shape of the numbers. */
export const comparisonChecks = {
  'noise floor'({ reason, facts: { baseline, blocks, percent, ci95, small } }) {
    const floor = `${significant(percent ?? 0, 2)} %`;
    const interval = ci95 === null ? '' : `95 % interval ${rangeWords(ci95)}, ${blocks} blocks`;
    const more = small.length > 3 ? ` and ${small.length - 3} more` : '';
    const changes =
      small.length === 0
        ? []
        : text`The change of ${listed(small.slice(0, 3))}${more} is not larger than what two identical variants may differ by here (±${floor}).`;
    switch (reason) {
      case 'unknown':
        return {
          found: [
            `The noise floor is not known: it needs ${LEAST_BLOCKS} blocks in which both arms of the baseline have an energy above zero that is not always the same, and there are ${blocks}.`,
          ],
          advice: ['Give more repetitions.'],
        };
      case 'alike':
        return {
          found: text`Two identical arms of ${name(baseline)} differ by no more than ±${floor} (${interval}).`,
        };
      case 'apart': {
        const apart = text`The machine tells two identical arms of ${name(baseline)} apart (${interval}), as chance alone does in one experiment in twenty.`;
        const advice = `Take no difference below ${floor} for one of the variants. Measure again: if it comes back, find out what changes from run to run, and rest longer.`;
        return { found: sentences([apart, changes]), advice: [advice] };
      }
      case 'small-change':
        return {
          found: changes,
          advice: ['It may be the machine’s: measure again, with more repetitions, before you act on it.'],
        };
    }
  },
  'equal conditions'({ reason, facts: { baseline, looked, amounts, governors } }) {
    if (reason === 'none') {
      const names = looked.map((of) => (of === 'governor' ? of : CONDITIONS[of].name));
      return { found: [`Nothing unequal to be seen in ${names.join(', ')}.`] };
    }
    const each = amounts.map(({ variant, condition, baseline_median: from, variant_median: to, p }) => {
      const { name: what, unit, relative } = CONDITIONS[condition];
      const by = relative
        ? `${fixed(Math.abs((100 * (to - from)) / from), 1)} %`
        : `${significant(Math.abs(to - from), 2)} ${unit}`;
      const values = `${significant(from, 3)} → ${significant(to, 3)} ${unit}`;
      return text`The ${what} was ${by} ${to > from ? 'higher' : 'lower'} for ${name(variant)} than for ${name(baseline)} (${values}, ${pText(p)}).`;
    });
    const others = governors.map(
      (g) =>
        text`The governor was not ${name(g.usual)} before ${String(g.other)} of ${String(g.of)} runs of ${name(g.variant)} and ${String(g.baseline_other)} of ${String(g.baseline_of)} of ${name(baseline)} (Fisher ${pText(g.p)}).`,
    );
    const advice =
      'Part of the difference may be the machine’s and not the workload’s: look for what one variant leaves running, and rest longer.';
    return { found: firstOf([...each, ...others]), advice: [advice] };
  },
  'competing load'({ reason, facts: { usual, most, busy_runs: busy, runs } }) {
    if (reason === 'none')
      return { found: [`Nothing else was busy before the runs (${significant(usual, 2)} processors).`] };
    const found =
      reason === 'always'
        ? `Something else kept ${significant(usual, 2)} processors busy while the machine should have rested before the runs (median).`
        : `Before ${busy} of ${runs} runs something else was busy while the machine should have rested (up to ${significant(most, 2)} processors).`;
    const advice = text`It competes with the workload, and its energy is in the runs: find it with ${code('top')} while nothing is measured, and stop it.`;
    return { found: [found], advice };
  },
  'two modes'({ facts: { seen } }) {
    if (seen.length === 0) return { found: ['No groups to be seen among the runs of a variant.'] };
    const each = seen.map(
      ({ variant, scaled_dip: dip, limit }) =>
        text`The runs of ${name(variant)} fall into groups (Hartigan’s dip, √n · D = ${fixed(dip, 2)} against ${fixed(limit, 2)}).`,
    );
    const advice =
      'Look at the violin: a mean between two groups describes no run. Often something switches: frequency, cache placement, a job in the background.';
    return { found: firstOf(each), advice: [advice] };
  },
  normality({ reason, facts: { of, least_p: least, seen } }) {
    const what = of === 'energies' ? 'The energies' : 'The differences';
    if (reason === 'normal') return { found: [`${what} look normal (Shapiro–Wilk ${pText(least)}).`] };
    const which = seen.slice(0, 3).map(({ variant, p }) => text`${name(variant)}: ${pText(p)}`);
    return {
      found: text`${what} do not look normal (Shapiro–Wilk; ${joined(which, ', ')}). The headline does not need it.`,
      advice: ['Read the means and the t statistics beside it with care: a few runs may weigh on them.'],
    };
  },
} satisfies Partial<CheckTable>;

const CONDITIONS = {
  'idle-power': { name: 'idle power around the runs', unit: 'W', relative: true },
  temperature: { name: 'processor temperature before the runs', unit: '°C', relative: false },
  load: { name: 'load by other processes before the runs', unit: 'processors', relative: false },
} as const;
