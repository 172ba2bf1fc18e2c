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
  rate({ reason, facts: { period_s: period, nominal_period_s: nominal } }) {
    if (period === null) return { found: 'Too few readings came to say anything.', advice: 'Check the cable.' };
    return {
      found: `A reading came every ${period.toFixed(4)} s; ${nominal} s are usual.`,
      advice: {
        usual: null,
        'few-readings': 'Check the cable.',
        'clock-off': "The meter's clock or this machine's is wrong: energy would be wrong by as much.",
        'host-off': 'The meter answers slowly, or this machine is too busy to ask it in time.',
      }[reason],
    };
  },
  jitter({ reason, facts }) {
    const ms = (facts.jitter_s * 1000).toFixed(1);
    if (reason === 'even') return { found: `The readings come evenly, to ${ms} ms.`, advice: null };
    return {
      found: `The readings come unevenly, by ${ms} ms.`,
      advice: 'What else runs on this machine? A USB hub between may be the cause too.',
    };
  },
  gaps({ reason, facts: { count, first } }) {
    if (reason === 'none') return { found: 'No reading is missing.', advice: null };
    const times = count === 1 ? 'once' : `${count} times`;
    return {
      found: `Readings were missing ${times} (${first ?? ''}): each time a run would be invalid.`,
      advice: 'Check the cable, plug the meter into the machine without a hub, and end other programs.',
    };
  },
  idle({ facts }) {
    return {
      found: `Other programs used up to ${percent(facts.most_share)} of the processors while they should have been idle.`,
      advice: 'What they disturbed was not used.',
    };
  },
  load({ facts }) {
    return {
      found: `The processors were busy for only ${percent(facts.least_share)} of a time in which they should have been.`,
      advice: 'Something keeps them from working, for example the quota of a container.',
    };
  },
  wiring({ reason, facts: { idle_w: idle, busy_w: busy, idle_sd_w: sd, up, judged, made } }) {
    const watts = `${idle?.toFixed(1)} W idle, ${busy?.toFixed(1)} W busy`;
    const fluctuation = `${sd.toFixed(2)} W of fluctuation`;
    const times = judged === made ? 'at every step' : `at each of the ${judged} undisturbed steps`;
    switch (reason) {
      case 'follows':
        return { found: `The meter meters this machine: ${watts}, ${times}.`, advice: null };
      case 'model-follows':
        return { found: `The model follows this machine: ${watts}, ${times}.`, advice: null };
      case 'few-readings':
        return { found: 'Too few readings came for a step to be seen.', advice: 'Check the cable.' };
      case 'disturbed':
        return {
          found: "Whether the meter meters this machine can't be said: other programs disturbed every step.",
          advice: 'End them and check again.',
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
          advice: 'Is a current clamp the wrong way round, or is something between that feeds power back?',
        };
      case 'some-steps':
        return {
          found: `The power followed this machine's processors at ${up} of ${judged} steps only: ${watts}, with ${fluctuation}.`,
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
          found: 'A counter is read at the very edges of a run: its latency is none, and only the wiring was tested.',
          advice: null,
        };
      case 'held':
        return { found: `${late}; a guard of ${least} s, the least for this meter, holds all of it.`, advice: null };
      case 'unsettled':
        return {
          found: `After ${facts.unsettled} of ${facts.edges} changes the power had not settled within ${facts.settle_s.toFixed(1)} s.`,
          advice:
            'The machine itself may be slow (a short boost, fans), or the meter slower than its type: measure with a guard of 10 s or more.',
        };
      case 'early':
        return {
          found: `${late} in the mean, but once before it was made.`,
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

const percent = (share: number): string => `${Math.round(100 * share)} %`;
