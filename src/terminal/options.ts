import { Option } from '@commander-js/extra-typings';
import { InputError } from '../errors.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { overridesFromFlags } from '../experiment/overrides.ts';
import { readExperiment } from '../experiment/read.ts';
import { command } from './command.ts';

export const DEFAULT_FILE = 'joulediff.yml';
const DEFAULT_OUT = 'joulediff-out';

/** Folder of the result. */
export const OUT = ['--out <DIR>', 'output folder', DEFAULT_OUT] as const;

export const METER = [
  '--meter <NAME>',
  'meter, for example watts-up-pro:/dev/serial/by-id/…, rapl, estimate, auto',
] as const;
export const SEED = ['--seed <N>', 'seed of the random order'] as const;
export const SET = ['--set <KEY=VALUE>', 'any key of the experiment file, for example warmup.runs=1'] as const;

/** A word of another command, or of another tool, for an option that is there under its own. */
export const hidden = <Flags extends string>(flags: Flags) => new Option(flags).hideHelp();

/** A command that takes an experiment file, and the options that change what it says. */
export function experimentCommand(name: string, summary: string, defaultOut = DEFAULT_OUT) {
  return command(name, summary)
    .argument('[joulediff.yml]')
    .option(...METER)
    .option('--repetitions <N>', 'number of blocks, that is, of runs of every variant')
    .addOption(hidden('--reps <N>'))
    .addOption(hidden('--runs <N>'))
    .option(...SEED)
    .option(OUT[0], OUT[1], defaultOut)
    .option(...SET, append, []);
}

export const RESUME = ['--resume', 'continue the unfinished experiment in DIR'] as const;

export const OVERWRITE = ['--overwrite', 'replace an earlier result in DIR; else it is moved to DIR.1'] as const;

interface ExperimentOptions {
  readonly meter?: string | undefined;
  readonly repetitions?: string | undefined;
  readonly reps?: string | undefined;
  /** As `compare` and hyperfine name it. */
  readonly runs?: string | undefined;
  readonly seed?: string | undefined;
  readonly set: readonly string[];
}

/** The experiment that the words of such a command ask for. Throws InputError. */
export function experimentOf(
  file = DEFAULT_FILE,
  { set, meter, runs, reps = runs, repetitions = reps, seed }: ExperimentOptions,
): Promise<Experiment> {
  return readExperiment(file, overridesFromFlags({ set, meter, repetitions, seed }));
}

/** For an option that may be given several times. */
export const append = (text: string, before: string[]): string[] => [...before, text];

export interface NumberLimits {
  readonly minimum: number;
  readonly maximum: number;
  /** For the error: `watts`. */
  readonly unit: string;
  readonly whole?: boolean;
}

/** Reads the option's value as a plain decimal number. Throws InputError when it isn't one or outside the limits. */
export function numberOf(option: string, { minimum, maximum, unit, whole = false }: NumberLimits) {
  return (text: string): number => {
    const value = (whole ? /^\d+$/ : /^\d+(\.\d+)?$/).test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    const kind = whole ? 'a whole number of ' : '';
    throw new InputError(
      `${option} ${text} is not possible: it must be ${kind}${minimum} to ${maximum} ${unit}.`.replace(/ \.$/, '.'),
    );
  };
}
