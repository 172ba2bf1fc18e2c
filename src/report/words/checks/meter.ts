import { significant } from '../../../text/numbers.ts';
import { code, name, text } from '../compose.ts';
import { passportCheckWords } from '../passport-checks.ts';
import { type CheckTable, firstOf } from './table.ts';

const LEAVE_A_PROCESSOR = 'The host read them late: leave it a processor, or read the meter on another machine.';

/** Checks of the meter: whether its readings can be trusted. */
export const meterChecks = {
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
          found: [
            `The meter's check on ${day} did not find it sane: ${facts.failed.map((check) => passportCheckWords(check).found).join(' ')}`,
          ],
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
  counter({ facts: { count, seen } }) {
    if (count === 0) return { found: ['No energy is off by the range of a counter.'] };
    const each = seen.map(
      ({ run, variant, energy_j: energy, usual_j: usual }) =>
        text`Run ${String(run)} of ${name(variant)} has ${significant(energy, 4)} J, where the others have ${significant(usual, 4)} J.`,
    );
    const advice =
      'An energy counter seems to have started again during the run: read it more often, and report this; the run should not count.';
    return { found: firstOf(each, count), advice: [advice] };
  },
} satisfies Partial<CheckTable>;

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toFixed(1)} ms`;
}
