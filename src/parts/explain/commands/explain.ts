import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TRACERS } from '../../../contracts/tracers.ts';
import { InputError } from '../../../errors.ts';
import type { Experiment } from '../../../experiment/experiment.ts';
import { quote } from '../../../input/words.ts';
import { holdsConcealed } from '../../../measure/concealed.ts';
import { wasMeasuredHere } from '../../../measure/measured-here.ts';
import { withStore } from '../../../store/reader.ts';
import { resultPath } from '../../../system/result-files.ts';
import { command } from '../../../terminal/command.ts';
import { append, DEFAULT_FILE, experimentOf, numberOf, OUT, SET } from '../../../terminal/options.ts';
import { runToEnd } from '../../../terminal/run-to-end.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { checkExplainable, explaining, nothingToExplain } from '../measure/explaining.ts';

const ROUNDS = { minimum: 3, maximum: 100, unit: '', whole: true };

export function explainCommand(terminal: Terminal) {
  return command('explain', 'profile extra runs of a finished experiment, to see what accompanies the difference')
    .argument('[DIR | joulediff.yml]', 'its result, or its experiment file')
    .option(...OUT)
    .option('--rounds <N>', 'runs of every variant, 3 at least', numberOf('--rounds', ROUNDS))
    .option(
      '--trace [TRACER]',
      'three more runs of each under a tracer: strace, strace-services, uftrace, or several (strace,uftrace)',
    )
    .option('--no-trace', 'none of them, even where perf may not count calls')
    .option(...SET, append, [])
    .action(async (named, { out, set, rounds, trace: said, json = false }) => {
      const { given, trace } = tracedBy(named, said);
      const isFolder = given !== undefined && statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
      const outDir = resolve(isFolder ? given : out);
      const experiment =
        given === undefined || isFolder
          ? await recorded(terminal, outDir, set)
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

/** The experiment as recorded here by this user; environment values that no result contains are taken from its file. */
async function recorded(terminal: Terminal, outDir: string, set: readonly string[]): Promise<Experiment> {
  const database = resultPath(outDir, 'database');
  if (!existsSync(database)) throw nothingToExplain(outDir);
  const definition = withStore(database, (reader) => reader.definition());
  const advice = `Give its experiment file: joulediff explain joulediff.yml --out ${outDir}.`;
  if (!wasMeasuredHere(definition)) {
    throw new InputError(
      `The result in ${outDir} names the commands to run, but this user didn’t measure it on this machine: commands out of somebody’s file are not run.`,
      { advice },
    );
  }
  if (!holdsConcealed(definition)) {
    if (set.length === 0) return definition;
    throw new InputError('--set changes an experiment file, and none was given.', { advice });
  }
  const file = join(definition.directory, DEFAULT_FILE);
  if (existsSync(file)) return experimentOf(terminal, file, { set });
  throw new InputError(
    `Values of variables, or credentials in the commands, of ${definition.name} are not in its result.`,
    {
      advice,
    },
  );
}
