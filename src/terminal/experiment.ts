import { resolve } from 'node:path';
import type { Experiment } from '../experiment/experiment.ts';
import { overridesFromFlags } from '../experiment/overrides.ts';
import { readExperiment } from '../experiment/read.ts';
import type { Arguments } from './arguments.ts';
import { DEFAULT_FILE, DEFAULT_OUT } from './command.ts';

/** The experiment that the words of a command ask for. Throws InputError. */
export function experimentFromArguments(args: Arguments): Promise<Experiment> {
  const overrides = overridesFromFlags({
    set: args.all('set'),
    meter: args.text('meter') ?? undefined,
    repetitions: args.text('repetitions') ?? undefined,
    seed: args.text('seed') ?? undefined,
  });
  return readExperiment(args.positional[0] ?? DEFAULT_FILE, overrides);
}

export const outFolder = (args: Arguments): string => resolve(args.text('out') ?? DEFAULT_OUT);
