import { measure } from '../../measure/measure.ts';
import { databasePath } from '../../measure/output-folder.ts';
import type { Arguments } from '../arguments.ts';
import { type Command, EXPERIMENT_OPTIONS, RESUME, type Streams } from '../command.ts';
import { experimentFromArguments, outFolder } from '../experiment.ts';
import { terminalProgress } from '../progress.ts';
import { stopOnSignals } from '../stop.ts';

export const measureCommand: Command = {
  name: 'measure',
  argument: '[joulediff.yml]',
  summary: 'measure only, up to DIR/experiment.db',
  options: [...EXPERIMENT_OPTIONS, RESUME],
  async run(args: Arguments, { stdout, stderr }: Streams): Promise<number> {
    const experiment = await experimentFromArguments(args);
    const outDir = outFolder(args);
    const signal = stopOnSignals((line) => stderr.write(`\n${line}\n`));
    await measure({ experiment, outDir, resume: args.flag('resume'), signal, progress: terminalProgress(stderr) });
    stdout.write(`${databasePath(outDir)}\n`);
    return 0;
  },
};
