import { relative, resolve } from 'node:path';
import { terminalReport } from '../../report/terminal.ts';
import { runExperiment } from '../../run/run.ts';
import { useColour } from '../colour.ts';
import { exitCodeOf } from '../exit-code.ts';
import { historyHint } from '../history-store.ts';
import { experimentCommand, experimentOf, OVERWRITE, RESUME } from '../options.ts';
import { terminalProgress } from '../progress.ts';
import { stopSignal } from '../stop.ts';
import type { Terminal } from '../terminal.ts';

export function runCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return experimentCommand('run', 'measure, analyze and write the report')
    .option(...RESUME)
    .option(...OVERWRITE)
    .action(async (file, { resume = false, overwrite = false, out, ...options }) => {
      const experiment = await experimentOf(file, options);
      const outDir = resolve(out);
      const signal = stopSignal({ stderr }, true);
      const progress = terminalProgress(stderr);
      const result = await runExperiment({ experiment, outDir, resume, overwrite, signal, progress });
      if (result.analysis) {
        stdout.write(terminalReport(result.analysis, { colour: useColour(stdout) }));
        stdout.write(
          `\nThe results are in ${relative('.', outDir) || '.'}:\nreport.html, comment.md, findings.json, experiment.db, …\n`,
        );
        terminal.exitCode = exitCodeOf(result.analysis.findings);
      }
      if (result.complete && experiment.history) stdout.write(historyHint(experiment.history, result.databasePath));
      if (result.error !== null) throw result.error;
    });
}
