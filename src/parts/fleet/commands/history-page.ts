import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { InputError } from '../../../errors.ts';
import { copiedWord } from '../../../report/escape.ts';
import { checkOutputFolder } from '../../../system/output-folder.ts';
import { OUT } from '../../../terminal/options.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { writeHistory } from '../history/files.ts';
import { historyCommand, historyStoreOf } from './history-store.ts';

export function historyPageCommand({ stdout, stderr }: Terminal) {
  return historyCommand('page', 'write history.html and history.csv of a history to DIR')
    .option(...OUT)
    .action(async ({ out, ...options }) => {
      const outDir = resolve(out);
      const store = historyStoreOf(options);
      if (options.file !== undefined && !existsSync(store.name)) {
        throw new InputError(`There is no history ${options.file}.`, {
          advice: `To begin it: joulediff history add joulediff-out --file ${copiedWord(options.file)}.`,
        });
      }
      const records = await store.records();
      if (records.length === 0) stderr.write('This history has no experiments yet, so the page is empty.\n');
      checkOutputFolder(outDir);
      for (const path of await writeHistory(records, outDir)) stdout.write(`${relative('.', path) || path}\n`);
    });
}
