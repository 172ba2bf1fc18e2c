import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TRACERS } from '../../../contracts/tracers.ts';
import { InputError } from '../../../errors.ts';
import type { Experiment } from '../../../experiment/experiment.ts';
import { overridesFromFlags } from '../../../experiment/overrides.ts';
import { experimentFrom, readExperiment } from '../../../experiment/read.ts';
import { quote } from '../../../input/words.ts';
import { compareRecords, holdsConcealed, recordable, revealed } from '../../../measure/concealed.ts';
import { wasMeasuredHere } from '../../../measure/measured-here.ts';
import { withStore } from '../../../store/reader.ts';
import { resultPath } from '../../../system/result-files.ts';
import { command } from '../../../terminal/command.ts';
import { append, experimentOf, numberOf, OUT, SET } from '../../../terminal/options.ts';
import { runToEnd } from '../../../terminal/run-to-end.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { listed } from '../../../text/plain.ts';
import { cameBy } from '../../../text/way-in.ts';
import { checkExplainable, explaining, nothingToExplain } from '../measure/explaining.ts';

/** Maximum number of experiment files that are searched for values of variables, which results do not contain. */
const MAX_FILES = 50;
/** A `--set` that gives the value of a variable or of a build argument. */
const OF_VARIABLE = /^[^=]*\b(?:env|args)\./;
/** Matches a `--set` of `on-busy`, which changes no run. */
const OF_WAIT = /^on-busy\b/;

const ROUNDS = { minimum: 3, maximum: 100, unit: '', whole: true };

export function explainCommand(terminal: Terminal) {
  return command('explain', 'profile extra runs of a finished experiment, to see what accompanies the difference')
    .argument('[DIR | joulediff.yml]', 'its result, or its experiment file')
    .option(...OUT)
    .option('--rounds <N>', 'runs of every variant, at least 3', numberOf('--rounds', ROUNDS))
    .option(
      '--trace [TRACER]',
      'three more runs of every variant under a tracer: strace, strace-services, uftrace, or several (strace,uftrace)',
    )
    .option('--no-trace', 'no runs under a tracer, even if perf may not count system calls')
    .option(SET[0], 'set any key of the experiment file; of a result, on-busy and values that it left out', append, [])
    .action(async (named, { out, set, rounds, trace: said, json = false }, called) => {
      cameBy({ goesOn: 'again' });
      const { given, trace } = tracedBy(named, said);
      const isFolder = given !== undefined && statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
      if (isFolder && called.getOptionValueSource('out') === 'cli' && resolve(out) !== resolve(given)) {
        throw new InputError(
          `--out ${quote(out)}: what explain sees becomes part of the result in ${quote(given)}, so it goes there.`,
          {
            advice: 'Leave --out out, or copy the result first and explain the copy.',
          },
        );
      }
      const outDir = resolve(isFolder ? given : out);
      const experiment =
        given === undefined || isFolder
          ? { ...(await recorded(outDir, set)), ...waitIn(set) }
          : await experimentOf(terminal, given, { set });
      checkExplainable(experiment, outDir);
      const extraRuns = explaining({ rounds, trace });
      await runToEnd(terminal, {
        experiment,
        outDir,
        resume: true,
        overwrite: false,
        json,
        extraRuns,
        onlyExtraRuns: true,
      });
    });
}

/** Interprets the argument after a bare --trace as the target, which is no tracer's name. Throws InputError. */
function tracedBy(given: string | undefined, said: string | boolean | undefined) {
  if (typeof said !== 'string') return { given, trace: said };
  const words = said.split(',');
  const names = TRACERS.filter((name) => words.includes(name));
  if (words.every((word) => TRACERS.some((name) => name === word))) return { given, trace: names };
  if (given === undefined) return { given: said, trace: true };
  throw new InputError(
    `--trace is ${quote(said)}: it takes ${TRACERS.join(', ')}, or several of them (strace,uftrace).`,
  );
}

/** The experiment that this user measured here, from its record. A result contains no values of variables: experiment files in its folder and `--set` give them. */
async function recorded(outDir: string, set: readonly string[]): Promise<Experiment> {
  const database = resultPath(outDir, 'database');
  if (!existsSync(database)) throw nothingToExplain(outDir);
  const [definition, id] = withStore(database, (reader) => [reader.definition(), reader.experiment().id] as const);
  const advice = `Give its experiment file: joulediff explain joulediff.yml --out ${outDir}.`;
  if (!wasMeasuredHere(definition)) {
    throw new InputError(
      `The result in ${outDir} names the commands to run, but this user didn’t measure it on this machine: commands from another user’s file are not run.`,
      { advice },
    );
  }
  const isConcealed = holdsConcealed(definition);
  if (set.some((setting) => !OF_WAIT.test(setting) && !(isConcealed && OF_VARIABLE.test(setting))))
    throw new InputError('Of a result, --set takes only on-busy and values left out of it.', { advice });
  if (!isConcealed) return definition;
  const given = await experimentsIn(definition.directory, set);
  const { experiment, missing } = revealed(definition, id, given);
  if (!holdsConcealed(experiment)) return experiment;
  const isSame = (one: Experiment): boolean => compareRecords(definition.variants, asRecorded(one, id).variants).isSame;
  const same = given.find((one) => missing.size === 0 && one.name === definition.name && isSame(one));
  if (same !== undefined) return same;
  const names = listed([...missing].map((name) => quote(name)));
  const what = missing.size === 0 ? 'the credentials in its commands' : `the values of ${names}`;
  throw new InputError(
    `The result in ${outDir} does not hold ${what}, and no experiment file in ${definition.directory} gives them.`,
    { advice: `Give each of them again, as it was: joulediff explain ${outDir} --set workload.env.NAME=VALUE.` },
  );
}

/** The wait for a busy machine that `--set` gives. It also makes advice name `--set`, not a file. Throws ExperimentError. */
function waitIn(set: readonly string[]): Pick<Experiment, 'waitForMachineS'> {
  cameBy({ keys: 'options' });
  const overrides = overridesFromFlags({ set: set.filter((setting) => OF_WAIT.test(setting)) });
  const options = { where: 'explain', directory: '.', overrides };
  const { waitForMachineS = 0 } = experimentFrom({ workload: { run: 'true' }, variants: { a: {}, b: {} } }, options);
  return overrides.length === 0 ? {} : { waitForMachineS };
}

const asRecorded = (experiment: Experiment, id: string): Experiment =>
  JSON.parse(JSON.stringify(recordable(experiment, id)));

/** Reads every experiment file in a folder twice: as it is, and with the settings of `--set`. Other files, and a folder that is gone, give none. */
async function experimentsIn(folder: string, set: readonly string[]): Promise<readonly Experiment[]> {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /\.ya?ml$/i.test(name));
  const ways = [overridesFromFlags({ set }), []];
  const read = names.slice(0, MAX_FILES).flatMap((name) => ways.map((way) => readExperiment(join(folder, name), way)));
  const settled = await Promise.allSettled(read);
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
