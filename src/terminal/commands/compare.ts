import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { stringify } from 'yaml';
import { InputError, messageOf } from '../../errors.ts';
import { batchState } from '../../experiment/batches.ts';
import { type Comparison, comparisonFile } from '../../experiment/comparison.ts';
import { applyOverride, type Overrides, overrideFromFlag, overridesFromFlags } from '../../experiment/overrides.ts';
import { experimentFrom } from '../../experiment/read.ts';
import { MAX_BLOCKS_WITHIN } from '../../experiment/resolve.ts';
import { type ExperimentFile, MAX_WITHIN_S } from '../../experiment/schema.ts';
import type { Findings } from '../../findings/findings.ts';
import { harnessNames } from '../../harnesses/registry.ts';
import { durationS } from '../../input/quantities.ts';
import { quote } from '../../input/words.ts';
import type { Measurement } from '../../measure/session.ts';
import { askMeters } from '../../measure/wait-for-machine.ts';
import { checkOutputFolder } from '../../system/output-folder.ts';
import { visible } from '../../text/plain.ts';
import { cameBy } from '../../text/way-in.ts';
import { command } from '../command.ts';
import {
  append,
  type Counts,
  givenOnce,
  hidden,
  METER,
  OUT,
  OVERWRITE,
  RESUME,
  repetitionsText,
  SEED,
  SET,
} from '../options.ts';
import { terminalProgress } from '../progress.ts';
import { runToEnd } from '../run-to-end.ts';
import { stopSignal } from '../stop.ts';
import type { Terminal } from '../terminal.ts';

const SUMMARY = 'compare commands with each other, or one command in several places, without an experiment file';

const COMMANDS = "commands in quotes, such as 'sort file' 'sort --parallel=1 file'";
/** Number of runs of each benchmark: a suite has no single verdict that could end it. */
const SUITE_BLOCKS = 30;

const EXAMPLES = [
  "joulediff compare 'sort file' 'sort --parallel=1 file'",
  "joulediff compare 'sort /etc/passwd' --image alpine --image debian",
  'joulediff compare ./bench.sh --base main --within 5min',
  'joulediff compare --suite pytest-benchmark --base main',
];

export function compareCommand(terminal: Terminal) {
  return command('compare', SUMMARY, EXAMPLES)
    .argument('[CMD...]', COMMANDS)
    .option(
      '--suite <HARNESS>',
      `instead of commands, a suite of benchmarks, such as go:./... (${harnessNames.join(', ')})`,
    )
    .option('--native', 'natively, on this machine')
    .option('--image <NAME>', 'in a container of this image; may be given several times', append, [])
    .option('--build <DIR>', 'in a container of the image that the Dockerfile in DIR builds')
    .option('--base <REV>', 'compare HEAD with this commit, natively or with --build')
    .option('--worktree', 'use the working tree, with its uncommitted changes, instead of HEAD')
    .option(
      '-n, --command-name <NAME>',
      'name of a compared command, place or commit; give one for each, in order (with --base, the base first)',
      append,
      [],
    )
    .option('-p, --prepare <CMD>', 'command to run before every run; not measured')
    .option('-w, --warmup <N>', 'warm-up runs of each, never compared (default 2)')
    .option(
      '--within <TIME>',
      'time that the comparison may take, six blocks at least (default 60s; 10min with --precision, or a meter that is neither a counter nor a model)',
    )
    .option(
      '--precision <PERCENT>',
      'go on until the 95 % interval is ± this or narrower, for example 5%; default: until there is a verdict',
    )
    .option('-r, --runs <N>', 'measured runs of each; 6,10,20: may end there if every comparison shows a change')
    .addOption(hidden('--repetitions <N>'))
    .addOption(hidden('--reps <N>'))
    .option(...METER)
    .option(...SEED)
    .option(...OUT)
    .option(...RESUME)
    .option(...OVERWRITE)
    .option(...SET, append, [])
    .option('--export <FILE.yml>', 'also write this comparison as an experiment file')
    .action(async (commands, { image: images, commandName: names, suite, json = false, ...options }) => {
      if (commands.length === 0 && suite === undefined) throw new InputError(`compare needs a CMD: ${COMMANDS}.`);
      refuseSplitTime(options.within, commands);
      cameBy({ keys: 'options' });
      const { resume = false, overwrite = false } = options;
      const { native = false, build = null, base = null, worktree = false } = options;
      const given = { commands, names, native, images, build, base, worktree };
      const comparison = { ...given, ...(suite !== undefined && { suite }) };
      const outDir = resolve(options.out);
      checkOutputFolder(outDir);
      if (options.export !== undefined) checkExport(options.export);
      const signal = stopSignal(terminal, true);
      const progress = terminalProgress(terminal.stderr);
      const { definition, overrides } = await comparisonDefinition(comparison, options, { progress, signal });
      const experiment = experimentFrom(definition, { where: 'compare', directory: resolve('.'), overrides });
      if (options.export !== undefined) {
        await writeExport(options.export, definition, overrides);
        terminal.stderr.write(
          `Wrote ${visible(options.export)}: joulediff run ${visible(options.export)} measures the same.\n`,
        );
      }
      const analysis = await runToEnd(terminal, { experiment, outDir, resume, overwrite, json, signal });
      const more = analysis && experiment.auto && moreCertainty(analysis.findings, experiment.repetitions);
      if (more && !json) terminal.stderr.write(`${more}\n`);
    });
}

