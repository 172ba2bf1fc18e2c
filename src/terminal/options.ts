import { lstatSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { InputError } from '../errors.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { overridesFromFlags } from '../experiment/overrides.ts';
import { readExperiment } from '../experiment/read.ts';
import { visible } from '../text/plain.ts';
import { command } from './command.ts';
import type { Streams } from './terminal.ts';

export const DEFAULT_FILE = 'joulediff.yml';
const DEFAULT_OUT = 'joulediff-out';

/** The option for the result folder. */
export const OUT = ['--out <DIR>', 'output folder', DEFAULT_OUT] as const;

export const METER = [
  '--meter <NAME>',
  'meter, for example watts-up-pro:/dev/serial/by-id/…, rapl, estimate, auto',
] as const;
export const SEED = ['--seed <N>', 'seed of the random order'] as const;
export const SET = ['--set <KEY=VALUE>', 'set any key of the experiment file, for example warmup.runs=1'] as const;

/** A hidden alias, from another command or tool, of a documented option. */
export const hidden = <Flags extends string>(flags: Flags) => new Option(flags).hideHelp();

/** A command with an experiment file, and options that override its keys. */
export function experimentCommand(
  name: string,
  summary: string,
  { examples, defaultOut = DEFAULT_OUT }: { examples?: readonly string[]; defaultOut?: string } = {},
) {
  return command(name, summary, examples)
    .argument('[joulediff.yml]')
    .option(...METER)
    .option(
      '--repetitions <N>',
      'runs of every variant; auto: until there is a verdict; 6,10,20: may end there if every comparison shows a change',
    )
    .addOption(hidden('--reps <N>'))
    .addOption(hidden('--runs <N>'))
    .option(...SEED)
    .option(OUT[0], OUT[1], defaultOut)
    .option(...SET, append, []);
}

export const RESUME = ['--resume', 'continue the unfinished experiment in DIR'] as const;

export const OVERWRITE = ['--overwrite', 'replace an earlier result in DIR; otherwise it is moved to DIR.1'] as const;

interface ExperimentOptions extends Counts {
  readonly meter?: string | undefined;
  readonly seed?: string | undefined;
  readonly set: readonly string[];
}

/** Number of runs by each of its names: `compare` and hyperfine have their own. */
export interface Counts {
  readonly runs?: string | undefined;
  readonly reps?: string | undefined;
  readonly repetitions?: string | undefined;
}

/** The number of runs, by whichever of its names; undefined: it was not given. Throws InputError where two names were. */
export function givenOnce({ runs, reps, repetitions }: Counts): string | undefined {
  const given = Object.entries({ runs, reps, repetitions }).filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    throw new InputError(`${given.map(([name, value]) => `--${name} ${value}`).join(' and ')} set the same number.`, {
      advice: 'Keep one of them.',
    });
  }
  return given[0]?.[1];
}

/** The experiment of a command line; without a file, that of this folder or one above it. Throws InputError. */
export function experimentOf(
  { stderr }: Pick<Streams, 'stderr'>,
  file: string | undefined,
  { set, meter, seed, ...counts }: ExperimentOptions,
): Promise<Experiment> {
  const repetitions = givenOnce(counts);
  const found = file ?? nearestFile();
  if (file === undefined && found !== DEFAULT_FILE) stderr.write(`Experiment file: ${visible(found)}\n`);
  const overrides = overridesFromFlags({ set, meter, repetitions: repetitions && repetitionsText(repetitions), seed });
  return readExperiment(found, overrides);
}

/**
 * Path of the experiment file in this folder, or the nearest parent folder of the same repository. Parent folders are not searched outside
 * of a repository, or from one with another owner on: commands in a stranger's file must not run.
 */
function nearestFile(): string {
  const owner = process.getuid?.();
  const top = resolve('.');
  for (let folder = top, above: string[] = []; ; folder = dirname(folder)) {
    const [file, repository] = [DEFAULT_FILE, '.git'].map((name) =>
      lstatSync(join(folder, name), { throwIfNoEntry: false }),
    );
    if (file?.uid === owner && folder !== top) above = [...above, join(folder, DEFAULT_FILE)];
    if (file !== undefined && folder === top) return DEFAULT_FILE;
    if (repository !== undefined) return above[0] === undefined ? DEFAULT_FILE : relative('.', above[0]);
    if (folder === dirname(folder) || lstatSync(folder).uid !== owner) return DEFAULT_FILE;
  }
}

/** Parses `6,10,20`: interim analyses after these numbers of blocks, the last at the end. */
export const repetitionsText = (text: string): string =>
  /^\d+(?:,\d+)+$/.test(text) ? `{ looks: [${text.replaceAll(',', ', ')}] }` : text;

/** Collects the values of an option that may be given several times. */
export const append = (text: string, before: string[]): string[] => [...before, text];

export interface NumberLimits {
  readonly minimum: number;
  readonly maximum: number;
  /** Unit for the error message: `watts`. */
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
