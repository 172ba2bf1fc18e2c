import type { PassportCheck, PassportCheckName, PassportCheckOf } from '../../findings/passport.ts';

/** What `joulediff meter check` found, in a sentence, with its remedy (null: none is needed). */
export interface PassportCheckWords {
  readonly found: string;
  readonly advice: string | null;
}

export function passportCheckWords(check: PassportCheck): PassportCheckWords {
  // The table holds for each name the function that takes its checks.
  return (WORDS[check.name] as (check: PassportCheck) => PassportCheckWords)(check);
}

const WORDS: { readonly [Name in PassportCheckName]: (check: PassportCheckOf<Name>) => PassportCheckWords } = {
  rate({ reason, facts: { period_s: period, nominal_period_s: nominal, serial } }) {
    if (period === null) return { found: 'There were too few readings to say anything.', advice: keepComing(serial) };
    return {
      found: `A reading arrived every ${period.toFixed(4)} s; ${nominal} s is usual.`,
      advice: {
        usual: null,
        'few-readings': keepComing(serial),
        'clock-off': "The meter's clock or this machine's is wrong: energy would be wrong by as much.",
        'host-off': 'The meter answers slowly, or this machine is too busy to read it in time.',
      }[reason],
    };
  },
  jitter({ reason, facts }) {
    const ms = (facts.jitter_s * 1000).toFixed(1);
    if (reason === 'even') return { found: `The readings arrive evenly, within ${ms} ms.`, advice: null };
    return {
      found: `The readings arrive unevenly, with a jitter of ${ms} ms.`,
      advice: `Check what else is running on this machine. ${facts.serial ? 'A USB hub' : 'A slow answer of the meter'} may also be the cause.`,
    };
  },
  gaps({ reason, facts: { count, first, serial } }) {
    if (reason === 'none') return { found: 'No reading is missing.', advice: null };
    const times = count === 1 ? 'once' : `${count} times`;
    return {
      found: `Readings were missing ${times} (${first ?? ''}): each time a run would be invalid.`,
      advice: serial
        ? 'Check the cable, plug the meter into the machine without a hub, and end other programs.'
        : 'Check that nothing keeps the meter from answering in time, and end other programs.',
    };
  },
  idle({ facts }) {
    return {
      found: `Other programs used up to ${percent(facts.most_share)} of the processors while they should have been idle.`,
      advice: 'The disturbed parts were not used.',
    };
  },
  load({ facts }) {
    return {
      found: `The processors were busy for only ${percent(facts.least_share)} of the time in which they should have been.`,
      advice: 'Something keeps them from working, for example the quota of a container.',
    };
  },
  wiring({ reason, facts: { idle_w: idle, busy_w: busy, idle_sd_w: sd, up, judged, made, serial } }) {
    const watts = `${idle?.toFixed(1)} W idle, ${busy?.toFixed(1)} W busy`;
    const fluctuation = `${sd.toFixed(2)} W of fluctuation`;
    const times = judged === made ? 'at every step' : `at each of the ${judged} undisturbed steps`;
    switch (reason) {
      case 'follows':
        return { found: `The meter measures this machine: ${watts}, ${times}.`, advice: null };
      case 'model-follows':
        return { found: `The model follows this machine: ${watts}, ${times}.`, advice: null };
      case 'few-readings':
        return {
          found: 'There were too few readings to see a step.',
          advice: serial ? keepComing(serial) : `Check again with more steps. ${keepComing(serial)}`,
        };
      case 'disturbed':
        return {
          found: 'It is not clear whether the power follows this machine: other programs disturbed every step.',
          advice: 'Stop them and check again.',
        };
      case 'no-step':
        return {
          found: `The power does not follow this machine's processors: ${watts}, with ${fluctuation}.`,
          advice:
            'Is this machine plugged into another outlet than the metered one, or does a second power supply feed it?',
        };
      case 'falls':
        return {
          found: `The power falls while the processors work: ${watts}.`,
          advice: 'Is a current clamp the wrong way round, or does something in between feed power back?',
        };
      case 'some-steps':
        return {
          found: `The power followed this machine's processors at only ${up} of ${judged} steps: ${watts}, with ${fluctuation}.`,
          advice: 'Is another machine on the same meter? Only the measured one may be.',
        };
    }
  },
  latency({ reason, facts }) {
    const late = `The meter shows a step ${facts.mean_s?.toFixed(2)} s late`;
    const { guard_needed_s: needed, minimum_guard_s: least } = facts;
    switch (reason) {
      case 'counter':
        return {
          found: 'A counter is read at the very edges of a run, so it has no latency to test.',
          advice: null,
        };
      case 'held':
        return {
          found: `${late}; a guard of ${least} s, the shortest for this meter, covers all of it.`,
          advice: null,
        };
      case 'unsettled':
        return {
          found: `After ${facts.unsettled} of ${facts.edges} changes the power had not settled within ${facts.settle_s.toFixed(1)} s.`,
          advice:
            'The machine itself may be slow (a short boost, fans), or the meter slower than its type: measure with a guard of 10 s or more.',
        };
      case 'early':
        return {
          found: `${late} on average, but once before it happened.`,
          advice: 'Something else changes the power: check again on an idle machine.',
        };
      case 'short-guard':
        return {
          found: `${late}; a run touches readings up to ${needed} s away.`,
          advice: `Set guard: ${needed}s or longer.`,
        };
    }
  },
};

const keepComing = (serial: boolean): string =>
  serial ? 'Check the cable.' : '`joulediff meter watch` shows whether its readings keep coming.';

const percent = (share: number): string => `${Math.round(100 * share)} %`;