/** Throws InputError for `--within 10 minutes`, of which the shell makes a number of seconds and a command. */
function refuseSplitTime(within: string | undefined, commands: readonly string[]): void {
  const unit = commands.find((word) => /^(?:ms|s|m|h|(?:millisec|sec|min|hour|second|minute)s?)$/i.test(word));
  if (unit === undefined || !/^[\d.]+$/.test(within ?? '')) return;
  throw new InputError(`--within ${within} was given without a unit, and ${quote(unit)} is a word of its own.`, {
    advice: 'Write a time as one word, such as 10s, 10min or 2h.',
  });
}

interface Options extends Counts {
  readonly prepare?: string | undefined;
  readonly warmup?: string | undefined;
  readonly within?: string | undefined;
  readonly precision?: string | undefined;
  readonly meter?: string | undefined;
  readonly seed?: string | undefined;
  readonly set: readonly string[];
}

/** Progress and stop of waiting for the machine. */
export type Waiting = Pick<Measurement, 'progress' | 'signal'>;

/**
 * The experiment file, with pauses that suit the meter, and the options' overrides. Waits for the machine, then opens the meters to query them. Throws
 * InputError, MeasureError or the signal's reason.
 */
export async function comparisonDefinition(
  comparison: Comparison,
  { prepare, warmup, within, precision, meter, seed, set, ...counts }: Options,
  waiting: Waiting,
): Promise<{ definition: ExperimentFile; overrides: Overrides }> {
  const runs = givenOnce(counts);
  const file = comparisonFile(comparison);
  const flag = (name: string, path: string, text: string | undefined) =>
    text === undefined ? [] : [overrideFromFlag(name, path, text)];
  const overrides = [
    ...overridesFromFlags({ set, meter, seed }),
    ...flag('--prepare', 'workload.prepare', prepare),
    ...flag('--warmup', 'warmup.runs', warmup),
    ...flag('--runs', 'repetitions', runs && repetitionsText(runs)),
    ...flag('--within', 'repetitions.within', within),
    ...flag('--precision', 'repetitions.want', precision),
  ];
  if (runs !== undefined && (within ?? precision) !== undefined) {
    throw new InputError(
      '--runs was given beside --within or --precision; a fixed number of runs leaves them nothing to decide.',
      { advice: 'Keep only one of them.' },
    );
  }
  const setTo = (key: string) => overrides.findLast(({ path }) => path.join('.') === key)?.text.trim();
  const repetitionsOf = (time: string): ExperimentFile['repetitions'] => {
    if (comparison.suite !== undefined && (within ?? precision) === undefined) return SUITE_BLOCKS;
    if (setTo('repetitions.looks') !== undefined) return {};
    return { ...(!(Number(setTo('repetitions.most')) < LEAST_BLOCKS) && { least: LEAST_BLOCKS }), within: time };
  };
  const planned = { ...file, repetitions: repetitionsOf(WITHIN) };
  const short = shortPauses(setTo('rest'), setTo('guard'));
  // Problems of the options are reported before a meter is opened; those of its pauses after it, since they depend on it.
  const given = experimentFrom({ ...planned, ...short }, { where: 'compare', directory: resolve('.'), overrides });
  // A meter that is read at the window's edges needs no long pauses.
  const isFast = (await askMeters(given, waiting)).every(({ minimumGuardS }) => minimumGuardS === 0);
  // `prepare` belongs to each execution, so it rules out several executions per start, as some settings do.
  const many =
    comparison.suite === undefined &&
    given.variants.every(({ workload }) => workload.prepare === null) &&
    given.warmup.runs > 0 &&
    [undefined, 'auto'].includes(setTo('batch.executions')) &&
    batchState(given) !== 'refused';
  const definition = {
    ...planned,
    ...(isFast && short),
    ...(many && { batch: { executions: 'auto' as const, window: WINDOW } }),
    repetitions: repetitionsOf(isFast && precision === undefined ? WITHIN : LONG),
  };
  return { definition, overrides };
}

