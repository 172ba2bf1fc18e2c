import { resolve } from 'node:path';
import { InputError } from '../../../errors.ts';
import type { Experiment } from '../../../experiment/experiment.ts';
import { experimentFrom } from '../../../experiment/read.ts';
import { durationS } from '../../../input/quantities.ts';
import { command } from '../../../terminal/command.ts';
import { comparisonDefinition, type Waiting } from '../../../terminal/commands/compare.ts';
import { append, experimentOf, METER, SET } from '../../../terminal/options.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { shellWord } from '../../../text/shell.ts';

/** A command that measures one workload at several commits, with the options that say how. */
export function commitCommand(name: string, summary: string, examples: readonly string[]) {
  return command(name, summary, examples)
    .option('--config <FILE>', 'experiment file to use instead of a command (default joulediff.yml)')
    .option('--variant <NAME>', 'variant of that file to run at each commit (default: the baseline)')
    .option('--build <CMD>', 'command that builds each commit once; a commit that fails to build is skipped')
    .option('--first-parent', 'only commits of the branch itself: a merge counts as one')
    .option('--within <TIME>', 'start no further measurement after this time, for example 90min')
    .option(...METER)
    .option(...SET, append, []);
}

interface Options {
  readonly config?: string | undefined;
  readonly variant?: string | undefined;
  readonly build?: string | undefined;
  readonly meter?: string | undefined;
  readonly set: readonly string[];
}

/** How each commit is measured: as the experiment file has it, or as `compare` measures a command. */
export async function commitExperiment(
  terminal: Terminal,
  [good, words]: readonly [string, readonly string[]],
  { config, variant, build, meter, set }: Options,
  waiting: Waiting,
): Promise<Experiment> {
  const given = [...(config === undefined ? [] : ['--config']), ...(variant === undefined ? [] : ['--variant'])];
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
  const commands = [shellLine(words)];
  const comparison = { commands, native: true, images: [], build: null, base: good, worktree: false };
  const { definition, overrides } = await comparisonDefinition(comparison, { meter, set }, waiting);
  const hooks =
    build === undefined ? {} : { hooks: { 'before-all': { run: build, place: 'variant' as const, timeout: '2h' } } };
  return experimentFrom({ ...definition, ...hooks }, { where: 'command', directory: resolve('.'), overrides });
}

/** A single word may be a shell line; several words were already split by the shell. */
const shellLine = (words: readonly string[]): string =>
  words.length === 1 ? (words[0] as string) : words.map(shellWord).join(' ');

/** Seconds; null: no limit. Throws InputError. */
export function parseWithin(text: string | undefined): number | null {
  if (text === undefined) return null;
  const found = durationS(text);
  if (found > 0) return found;
  throw new InputError(`--within ${text} is no time.`, { advice: 'Give one such as 90min or 2h.' });
}
