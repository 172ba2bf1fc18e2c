import { significant } from '../../../text/numbers.ts';
import { listed, plural } from '../../../text/plain.ts';
import { code, name, text } from '../../document/text.ts';
import { passportCheckWords } from '../passport-checks.ts';
import { type CheckTable, firstOf } from './table.ts';

const LEAVE_A_PROCESSOR =
  'The host was too busy to read it in time: leave a processor free, or read the meter from another machine.';

/** Checks of the meter: whether its readings can be trusted. */
export const meterChecks = {
  'meter passport'({ reason, facts }) {
    const again = code(`joulediff meter check ${facts.meter ?? 'NAME'}`);
    const { day, guard_s: guard, guard_needed_s: needed, latency_s: latency } = facts;
    switch (reason) {
      case 'missing':
        return {
          found: ['This meter has never been checked on this machine: it may measure something else, or report late.'],
          advice: text`${again} checks both.`,
        };
      case 'short-guard':
        return {
          found: [
            `A guard of ${guard} s is too short for how late this meter reports: its check on ${day} found that it needs ${needed} s.`,
          ],
          advice: text`Set ${code(`guard: ${needed}s`)} or longer.`,
          brief: [`the guard of ${guard} s is too short for this meter, which needs ${needed} s`],
        };
      case 'failed':
        return {
          found: [
            `The meter failed its check on ${day}: ${facts.failed.map((check) => passportCheckWords(check).found).join(' ')}`,
          ],
          advice: text`${again} shows what to do.`,
        };
      case 'undecided':
        return {
          found: [
            `It isn't known whether this meter measures this machine: other programs disturbed every step of its check on ${day}.`,
          ],
          advice: text`Stop them, and run ${again}.`,
        };
      case 'old':
        return { found: [`The meter was checked ${facts.days} days ago.`], advice: text`${again} checks it again.` };
      case 'good': {
        const late = latency === null ? '' : `: it measures this machine and reports ${latency.toFixed(2)} s late`;
        return { found: [`The meter was checked on ${day}${late}.`] };
      }
    }
  },
  'sample clock'({ reason, facts }) {
    const { channel, session, clock, period_s: period, nominal_period_s: nominal, jitter_s: jitter } = facts;
    const title =
      channel === null ? ['sample clock'] : text`sample clock of ${name(channel)}, session ${String(session)}`;
    const found =
      clock === 'meter'
        ? `A reading arrived every ${period.toFixed(5)} s, with a jitter of ${milliseconds(jitter)}.`
        : `The meter was read every ${nominal} s, with a jitter of ${milliseconds(jitter)}; the longest pause was ${milliseconds(facts.longest_s)}.`;
    const advice = {
      even: null,
      scattered: LEAVE_A_PROCESSOR,
      'long-pause': `${LEAVE_A_PROCESSOR} Runs with such a pause are not compared.`,
      'wrong-rate': `The meter should send one every ${nominal} s: check the cable, and that no other program reads this port.`,
    }[reason];
    const brief = `a reading came every ${period.toFixed(3)} s instead of every ${nominal} s`;
    return { title, found: [found], brief: [brief], ...(advice !== null && { advice: [advice] }) };
  },
  'meter readings'({ reason, facts }) {
    const { channel, edges, frozen_edges: frozen, frozen_runs: runs, late_runs: late } = facts;
    const title = channel === undefined ? ['meter readings'] : text`meter readings of ${name(channel)}`;
    switch (reason) {
      case 'follow':
        return { title, found: ['The readings rose and fell with the runs.'] };
      case 'frozen':
        return {
          title,
          found: [
            `One reading repeats, to the last digit, across ${frozen} of ${edges} beginnings and ends of runs that kept processors busy (${runs.length === 1 ? 'run' : 'runs'} ${listed(runs.map(String))}).`,
          ],
          brief: [`the meter stood still at ${frozen} of ${edges} beginnings and ends of runs`],
          advice: [
            'The meter stood still while the power changed, so the energy of these runs is wrong. Look at the meter, its network and its program, and measure again.',
          ],
        };
      case 'late':
        return {
          title,
          found: [
            `In ${late} of ${facts.runs} runs the power rose and fell later than the guard of ${facts.guard_s} s.`,
          ],
          brief: [`the meter reports later than the guard of ${facts.guard_s} s`],
          advice: text`The meter reports late, so the guards cut off energy: ${code('joulediff meter check')} finds the guard that it needs. Where the meter is not late, the workload begins and ends with work outside of its window.`,
        };
    }
  },
  renewal({ reason, facts }) {
    const { meter, renewal_s: renewal, longest_s: longest, guard_s: guard, shortest_s: shortest } = facts;
    if (reason === 'prompt') return { found: text`${name(meter)} renewed its value soon after the load changed.` };
    const often = text`${name(meter)} keeps a value for ${significant(renewal, 2)} s or longer (up to ${significant(longest, 3)} s)`;
    const renewals = `the shortest window holds ${plural(Math.floor(shortest / renewal), 'renewal')} of the meter’s value`;
    const advice = text`Use a meter that renews faster. Or make the workload run for at least ${significant(facts.enough_s, 2)} s, or execute it several times per window: ${code('batch: auto')} determines how often.`;
    switch (reason) {
      case 'enough':
        return { found: text`${often}; ${renewals}.` };
      case 'few':
        return { found: text`${often}, and ${renewals}.`, advice, brief: [renewals] };
      case 'beyond-guard':
        return {
          found: text`${often}, beyond the guard of ${String(guard)} s.`,
          advice: text`Values from before a run reach into its window, so its energy is wrong. Set ${code(`guard: ${Math.ceil(2 * renewal)}s`)} or longer. ${advice}`,
          brief: [`the meter keeps a value for longer than the guard of ${guard} s`],
        };
    }
  },
  'smallest load'({ reason, facts }) {
    const { meter, smallest_w: smallest, idle_percent: idle, loaded_percent: loaded } = facts;
    if (reason === 'above') {
      return {
        found: text`${name(meter)} read more than its smallest load of ${String(smallest)} W, idle and loaded.`,
      };
    }
    const limit = `below the ${smallest} W from which it can measure: there it shows 0, or an older value.`;
    const help =
      'Put a constant load on the same meter, such as a lamp that has warmed up, or use a meter that measures smaller loads.';
    if (reason === 'idle') {
      return {
        found: text`${idle.toFixed(0)} % of the idle readings of ${name(meter)} are ${limit}`,
        advice: [`Energies above idle are wrong then, and the end of a run may be shown late. ${help}`],
      };
    }
    return {
      found: text`${loaded.toFixed(0)} % of the readings of ${name(meter)} in windows are ${limit}`,
      advice: [`The difference between the variants can’t be trusted. ${help}`],
      brief: [`the load is below the ${smallest} W from which the meter can measure`],
    };
  },
  'mirrored zones'({ facts: { meter, zones, mirrors } }) {
    return {
      found: text`${name(meter)} has zones that show one counter: it counted ${zones}, and did not add ${mirrors}.`,
      advice: text`Programs that add every zone report more for this machine: compare them with ${zones} alone.`,
    };
  },
  counter({ reason, facts: { count, seen } }) {
    if (reason === 'negative') {
      const below = seen.map(
        ({ run, variant, energy_j: energy }) =>
          text`Run ${String(run)} of ${name(variant)} has ${significant(energy, 4)} J.`,
      );
      const advice =
        'A meter that is connected the wrong way round shows negative power. Energies above idle are negative where the idle power is too high.';
      const brief = `the energy of ${plural(count, 'run')} is below zero`;
      return { found: firstOf(below, count), advice: [advice], brief: [brief] };
    }
    if (reason === 'none') return { found: ['No counter overflowed unnoticed.'] };
    const each = seen.map(
      ({ run, variant, energy_j: energy, usual_j: usual }) =>
        text`Run ${String(run)} of ${name(variant)} has ${significant(energy, 4)} J; the others have ${significant(usual, 4)} J.`,
    );
    const advice =
      'An energy counter probably overflowed during the run, which should not count. Read the counter more often, and please report this.';
    const brief = `an energy counter probably overflowed in ${plural(count, 'run')}`;
    return { found: firstOf(each, count), advice: [advice], brief: [brief] };
  },
} satisfies Partial<CheckTable>;

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toFixed(1)} ms`;
}
