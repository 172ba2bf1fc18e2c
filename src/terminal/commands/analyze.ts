import { basename } from 'node:path';
import { analyzeStore } from '../../analysis/analyze.ts';
import { analyzeCsv } from '../../analysis/csv/analyze.ts';
import type { Analysis } from '../../analysis/results.ts';
import { InputError } from '../../errors.ts';
import { thresholdOf } from '../../experiment/threshold-text.ts';
import { percent } from '../../input/quantities.ts';
import { findingsJson } from '../../report/findings-json.ts';
import { terminalReport } from '../../report/terminal.ts';
import { openStore } from '../../store/reader.ts';
import type { Arguments } from '../arguments.ts';
import { useColour } from '../colour.ts';
import { type Command, JSON_FLAG, type Streams } from '../command.ts';
import { exitCodeOf } from '../exit-code.ts';
import { readResultFile } from '../result-file.ts';

const DEFAULT_MARGIN_PERCENT = 1;
/** As in an experiment file. */
const MOST_MARGIN_PERCENT = 50;

export const analyzeCommand: Command = {
  name: 'analyze',
  argument: 'FILE',
  summary: 'findings of an experiment.db or of a CSV of runs, as a table or with --json as JSON',
  options: [
    JSON_FLAG,
    {
      name: 'baseline',
      value: 'NAME',
      help: 'of a CSV: what the others are compared with (default native, or the first)',
    },
    {
      name: 'fail-on',
      value: 'LIMIT',
      many: true,
      help: 'of a CSV: exit code 1 when a change is beyond it, such as 5% or "20 J"',
    },
    { name: 'margin', value: 'PERCENT', help: 'of a CSV: changes up to this don’t matter (default 1%)' },
  ],
  async run(args: Arguments, { stdout }: Streams): Promise<number> {
    const file = args.positional[0];
    if (file === undefined) throw new InputError('analyze needs a FILE: an experiment.db, or a CSV of runs.');
    const analysis = analyzeFile(file, args);
    const json = (): string => findingsJson(analysis.findings);
    stdout.write(args.flag('json') ? json() : terminalReport(analysis, { colour: useColour(stdout) }));
    return exitCodeOf(analysis.findings);
  },
};

function analyzeFile(path: string, args: Arguments): Analysis {
  const given = readResultFile(path);
  const marginPercent = marginOf(args.text('margin'));
  if (given.kind === 'csv') {
    const name = basename(path).replace(/\.csv$/i, '');
    const goals = { failOn: args.all('fail-on').map((text) => thresholdOf(text, '--fail-on')) };
    return analyzeCsv(given.text, { file: path, name, baseline: args.text('baseline'), marginPercent, goals });
  }
  for (const option of ['baseline', 'margin', 'fail-on']) {
    if (args.text(option) === null) continue;
    throw new InputError(`--${option} is for a CSV; ${path} holds the one that was set before the first run.`);
  }
  const reader = openStore(path);
  try {
    return analyzeStore(reader);
  } finally {
    reader.close();
  }
}

function marginOf(given: string | null): number {
  if (given === null) return DEFAULT_MARGIN_PERCENT;
  const margin = percent(given);
  if (margin > 0 && margin <= MOST_MARGIN_PERCENT) return margin;
  throw new InputError(`--margin ${given} is no percentage above 0 and up to ${MOST_MARGIN_PERCENT}.`, {
    advice: 'For example --margin 1%.',
  });
}
