import { InputError } from '../errors.ts';
import { checkPin } from '../executors/pins.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { processorsIn } from '../machine/processors.ts';
import type { Pinned } from '../tuning/settings.ts';

const WHO = { workload: 'The workload', client: 'The client', joulediff: 'joulediff' } as const;

/** Numbers of the processors that `cpus` in the experiment file gives to the workload, and to anything at all. */
export function pinnedProcessors({ pins = {} }: Pick<Experiment, 'pins'>): Pinned {
  const all = Object.values(pins).flatMap(({ cpus }) => processorsIn(cpus ?? ''));
  return { workload: processorsIn(pins.workload?.cpus ?? ''), all };
}

/** Throws InputError where processors or nice values can't be held here. Changes nothing. */
export function checkPins({ pins = {} }: Pick<Experiment, 'pins'>): void {
  for (const who of ['workload', 'client', 'joulediff'] as const) {
    const pin = pins[who];
    if (pin === undefined) continue;
    if (who === 'joulediff' && pin.nice !== null && process.geteuid?.() !== 0) {
      // An ordinary user could not give it back for what is started.
      throw new InputError('nice.joulediff needs root: whatever joulediff starts would keep the value otherwise.', {
        advice: 'Leave it out, or start joulediff as root.',
      });
    }
    checkPin(WHO[who], pin);
  }
}
