import { analyzeStore } from '../../analysis/analyze.ts';
import { InputError } from '../../errors.ts';
import { findingsJson } from '../../report/findings-json.ts';
import { terminalReport } from '../../report/terminal.ts';
import { openStore } from '../../store/reader.ts';
import type { Arguments } from '../arguments.ts';
import { useColour } from '../colour.ts';
import { type Command, JSON_FLAG, type Streams } from '../command.ts';

export const analyzeCommand: Command = {
  name: 'analyze',
  argument: 'FILE',
  summary: 'findings of an experiment.db, as a table or with --json as JSON',
  options: [JSON_FLAG],
  async run(args: Arguments, { stdout }: Streams): Promise<number> {
    const file = args.positional[0];
    if (file === undefined) throw new InputError('analyze needs a FILE: the experiment.db of a result.');
    const reader = openStore(file);
    try {
      const analysis = analyzeStore(reader);
      const json = (): string => findingsJson(analysis.findings);
      stdout.write(args.flag('json') ? json() : terminalReport(analysis, { colour: useColour(stdout) }));
    } finally {
      reader.close();
    }
    return 0;
  },
};
