import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors.ts';
import type { Findings } from '../../findings/findings.ts';
import { checkOutputFolder, databasePath } from '../../measure/output-folder.ts';
import { gatheredComment, gatheredSummary } from '../../report/gathered/gathered.ts';
import { failing } from '../../report/threshold-words.ts';
import { reportOn } from '../../run/run.ts';
import { plain } from '../../text/plain.ts';
import type { Arguments } from '../arguments.ts';
import { type Command, OUT_OPTION, type Streams } from '../command.ts';
import { exitCodeOf } from '../exit-code.ts';
import { outFolder } from '../experiment.ts';
import { readFindingsFiles } from '../findings-files.ts';
import { isDatabase } from '../result-file.ts';

export const reportCommand: Command = {
  name: 'report',
  argument: 'FILE…',
  summary:
    'everything of a report from an experiment.db, into DIR; from findings.json files, or folders with one, comment.md and summary.md of all',
  options: [OUT_OPTION],
  mostPositional: 1000,
  async run(args: Arguments, { stdout, stderr }: Streams): Promise<number> {
    const [file, ...more] = args.positional;
    if (file === undefined) {
      throw new InputError('report needs a FILE: the experiment.db of a result, or findings.json of one or more.');
    }
    const outDir = outFolder(args);
    checkOutputFolder(outDir);
    let shown: Findings[];
    if (more.length === 0 && isDatabase(file)) {
      mkdirSync(outDir, { recursive: true });
      shown = [(await reportOn(file, outDir)).findings];
    } else {
      shown = gather([file, ...more], outDir);
    }
    stdout.write(`${outDir}\n`);
    for (const { sentence } of shown.flatMap(failing)) stderr.write(`${plain(sentence, 1000)}\n`);
    return Math.max(...shown.map(exitCodeOf));
  },
};

/** What the action does with `mode: gather`. */
function gather(paths: readonly string[], outDir: string): Findings[] {
  const database = paths.find((path) => isDatabase(path));
  if (database !== undefined) {
    throw new InputError(`${database} is a database; several experiments are shown together from their findings.json.`);
  }
  const results = readFindingsFiles(paths);
  if (existsSync(databasePath(outDir))) {
    throw new InputError(`The output folder ${outDir} holds the result of an experiment.`, {
      advice: 'Give another folder with --out.',
    });
  }
  mkdirSync(outDir, { recursive: true });
  writeFileSync(join(outDir, 'comment.md'), gatheredComment(results));
  writeFileSync(join(outDir, 'summary.md'), gatheredSummary(results));
  return results.map(({ findings }) => findings);
}
