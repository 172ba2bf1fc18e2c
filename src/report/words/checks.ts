import { LEAST_BLOCKS } from '../../analysis/verdict.ts';
import type { Check, CheckName, CheckOf } from '../../findings/checks.ts';
import { ENOUGH_READINGS, LEAST_READINGS } from '../../schedule/batch.ts';
import { fixed, pText, significant } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import type { Text } from '../document/text.ts';
import { code, joined, listed, name, sentences, text } from './compose.ts';
import { rangeWords } from './verdict.ts';

/** A check in words: what was found, and what to do about it (null: nothing). */
export interface CheckTexts {
  readonly title: Text;
  readonly found: Text;
  readonly advice: Text | null;
}

export function checkTexts(check: Check): CheckTexts {
  // The table holds for each name the function that takes its checks.
  const told = (WORDS[check.name] as (check: Check) => Words)(check);
  const { title = [check.name], found, advice = null } = told;
  return { title, found, advice };
}

interface Words {
  readonly title?: Text;
  readonly found: Text;
  readonly advice?: Text | null;
}

const LEAVE_A_PROCESSOR = 'The host read them late: leave it a processor, or read the meter on another machine.';
const MOST_LISTED = 5;

const WORDS: { readonly [Name in CheckName]: (check: CheckOf<Name>) => Words } = {
  plan({ reason, facts: { blocks, ended, signal, message } }) {
    if (reason === 'complete') return { found: ['Every planned run has a valid execution.'] };
    if (reason === 'ended-early') {
      const found = `It ended early by plan, at its look after ${blocks} blocks; the planned runs beyond were not needed.`;
      return { found: [found] };
    }
    const why = {
      died: 'the process died',
      stopped: signal === null ? 'stopped' : `stopped by ${signal}`,
      failed: message,
      complete: 'complete',
    }[ended ?? 'died'];
    return {
      found: [`The experiment is not through its plan (${why}); the numbers are of what was measured until then.`],
      advice: text`Run it again with ${code('--resume')} to complete it.`,
    };
  },
  runs({ reason, facts: { excluded, elsewhere, warmups, listed: some } }) {
    const warmed: Text = warmups ? [`${plural(warmups, 'warm-up run')} not compared.`] : [];
    if (reason === 'none-excluded') return { found: sentences([['No run failed or was invalid.'], warmed]) };
    if (some !== null) {
      const each = some.map(({ run, variant, channel, reason: why }) => {
        const on = channel === null ? [] : text` [${name(channel)}]`;
        return text`run ${String(run)} of ${name(variant)}${on}: ${name(why)}`;
      });
      const more = excluded > each.length ? ` and ${excluded - each.length} more` : '';
      return {
        found: sentences([text`${plural(excluded, 'run')} excluded (${joined(each, ', ')}${more}).`, warmed]),
        advice: text`They are in no number; ${code('--json')} lists all of them.`,
      };
    }
    const others = elsewhere.map(
      ({ channel, runs }) => text`On ${name(channel)} alone ${excludedWords(runs)} not compared there.`,
    );
    const first: Text = excluded === 0 ? [] : [`${excludedWords(excluded)} not compared.`];
    return { found: sentences([first, ...others]), advice: ['The reason of each is in runs.csv.'] };
  },
  'run length'({ reason, facts }) {
    const title = facts.channel === null ? ['run length'] : text`run length for ${name(facts.channel)}`;
    const { shortest_s: shortest, enough_s: enough, readings } = facts;
    if (reason === 'no-energy' || shortest === null || enough === null)
      return { title, found: ['No run has an energy.'] };
    const length = `The shortest window is ${fixed(shortest, shortest < 10 ? 2 : 1)} s long`;
    const found = readings === null ? `${length}.` : `${length}: ${readings} readings of the meter.`;
    if (reason === 'long-enough') return { title, found: [found] };
    if (reason === 'few-readings') {
      const need: Text = [`${LEAST_READINGS} readings are the least, ${ENOUGH_READINGS} are good.`];
      return { title, found: [found], advice: sentences([longer(enough), need]) };
    }
    const behind = `The counter is up to ${(facts.edge_s ?? 0) * 1000} ms behind, which leaves ${(facts.uncertain_percent ?? 0).toPrecision(2)} % of such a run uncertain.`;
    return { title, found: [`${found} ${behind}`], advice: longer(enough) };
  },
  conditions({ reason }) {
    if (reason === 'same') return { found: ['The machine was described the same way whenever measuring began.'] };
    return {
      found: ['The experiment was resumed on a machine that is described differently (kernel, governor, Docker, …).'],
      advice: ['Measure it anew in one go if the difference matters; both descriptions are in the database.'],
    };
  },
  'sample clock'({ reason, facts }) {
    const { channel, session, clock, period_s: period, nominal_period_s: nominal, jitter_s: jitter } = facts;
    const title =
      channel === null ? ['sample clock'] : text`sample clock of ${name(channel)}, session ${String(session)}`;
    const found =
      clock === 'meter'
        ? `A reading came every ${period.toFixed(5)} s, scattered by ${milliseconds(jitter)}.`
        : `The meter was read every ${nominal} s, scattered by ${milliseconds(jitter)}; the longest pause was ${milliseconds(facts.longest_s)}.`;
    const advice = {
      even: null,
      scattered: LEAVE_A_PROCESSOR,
      'long-pause': `${LEAVE_A_PROCESSOR} Runs with such a pause are not compared.`,
      'wrong-rate': `The meter should give one every ${nominal} s: check the cable, and that nothing else reads this port.`,
    }[reason];
    return { title, found: [found], advice: advice === null ? null : [advice] };
  },
  'meter passport'({ reason, facts }) {
    const again = code(`joulediff meter check ${facts.meter ?? 'NAME'}`);
    const { day, guard_s: guard, guard_needed_s: needed, latency_s: latency } = facts;
    switch (reason) {
      case 'missing':
        return {
          found: ['Whether this meter meters this machine, and how late, was never checked here.'],
          advice: text`${again} finds it out.`,
        };
      case 'short-guard':
        return {
          found: [
            `A guard of ${guard} s does not hold what this meter tells late: its check on ${day} found ${needed} s.`,
          ],
          advice: text`Set ${code(`guard: ${needed}s`)} or longer.`,
        };
      case 'not-sane':
        return {
          found: [`The meter's check on ${day} did not find it sane: ${facts.failed.join(' ')}`],
          advice: text`${again} shows what to do.`,
        };
      case 'old':
        return { found: [`The meter was checked ${facts.days} days ago.`], advice: text`${again} does it anew.` };
      case 'good': {
        const late = latency === null ? '' : `: it meters this machine, ${latency.toFixed(2)} s late`;
        return { found: [`The meter was checked on ${day}${late}.`] };
      }
    }
  },
  drift({ reason, facts: { blocked, change_percent: change, p, lag1 } }) {
    if (reason === 'none') return { found: ['No drift of the machine to be seen.'] };
    const seen =
      reason === 'trend'
        ? `The machine drifted: its runs ${direction(change)} by ${size(change)} from the first to the last (Mann–Kendall ${pText(p)}).`
        : `Neighbouring runs are alike, whatever ran (lag-1 correlation ${fixed(lag1, 2)}).`;
    const cure: Text = blocked ? ['Comparing inside blocks takes it out of the difference.'] : [];
    const advice = blocked
      ? 'A longer warm-up or rest would make the interval narrower.'
      : 'Run the variants in randomized blocks: without them drift is part of the difference.';
    return { found: sentences([[seen], cure]), advice: [advice] };
  },
  'drift of the difference'({ facts: { baseline, seen } }) {
    if (seen.length === 0) return { found: ['No drift of the difference to be seen.'] };
    const each = seen.map(({ variant, trend, change_percent: change, p, lag1 }) =>
      trend
        ? text`The difference between ${name(variant)} and ${name(baseline)} ${direction(change)} by ${size(change)} during the experiment (Mann–Kendall ${pText(p)}).`
        : text`The differences between ${name(variant)} and ${name(baseline)} depend on the block before (lag-1 correlation ${fixed(lag1, 2)}).`,
    );
    return {
      found: some(each),
      advice: [
        'The blocks did not absorb all of what changed. That something differs can still be trusted, by the random order; how much, less. Measure again, on a quieter machine or after a longer warm-up.',
      ],
    };
  },
  'warm-up'({ reason, facts: { blocked, change_percent: change, p } }) {
    if (reason === 'none') return { found: ['No warm-up to be seen in the first quarter of the runs.'] };
    const cure: Text = blocked ? ['Both variants of a block had it alike.'] : [];
    const seen = `The first quarter of the runs used ${size(change)} ${moreOrLess(change)} than the rest, whatever ran (Mann–Whitney ${pText(p)}).`;
    const advice = blocked
      ? 'More warm-up blocks would make the interval a little narrower.'
      : 'Warm up longer before the runs that are compared, and run the variants in randomized blocks.';
    return { found: sentences([[seen], cure]), advice: [advice] };
  },
  'order effect'({ facts: { baseline, seen } }) {
    if (seen.length === 0) return { found: ['No order effect to be seen.'] };
    const each = seen.map(
      ({ variant, later_percent: later, p }) =>
        text`Of ${name(variant)} and ${name(baseline)}, the one that ran later in a block used ${size(later)} ${moreOrLess(later)} for it (Mann–Whitney ${pText(p)}).`,
    );
    const advice =
      'The order is drawn by chance, so that neither variant is favoured, but the interval is wider for it: rest longer before every run.';
    return { found: some(each), advice: [advice] };
  },
  'carry-over'({ reason, facts: { baseline, variant, change_percent: change, p } }) {
    if (reason === 'none') return { found: ['No carry-over from one run to the next to be seen.'] };
    return {
      found: text`A run right after ${name(variant)} used ${size(change)} ${moreOrLess(change)} than one right after ${name(baseline)} (Mann–Whitney ${pText(p)}).`,
      advice: [
        'It makes the difference look smaller or larger than it is, though never where there is none: rest longer before every run.',
      ],
    };
  },
  'two modes'({ facts: { seen } }) {
    if (seen.length === 0) return { found: ['No groups to be seen among the runs of a variant.'] };
    const each = seen.map(
      ({ variant, scaled_dip: dip, limit }) =>
        text`The runs of ${name(variant)} fall into groups (Hartigan’s dip, √n · D = ${fixed(dip, 2)} against ${fixed(limit, 2)}).`,
    );
    const advice =
      'Look at the violin: a mean between two groups describes no run. Often something switches: frequency, cache placement, a job in the background.';
    return { found: some(each), advice: [advice] };
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
    return { found: some([...each, ...others]), advice: [advice] };
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
  counter({ facts: { count, seen } }) {
    if (count === 0) return { found: ['No energy is off by the range of a counter.'] };
    const each = seen.map(
      ({ run, variant, energy_j: energy, usual_j: usual }) =>
        text`Run ${String(run)} of ${name(variant)} has ${significant(energy, 4)} J, where the others have ${significant(usual, 4)} J.`,
    );
    const advice =
      'An energy counter seems to have started again during the run: read it more often, and report this; the run should not count.';
    return { found: some(each, count), advice: [advice] };
  },
  revisions({ reason, facts: { variants } }) {
    if (reason === 'seen') return { found: ['Every variant at a revision sees files of it.'] };
    return {
      found: text`${listed(variants)}: the image is not built from the revision and no folder of it is mounted, so that the revision changes nothing there.`,
      advice: text`Give ${code('build')} in the place of ${code('image')}, or a volume such as ${code('".:/work"')}.`,
    };
  },
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
  blocks({ reason, facts: { incomplete, of } }) {
    if (reason === 'whole') return { found: ['Every block has every variant.'] };
    const more = incomplete.length > MOST_LISTED ? ` and ${incomplete.length - MOST_LISTED} more` : '';
    const which = `${incomplete.slice(0, MOST_LISTED).join(', ')}${more}`;
    return {
      found: [`${plural(incomplete.length, 'block')} of ${of} without a valid run of every variant (block ${which}).`],
      advice: [
        'The headline compares pairs of one block; a run without its partner counts only for the means of its variant.',
      ],
    };
  },
  'run order'({ reason, facts: { order } }) {
    switch (reason) {
      case 'mixed':
        return { found: ['The variants are mixed in the order of the runs.'] };
      case 'unknown':
        return {
          found: ['The file does not tell in which order the runs were made (it has no column run).'],
          advice: ['If one variant was run after the other, the machine’s drift is part of the difference.'],
        };
      case 'one-after-another':
        return {
          found: ['All runs of one variant were made before those of the next.'],
          advice: ['The machine’s drift is part of the difference: run the variants in random order, in blocks.'],
        };
      case 'fixed':
        return {
          found: text`Every block has the same order: ${listed(order ?? [])}.`,
          advice: [
            'Whatever the run before does to the next one is part of the difference: draw the order of each block.',
          ],
        };
    }
  },
  columns({ facts: { names } }) {
    const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : '';
    return { found: text`Not read: ${listed(names.slice(0, MOST_LISTED))}${more}.` };
  },
  'second arm'({ facts: { baseline, again } }) {
    return {
      found: text`${name(again)} is taken for the second arm of ${name(baseline)}, which shows the noise floor, and not compared.`,
      advice: ['If it is a variant of its own, give it another name in the file.'],
    };
  },
};

const CONDITIONS = {
  'idle-power': { name: 'idle power around the runs', unit: 'W', relative: true },
  temperature: { name: 'processor temperature before the runs', unit: '°C', relative: false },
  load: { name: 'load by other processes before the runs', unit: 'processors', relative: false },
} as const;

/** The first of many; `all` where only some of them are at hand. */
function some(each: readonly Text[], all = each.length): Text {
  const most = 3;
  return sentences([...each.slice(0, most), all > most ? [`(And ${all - most} more.)`] : []]);
}

function excludedWords(count: number): string {
  return count === 1
    ? '1 run failed, was invalid or was set aside with its block, and is'
    : `${count} runs failed, were invalid or were set aside with their block, and are`;
}

function longer(enoughS: number): Text {
  const length = enoughS < 2 ? Math.ceil(enoughS * 10) / 10 : Math.ceil(enoughS);
  return text`Let the workload run for ${String(length)} s or more, or let one window hold several executions of it: ${code('batch: auto')} finds how many.`;
}

/** `1.4 %`, without its sign. */
function size(change: number): string {
  const percent = Math.abs(change);
  return `${fixed(percent, percent < 0.1 ? 3 : percent < 1 ? 2 : 1)} %`;
}

const direction = (change: number): string => (change > 0 ? 'rose' : 'fell');

const moreOrLess = (change: number): string => (change > 0 ? 'more' : 'less');

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toFixed(1)} ms`;
}
