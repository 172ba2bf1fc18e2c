import { InputError } from '../../errors.ts';
import { quote } from '../../input/words.ts';
import { shellWord } from '../../text/shell.ts';
import type { Harness } from '../harness.ts';

/**
 * Benchmarks are the commands in a result that hyperfine exported (`--export-json`). A benchmark's name is its command. hyperfine exports a
 * name that was given in its place (`--command-name`), without a sign that it is no command.
 */
export const hyperfine: Harness = {
  name: 'hyperfine',
  target: 'a file of --export-json',
  defaultTarget: null,
  needs: 'a file that hyperfine --export-json wrote',
  list: (target) => `cat ${shellWord(target)}`,
  namesIn(output) {
    const names = commandsIn(output);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice === undefined) return names;
    throw new InputError(
      `hyperfine exported the command ${quote(twice)} more than once, so its results can't be told apart.`,
      {
        advice: 'Export commands that differ: with their parameters in them, and without --command-name.',
      },
    );
  },
  run: (_, name) => name,
};

function commandsIn(output: string): string[] {
  try {
    const { results } = JSON.parse(output) as { results?: readonly { command?: unknown }[] };
    return (results ?? []).flatMap(({ command }) => (typeof command === 'string' ? [command] : []));
  } catch {
    return [];
  }
}
