import { resolve } from 'node:path';
import { measure } from '../../measure/measure.ts';
import { refuseManyEarlier } from '../../system/output-folder.ts';
import { resultPath } from '../../system/result-files.ts';
import { experimentCommand, experimentOf, OVERWRITE, RESUME } from '../options.ts';
import { terminalProgress } from '../progress.ts';
import { stopSignal } from '../stop.ts';
import { printAnswer, runPart, type Terminal } from '../terminal.ts';

export function measureCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return experimentCommand('measure', 'measure only, into DIR/experiment.db')
    .option(...RESUME)
    .option(...OVERWRITE)
    .action(async (file, { resume = false, overwrite = false, json = false, out, ...options }) => {
      const experiment = await experimentOf(terminal, file, options);
      const outDir = resolve(out);
      if (!resume && !overwrite) refuseManyEarlier(outDir);
      const signal = stopSignal({ stderr }, true);
      const part = await runPart(terminal);
      const progress = terminalProgress(stderr);
      await measure({ experiment, outDir, resume, overwrite, signal, progress, extraRuns: part?.extraRuns });
      const database = resultPath(outDir, 'database');
      if (json) printAnswer(terminal, 'measure', { database });
      else stdout.write(`${database}\n`);
    });
}
