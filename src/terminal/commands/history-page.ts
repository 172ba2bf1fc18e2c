import { mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import { writeHistory } from '../../history/files.ts';
import { checkOutputFolder } from '../../measure/output-folder.ts';
import type { Arguments } from '../arguments.ts';
import { type Command, OUT_OPTION, type Streams } from '../command.ts';
import { outFolder } from '../experiment.ts';
import { historyStoreOf, STORE_OPTIONS } from '../history-store.ts';

export const historyPageCommand: Command = {
  name: 'history page',
  argument: '',
  summary: 'draws a history into DIR: history.html and history.csv',
  options: [...STORE_OPTIONS, OUT_OPTION],
  async run(args: Arguments, { stdout, stderr }: Streams): Promise<number> {
    const outDir = outFolder(args);
    const records = await historyStoreOf(args).records();
    if (records.length === 0) stderr.write('There is no experiment in this history: the page is empty.\n');
    checkOutputFolder(outDir);
    mkdirSync(outDir, { recursive: true });
    for (const path of await writeHistory(records, outDir)) stdout.write(`${relative('.', path) || path}\n`);
    return 0;
  },
};
