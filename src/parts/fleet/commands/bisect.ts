import { relative, resolve } from 'node:path';
import { InputError } from '../../../errors.ts';
import type { Experiment } from '../../../experiment/experiment.ts';
import { experimentFrom } from '../../../experiment/read.ts';
import { durationS } from '../../../input/quantities.ts';
import { failedChecks, primaryComparisons } from '../../../report/verdict.ts';
import { replaceFile } from '../../../system/replace-file.ts';
import { command } from '../../../terminal/command.ts';
import { comparisonDefinition } from '../../../terminal/commands/compare.ts';
import { append, experimentOf, METER, SET } from '../../../terminal/options.ts';
import { terminalProgress } from '../../../terminal/progress.ts';
import { stopSignal } from '../../../terminal/stop.ts';
import { printAnswer, type Terminal, useColour } from '../../../terminal/terminal.ts';
import { shellWord } from '../../../text/shell.ts';
import { cameBy } from '../../../text/way-in.ts';
import { bisect } from '../bisect/bisect.ts';
import { bisectMarkdown, bisectTerminal } from '../bisect/report.ts';

const SUMMARY = 'find the commit at which the energy changed';
const EXAMPLES = [
  'joulediff bisect v1.2 HEAD -- ./bench.sh',
  "joulediff bisect v1.2 HEAD --build 'make -j4' -- ./bench",
  'joulediff bisect v1.2 HEAD --config joulediff.yml --variant container',
];

export function bisectCommand(terminal: Terminal) {
  return command('bisect', SUMMARY, EXAMPLES)
    .argument('<GOOD>', 'the older commit, such as a tag')
    .argument('<BAD>', 'the newer commit, whose energy is another')
    .argument('[CMD...]', 'a command that is run at each commit, behind --')
    .option('--config <FILE>', 'an experiment file in the place of a command (default joulediff.yml)')
    .option('--variant <NAME>', 'its variant that is run at each commit (default: the baseline)')
    .option('--build <CMD>', 'command that builds each commit once; one that fails is skipped')
    .option('--first-parent', 'only commits of the branch itself: a merge counts as one')
    .option('--within <TIME>', 'begin no further step after so long, for example 90min')
    .option(...METER)
    .option('--out <DIR>', 'output folder', 'joulediff-bisect')
    .option('--resume', 'go on with the bisection in DIR')
    .option(...SET, append, [])
    .action(async (good, bad, words, { firstParent = false, resume = false, json = false, ...options }) => {
      cameBy({ keys: 'options' });
      const { stdout, stderr } = terminal;
      const outDir = resolve(options.out);
      const experiment = await experimentFor(terminal, [good, words], options);
      const found = await bisect({
        good,
        bad,
        firstParent,
        resume,
        experiment,
        variant: options.variant ?? null,
        outDir,
        withinS: options.within === undefined ? null : seconds(options.within),
        progress: terminalProgress(stderr),
        signal: stopSignal({ stderr }, true),
      });
      const folder = relative('.', outDir) || '.';
      await replaceFile(resolve(outDir, 'bisect.md'), bisectMarkdown(found, folder));
      if (!json) return void stdout.write(bisectTerminal(found, folder, { colour: useColour(stdout) }));
      const { range, believed, findings, outcome, untrusted } = found;
      const sha = (of: number): string => range.commits[of]?.sha as string;
      const [comparison] = primaryComparisons(findings);
      printAnswer(terminal, 'bisect', {
        outcome,
        good: sha(0),
        bad: sha(range.commits.length - 1),
        commits: range.commits.length - 1,
        found: outcome === 'found' ? (believed?.suspects.commits ?? []).map(sha) : [],
        probability: outcome === 'found' ? (believed?.suspects.probability ?? null) : null,
        credible: (believed?.credible ?? []).map(sha),
        skipped: [...found.skipped.keys()].map(sha),
        delta_percent: comparison?.percent.estimate ?? null,
        ci95: comparison?.percent.ci95 ?? null,
        trusted: untrusted.length === 0 && failedChecks(findings).length === 0,
        source: findings.meter.source,
        folder,
      });
    });
}

interface Options {
  readonly config?: string | undefined;
  readonly variant?: string | undefined;
  readonly build?: string | undefined;
  readonly meter?: string | undefined;
  readonly set: readonly string[];
}

/** How each commit is measured: as the experiment file has it, or as `compare` measures a command. */
async function experimentFor(
  terminal: Terminal,
  [good, words]: readonly [string, readonly string[]],
  { config, variant, build, meter, set }: Options,
): Promise<Experiment> {
  const given = [config !== undefined && '--config', variant !== undefined && '--variant'].filter(
    (one) => one !== false,
  );
  if (words.length === 0) {
    if (build !== undefined) {
      throw new InputError('--build was given, and no command behind --.', {
        advice: 'In an experiment file, hooks: before-all with place: variant builds each commit.',
      });
    }
    return experimentOf(terminal, config, { set, meter });
  }
  if (given.length > 0) {
    throw new InputError(`A command and ${given.join(' and ')} were both given; a command needs no experiment file.`, {
      advice: 'Leave out one of them.',
    });
  }
  const comparison = {
    commands: [shellLine(words)],
    native: true,
    images: [],
    build: null,
    base: good,
    worktree: false,
  };
  const { definition, overrides } = await comparisonDefinition(comparison, { meter, set });
  const hooks =
    build === undefined ? {} : { hooks: { 'before-all': { run: build, place: 'variant' as const, timeout: '2h' } } };
  return experimentFrom({ ...definition, ...hooks }, { where: 'bisect', directory: resolve('.'), overrides });
}

/** One word may be a line for a shell; several are what the shell has taken apart already. */
const shellLine = (words: readonly string[]): string =>
  words.length === 1 ? (words[0] as string) : words.map(shellWord).join(' ');

function seconds(text: string): number {
  const found = durationS(text);
  if (found > 0) return found;
  throw new InputError(`--within ${text} is no time.`, { advice: 'Give one such as 90min or 2h.' });
}
