import { relative, resolve } from 'node:path';
import { findingsJson } from '../../report/findings-json.ts';
import { measureNoise } from '../../run/noise.ts';
import { refuseManyEarlier } from '../../system/output-folder.ts';
import { visible } from '../../text/plain.ts';
import { experimentCommand, experimentOf, OVERWRITE, RESUME } from '../options.ts';
import { terminalProgress } from '../progress.ts';
import { reportPrinter } from '../run-to-end.ts';
import { stopSignal } from '../stop.ts';
import { runPart, type Terminal } from '../terminal.ts';

const SUMMARY =
  'measure the baseline against itself: the noise floor of this machine for this workload, kept for later reports';

export function noiseCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return experimentCommand('noise', SUMMARY, { defaultOut: 'joulediff-noise' })
    .option(...RESUME)
    .option(...OVERWRITE)
    .action(async (file, { resume = false, overwrite = false, json = false, out, ...options }) => {
      const experiment = await experimentOf(terminal, file, options);
      const outDir = resolve(out);
      if (!resume && !overwrite) refuseManyEarlier(outDir);
      const signal = stopSignal({ stderr }, true);
      const progress = terminalProgress(stderr);
      const part = await runPart(terminal);
      const onAnalyzed = json ? undefined : reportPrinter(terminal, progress);
      const request = { experiment, outDir, resume, overwrite, signal, progress, part, onAnalyzed };
      const { result, path, error } = await measureNoise(request);
      if (result.analysis && json) stdout.write(findingsJson(result.analysis.findings));
      else if (result.analysis) stdout.write(`\nThe results are in ${relative('.', outDir) || '.'}.\n`);
      if (error !== null) throw error;
      if (json) return;
      stdout.write(
        `Experiments with the same baseline and meter, on this machine and from the same folder, will show this noise floor. It is kept in ${visible(path ?? '')}.\n`,
      );
    });
}