/**
 * Short pauses for counters and models, which are read at the window's edges: they give an answer within a minute. The guard lies in the rest, so
 * each gives way to the other where that is set.
 */
function shortPauses(rest = '300ms', guard = '100ms') {
  return {
    rest: durationS(guard) > durationS(rest) ? guard : rest,
    guard: durationS(rest) < durationS(guard) ? rest : guard,
  };
}
const [WINDOW, WITHIN, LONG, LEAST_BLOCKS] = ['1s', '60s', '10min', 8];

/** Advice when the time was too short for a verdict; null: there is a verdict. `mostBlocks`: the most that any time leads to. */
export function moreCertainty({ comparisons, experiment }: Findings, mostBlocks: number): string | null {
  const { looks } = experiment;
  const open = comparisons.filter(({ to_settle: more }) => more !== undefined);
  if (open.length === 0 || looks === undefined) return null;
  // A new comparison measures again what is there.
  const whole = open.map(({ to_settle: more, blocks: before }) => {
    const blocks = (before ?? 0) + (more?.blocks ?? 0);
    return { blocks, minutes: more?.minutes ? (more.minutes / more.blocks) * blocks : Number.POSITIVE_INFINITY };
  });
  const most = MAX_WITHIN_S / 60;
  const [blocks, minutes] = [Math.max(...whole.map((one) => one.blocks)), Math.max(...whole.map((one) => one.minutes))];
  if (minutes > most || blocks > MAX_BLOCKS_WITHIN) {
    return 'More time would probably not settle it; a quieter machine or longer commands may.';
  }
  // With the same precision it would end as early as before.
  const instead = looks.want_percent === undefined ? '' : ' instead of --precision';
  const within = `--within ${Math.min(most, Math.ceil(1.2 * minutes + 1))}min${instead}`;
  if (blocks > mostBlocks) {
    return `For more certainty: raise repetitions.most from ${mostBlocks} to about ${blocks} blocks, with ${within}.`;
  }
  const narrower = (looks.want_percent ?? 100) > 2 ? ' For a narrower interval: --precision 2%.' : '';
  return `For more certainty: the same with ${within} (all blocks, warm-up and a fifth more).${narrower}`;
}

const HEAD = '# Written by joulediff compare. joulediff run measures it again; every key can be changed.\n';

/** Throws InputError if the file exists, or is in another folder. */
function checkExport(path: string): void {
  // Commands run in the folder of the experiment file, where relative paths start.
  if (dirname(resolve(path)) !== resolve('.')) {
    throw new InputError(
      `--export ${visible(path)} lies in another folder than the one in which the commands are run.`,
      { advice: 'Give the name of a file in the current folder.' },
    );
  }
  const advice = 'Give another name; nothing is overwritten.';
  if (existsSync(path)) throw new InputError(`--export ${visible(path)} is there already.`, { advice });
}

/** Writes a new file. Throws InputError if it can't be written. */
async function writeExport(path: string, definition: ExperimentFile, overrides: Overrides): Promise<void> {
  const root: Record<string, unknown> = { ...definition };
  for (const override of overrides) applyOverride(root, override);
  try {
    await writeFile(path, HEAD + stringify(root, { aliasDuplicateObjects: false }), { flag: 'wx' });
  } catch (cause) {
    throw new InputError(`--export ${visible(path)} cannot be written: ${messageOf(cause)}`, { cause });
  }
}
