import { basename } from 'node:path';
import { analyzeStore } from '../../analysis/analyze.ts';
import { analyzeCsv } from '../../analysis/csv/analyze.ts';
import type { Analysis } from '../../analysis/results.ts';
import { InputError } from '../../errors.ts';
import { thresholdOf } from '../../experiment/goals.ts';
import { percent } from '../../input/quantities.ts';
import { findingsJson } from '../../report/findings-json.ts';
import { terminalReport } from '../../report/terminal.ts';
import { withStore } from '../../store/reader.ts';
import { command } from '../command.ts';
import { append } from '../options.ts';
import { databaseIn, readResultFile } from '../result-file.ts';
import { exitCodeOf, type Terminal, useColour } from '../terminal.ts';

const DEFAULT_MARGIN_PERCENT = 1;
/** As in an experiment file. */
const MAX_MARGIN_PERCENT = 50;

export function analyzeCommand(terminal: Terminal) {
  const { stdout } = terminal;
  return command(
    'analyze',
    'print the findings of an experiment.db (or the folder with it) or of a CSV of runs, as a table or as JSON (--json)',
  )
    .argument('<FILE>', 'an experiment.db, or a CSV of runs')
    .option('--json', 'print the findings as JSON')
    .option('--baseline <NAME>', 'for a CSV: variant to compare the others with (default native, or the first)')
    .option(
      '--fail-on <LIMIT>',
      'for a CSV: exit with code 1 if a change is beyond this limit, such as 5% or "20 J"',
      append,
      [],
    )
    .option('--margin <PERCENT>', 'for a CSV: changes up to this size don’t matter (default 1%)')
    .action((file, { json = false, ...options }) => {
      const analysis = analyzeFile(databaseIn(file), options);
      const { findings } = analysis;
      stdout.write(json ? findingsJson(findings) : terminalReport(analysis, { colour: useColour(stdout) }));
      terminal.exitCode = exitCodeOf(findings);
    });
}

interface CsvOptions {
  readonly baseline?: string | undefined;
  readonly margin?: string | undefined;
  readonly failOn: readonly string[];
}

function analyzeFile(path: string, { baseline, margin, failOn }: CsvOptions): Analysis {
  const given = readResultFile(path);
  const marginPercent = marginOf(margin);
  if (given.kind === 'csv') {
    const name = basename(path).replace(/\.csv$/i, '');
    const goals = { failOn: failOn.map((text) => thresholdOf(text, '--fail-on')) };
    return analyzeCsv(given.text, { file: path, name, baseline: baseline ?? null, marginPercent, goals });
  }
  for (const [option, value] of Object.entries({ baseline, margin, 'fail-on': failOn[0] })) {
    if (value === undefined) continue;
    throw new InputError(`--${option} applies only to a CSV; ${path} has the value that was set before the first run.`);
  }
  return withStore(path, analyzeStore);
}

function marginOf(given: string | undefined): number {
  if (given === undefined) return DEFAULT_MARGIN_PERCENT;
  const margin = percent(given);
  if (margin > 0 && margin <= MAX_MARGIN_PERCENT) return margin;
  throw new InputError(`--margin ${given} is not a percentage above 0 and up to ${MAX_MARGIN_PERCENT}.`, {
    advice: given.startsWith('-')
      ? 'A margin has no sign, because it applies in both directions: for example --margin 1%.'
      : 'For example --margin 1%.',
  });
}
