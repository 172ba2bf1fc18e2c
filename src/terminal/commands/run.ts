import { resolve } from 'node:path';
import { experimentCommand, experimentOf, OVERWRITE, RESUME } from '../options.ts';
import { runToEnd } from '../run-to-end.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = [
  'joulediff run',
  'joulediff run joulediff.yml --repetitions auto --out result',
  'joulediff run --resume',
];

export function runCommand(terminal: Terminal) {
  return experimentCommand('run', 'measure, analyze and write the report', { examples: EXAMPLES })
    .option(...RESUME)
    .option(...OVERWRITE)
    .action(async (file, { resume = false, overwrite = false, json = false, out, ...options }) => {
      const experiment = await experimentOf(terminal, file, options);
      await runToEnd(terminal, { experiment, outDir: resolve(out), resume, overwrite, json });
    });
}
