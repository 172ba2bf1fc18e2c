import { analyzeStore } from '../../analysis/analyze.ts';
import type { Analysis } from '../../analysis/results.ts';
import { InputError } from '../../errors.ts';
import { findingsJson } from '../../report/findings-json.ts';
import { terminalReport } from '../../report/terminal.ts';
import { withStore } from '../../store/reader.ts';
import { command } from '../command.ts';
import { append } from '../options.ts';
import { databaseIn, readResultFile } from '../result-file.ts';
import { ability, exitCodeOf, runPart, type TableOptions, type Terminal, useColor } from '../terminal.ts';
import { printVerdictLines } from '../verdict-line.ts';

export function analyzeCommand(terminal: Terminal) {
  const { stdout } = terminal;
  return command('analyze', 'print the findings of an experiment.db (or the folder with it) or of a CSV of runs', [
    'joulediff analyze joulediff-out',
    'joulediff analyze runs.csv --baseline native --fail-on 5%',
  ])
    .argument('<FILE>', 'an experiment.db, or a CSV of runs')
    .option('--baseline <NAME>', 'for a CSV: variant to compare the others with (default native, or the first)')
    .option(
      '--fail-on <LIMIT>',
      'for a CSV: exit with code 1 if a change is beyond this limit, such as 5% or "20 J"',
      append,
      [],
    )
    .option('--margin <PERCENT>', 'for a CSV: changes up to this size count as equivalent (default 1%)')
    .action(async (file, { json = false, ...options }) => {
      const analysis = await analyzeFile(terminal, databaseIn(file), options);
      const { findings } = analysis;
      if (json) stdout.write(findingsJson(findings));
      else {
        stdout.write(terminalReport(analysis, { color: useColor(stdout) }));
        printVerdictLines(terminal, findings);
      }
      terminal.exitCode = exitCodeOf(findings);
    });
}

async function analyzeFile(terminal: Terminal, path: string, options: TableOptions): Promise<Analysis> {
  const given = readResultFile(path);
  if (given.kind === 'csv') return ability(terminal, 'analyzeTable', 'read a CSV of runs')(path, given.text, options);
  const { baseline, margin, failOn } = options;
  for (const [option, value] of Object.entries({ baseline, margin, 'fail-on': failOn[0] })) {
    if (value === undefined) continue;
    throw new InputError(`--${option} applies only to a CSV; ${path} has the value that was set before the first run.`);
  }
  const part = await runPart(terminal);
  return withStore(path, (reader) => analyzeStore(reader, part?.explain));
}
