import { relative, resolve } from 'node:path';
import { terminalReport } from '../../report/terminal.ts';
import { measureNoise } from '../../run/noise.ts';
import type { Arguments } from '../arguments.ts';
import { useColour } from '../colour.ts';
import { type Command, EXPERIMENT_OPTIONS, OUT_OPTION, RESUME, type Streams } from '../command.ts';
import { experimentFromArguments } from '../experiment.ts';
import { plain } from '../plain.ts';
import { terminalProgress } from '../progress.ts';
import { stopOnSignals } from '../stop.ts';

const defaultOut = 'joulediff-noise';

export const noiseCommand: Command = {
  name: 'noise',
  argument: '[joulediff.yml]',
  summary: 'the baseline against itself: the noise floor of this machine for this workload, kept for later reports',
  options: [
    ...EXPERIMENT_OPTIONS.map((option) =>
      option === OUT_OPTION ? { ...option, help: `folder of the result (default ${defaultOut})` } : option,
    ),
    RESUME,
  ],
  async run(args: Arguments, { stdout, stderr }: Streams): Promise<number> {
    const experiment = await experimentFromArguments(args);
    const outDir = resolve(args.text('out') ?? defaultOut);
    const signal = stopOnSignals((line) => stderr.write(`\n${line}\n`));
    const progress = terminalProgress(stderr);
    const resume = args.flag('resume');
    const { result, path, error } = await measureNoise({ experiment, outDir, resume, signal, progress });
    if (result.analysis) {
      stdout.write(terminalReport(result.analysis, { colour: useColour(stdout) }));
      stdout.write(`\nThe result is in ${relative('.', outDir) || '.'}.\n`);
    }
    if (error !== null) throw error;
    stdout.write(
      `Experiments with the same baseline and meter, on this machine and from the same folder, will show this noise floor. It is kept in ${plain(path ?? '')}.\n`,
    );
    return 0;
  },
};
