import { InputError } from '../../../errors.ts';
import { command } from '../../../terminal/command.ts';
import { printJson, type Terminal, useColor } from '../../../terminal/terminal.ts';
import { type MergeBy, merge } from '../analysis/merge.ts';
import type { Result } from '../report/gathered/result.ts';
import { mergedMarkdown, mergedTerminal } from '../report/merged.ts';
import { readResults } from './findings-files.ts';

export function mergeCommand(terminal: Terminal) {
  const { stdout } = terminal;
  return command('merge', 'pool one comparison over several machines')
    .argument('<FILE...>', 'two results or more: folders, findings.json or experiment.db')
    .option('--by <WHAT>', 'unit to pool over: machine, or result', 'machine')
    .option('--variant <NAME>', 'only the comparison of this variant')
    .option('--baseline <NAME>', 'only comparisons with this baseline')
    .option('--markdown', 'print Markdown, for a page or a comment')
    .action((files, { by, variant, baseline, markdown = false, json = false }) => {
      const results = given(files);
      const all = merge(results, studyOf(by));
      const merged = all.filter(
        (one) => (variant ?? one.variant) === one.variant && (baseline ?? one.baseline) === one.baseline,
      );
      if (merged.length === 0) throw noSuch({ variant, baseline }, all);
      if (json) printJson(terminal, merged.length === 1 ? merged[0] : { comparisons: merged });
      else if (markdown) stdout.write(mergedMarkdown(results, merged));
      else stdout.write(mergedTerminal(results, merged, { color: useColor(stdout) }));
    });
}

function studyOf(by: string): MergeBy {
  if (by === 'machine' || by === 'result') return by;
  throw new InputError(`--by ${by} is neither machine nor result.`, {
    advice: 'machine: several results of one machine make one study. result: each result is a study.',
  });
}

function noSuch(
  asked: { readonly variant: string | undefined; readonly baseline: string | undefined },
  there: readonly { readonly variant: string; readonly baseline: string }[],
): InputError {
  const words = Object.entries(asked).flatMap(([key, value]) => (value === undefined ? [] : [`${key} "${value}"`]));
  const known = there.map(({ variant, baseline }) => `${variant} against ${baseline}`).join(', ');
  return new InputError(`No comparison of these machines has the ${words.join(' and the ')}.`, {
    advice: `There is: ${known}.`,
  });
}

/** Throws InputError: one experiment would count twice. */
function given(paths: readonly string[]): Result[] {
  const results = readResults(paths);
  const same = Map.groupBy(results, ({ name, findings }) => findings.experiment.id ?? name);
  const twice = [...same.values()].find((these) => these.length > 1);
  if (twice === undefined) return results;
  throw new InputError(`${twice.map(({ name }) => name).join(' and ')} are the same experiment, which counts once.`);
}
