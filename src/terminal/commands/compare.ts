import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { stringify } from 'yaml';
import { codeOf, InputError, messageOf } from '../../errors.ts';
import { type Comparison, comparisonFile } from '../../experiment/comparison.ts';
import { applyOverride, type Overrides, overrideFromFlag, overridesFromFlags } from '../../experiment/overrides.ts';
import { experimentFrom } from '../../experiment/read.ts';
import type { ExperimentFile } from '../../experiment/schema.ts';
import { pausesFor } from '../../run/pauses.ts';
import { visible } from '../../text/plain.ts';
import { cameBy } from '../../text/way-in.ts';
import { command } from '../command.ts';
import { append, hidden, METER, OUT, OVERWRITE, RESUME, SEED, SET } from '../options.ts';
import { runToEnd } from '../run-to-end.ts';
import type { Terminal } from '../terminal.ts';

const SUMMARY = 'compare commands with each other, or one command in several places, without an experiment file';

export function compareCommand(terminal: Terminal) {
  return command('compare', SUMMARY)
    .argument('<CMD...>', "commands in quotes, such as 'sort file' 'sort --parallel=1 file'")
    .option('--native', 'natively, on this machine')
    .option('--image <NAME>', 'in a container of this image; may be given several times', append, [])
    .option('--build <DIR>', 'in a container of the image that the Dockerfile in DIR builds')
    .option('--base <REV>', 'HEAD against this commit, natively or with --build')
    .option('--worktree', 'the working tree in the place of HEAD, with changes that are not committed')
    .option('--prepare <CMD>', 'command to run before every run; not measured')
    .option('--warmup <N>', 'warm-up runs of each, not compared (default 2)')
    .option('--runs <N>', 'runs of each (default 30)')
    .addOption(hidden('--repetitions <N>'))
    .addOption(hidden('--reps <N>'))
    .option(...METER)
    .option(...SEED)
    .option(...OUT)
    .option(...RESUME)
    .option(...OVERWRITE)
    .option(...SET, append, [])
    .option('--export <FILE.yml>', 'also write the experiment file that this comparison stands for')
    .action(async (commands, { native = false, image, build = null, base = null, worktree = false, ...options }) => {
      cameBy({ keys: 'options' });
      const comparison = { commands, native, images: image, build, base, worktree };
      const { definition, overrides } = await definitionOf(comparison, options);
      const experiment = experimentFrom(definition, { where: 'compare', directory: resolve('.'), overrides });
      if (options.export !== undefined) {
        await writeExport(options.export, definition, overrides);
        terminal.stderr.write(
          `Wrote ${visible(options.export)}: joulediff run ${visible(options.export)} measures the same.\n`,
        );
      }
      await runToEnd(terminal, {
        experiment,
        outDir: resolve(options.out),
        resume: options.resume ?? false,
        overwrite: options.overwrite ?? false,
      });
    });
}

interface Options {
  readonly prepare?: string | undefined;
  readonly warmup?: string | undefined;
  readonly runs?: string | undefined;
  /** As `run` names it. */
  readonly repetitions?: string | undefined;
  readonly reps?: string | undefined;
  readonly meter?: string | undefined;
  readonly seed?: string | undefined;
  readonly set: readonly string[];
}

/** The experiment file, with pauses that suit the meter, and what the options change in it. */
async function definitionOf(
  comparison: Comparison,
  { prepare, warmup, reps, repetitions = reps, runs = repetitions, meter, seed, set }: Options,
): Promise<{ definition: ExperimentFile; overrides: Overrides }> {
  const file = comparisonFile(comparison);
  const flag = (name: string, path: string, text: string | undefined) =>
    text === undefined ? [] : [overrideFromFlag(name, path, text)];
  const overrides = [
    ...overridesFromFlags({ set, meter, seed }),
    ...flag('--prepare', 'workload.prepare', prepare),
    ...flag('--warmup', 'warmup.runs', warmup),
    ...flag('--runs', 'repetitions', runs),
  ];
  // What is wrong with the options is told before a meter is opened.
  const given = experimentFrom(file, { where: 'compare', directory: resolve('.'), overrides });
  const pauses = await pausesFor(given.meters);
  // A preparation belongs to each execution.
  const many = given.variants.every(({ workload }) => workload.prepare === null);
  const definition = { ...file, ...pauses, ...(many && given.warmup.runs > 0 ? { batch: 'auto' as const } : {}) };
  return { definition, overrides };
}

const HEAD = '# Written by joulediff compare. joulediff run measures it again; every key can be changed.\n';

/** Writes a file that isn't there yet. Throws InputError. */
async function writeExport(path: string, definition: ExperimentFile, overrides: Overrides): Promise<void> {
  // Commands run in the folder of the experiment file, and relative paths start there.
  if (dirname(resolve(path)) !== resolve('.')) {
    throw new InputError(
      `--export ${visible(path)} lies in another folder than the one in which the commands are run.`,
      {
        advice: 'Give the name of a file in the current folder.',
      },
    );
  }
  const root: Record<string, unknown> = { ...definition };
  for (const override of overrides) applyOverride(root, override);
  try {
    await writeFile(path, HEAD + stringify(root, { aliasDuplicateObjects: false }), { flag: 'wx' });
  } catch (error) {
    const exists = codeOf(error) === 'EEXIST';
    throw new InputError(
      exists
        ? `--export ${visible(path)} is there already.`
        : `--export ${visible(path)} cannot be written: ${messageOf(error)}`,
      { advice: exists ? 'Give another name; nothing is overwritten.' : undefined, cause: error },
    );
  }
}
