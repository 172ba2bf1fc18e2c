import { relative, resolve } from 'node:path';
import { terminalReport } from '../../report/terminal.ts';
import { measureNoise } from '../../run/noise.ts';
import { visible } from '../../text/plain.ts';
import { experimentCommand, experimentOf, OVERWRITE, RESUME } from '../options.ts';
import { terminalProgress } from '../progress.ts';
import { stopSignal } from '../stop.ts';
import { runPart, type Terminal, useColour } from '../terminal.ts';

const SUMMARY =
  'measure the baseline against itself: the noise floor of this machine for this workload, kept for later reports';

export function noiseCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return experimentCommand('noise', SUMMARY, 'joulediff-noise')
    .option(...RESUME)
    .option(...OVERWRITE)
    .action(async (file, { resume = false, overwrite = false, out, ...options }) => {
      const experiment = await experimentOf(file, options);
      const outDir = resolve(out);
      const signal = stopSignal({ stderr }, true);
      const progress = terminalProgress(stderr);
      const part = await runPart(terminal);
      const request = { experiment, outDir, resume, overwrite, signal, progress, part };
      const { result, path, error } = await measureNoise(request);
      if (result.analysis) {
        stdout.write(terminalReport(result.analysis, { colour: useColour(stdout) }));
        stdout.write(`\nThe results are in ${relative('.', outDir) || '.'}.\n`);
      }
      if (error !== null) throw error;
      stdout.write(
        `Experiments with the same baseline and meter, on this machine and from the same folder, will show this noise floor. It is kept in ${visible(path ?? '')}.\n`,
      );
    });
}
