import { resolve } from 'node:path';
import { experimentCommand, experimentOf, OVERWRITE, RESUME } from '../options.ts';
import { runToEnd } from '../run-to-end.ts';
import type { Terminal } from '../terminal.ts';

export function runCommand(terminal: Terminal) {
  return experimentCommand('run', 'measure, analyze and write the report')
    .option(...RESUME)
    .option(...OVERWRITE)
    .action(async (file, { resume = false, overwrite = false, out, ...options }) => {
      const experiment = await experimentOf(file, options);
      await runToEnd(terminal, { experiment, outDir: resolve(out), resume, overwrite });
    });
}
