import { mkdirSync } from 'node:fs';
import { InputError } from '../../errors.ts';
import { checkOutputFolder } from '../../measure/output-folder.ts';
import { reportOn } from '../../run.ts';
import type { Arguments } from '../arguments.ts';
import { type Command, OUT_OPTION, type Streams } from '../command.ts';
import { outFolder } from '../experiment.ts';

export const reportCommand: Command = {
  name: 'report',
  argument: 'FILE',
  summary: 'everything of a report from an experiment.db, into DIR',
  options: [OUT_OPTION],
  async run(args: Arguments, { stdout }: Streams): Promise<number> {
    const file = args.positional[0];
    if (file === undefined) throw new InputError('report needs a FILE: the experiment.db of a result.');
    const outDir = outFolder(args);
    checkOutputFolder(outDir);
    mkdirSync(outDir, { recursive: true });
    await reportOn(file, outDir);
    stdout.write(`${outDir}\n`);
    return 0;
  },
};
