import { relative } from 'node:path';
import { terminalReport } from '../../report/terminal.ts';
import { runExperiment } from '../../run/run.ts';
import type { Arguments } from '../arguments.ts';
import { useColour } from '../colour.ts';
import { type Command, EXPERIMENT_OPTIONS, RESUME, type Streams } from '../command.ts';
import { exitCodeOf } from '../exit-code.ts';
import { experimentFromArguments, outFolder } from '../experiment.ts';
import { historyHint } from '../history-store.ts';
import { terminalProgress } from '../progress.ts';
import { stopOnSignals } from '../stop.ts';

export const runCommand: Command = {
  name: 'run',
  argument: '[joulediff.yml]',
  summary: 'measure, analyze and report: the whole way',
  options: [...EXPERIMENT_OPTIONS, RESUME],
  async run(args: Arguments, { stdout, stderr }: Streams): Promise<number> {
    const experiment = await experimentFromArguments(args);
    const outDir = outFolder(args);
    const signal = stopOnSignals((line) => stderr.write(`\n${line}\n`));
    const progress = terminalProgress(stderr);
    const result = await runExperiment({ experiment, outDir, resume: args.flag('resume'), signal, progress });
    if (result.analysis) {
      stdout.write(terminalReport(result.analysis, { colour: useColour(stdout) }));
      stdout.write(
        `\nThe result is in ${relative('.', outDir) || '.'}:\nreport.html, comment.md, findings.json, experiment.db, …\n`,
      );
    }
    if (result.complete && experiment.history) stdout.write(historyHint(experiment.history, result.databasePath));
    if (result.error !== null) throw result.error;
    return result.analysis === null ? 0 : exitCodeOf(result.analysis.findings);
  },
};
