import { relative, resolve } from 'node:path';
import { writeHistory } from '../../history/files.ts';
import { checkOutputFolder } from '../../system/output-folder.ts';
import { historyCommand, historyStoreOf } from '../history-store.ts';
import { OUT } from '../options.ts';
import type { Terminal } from '../terminal.ts';

export function historyPageCommand({ stdout, stderr }: Terminal) {
  return historyCommand('page', 'write history.html and history.csv of a history to DIR')
    .option(...OUT)
    .action(async ({ out, ...options }) => {
      const outDir = resolve(out);
      const records = await historyStoreOf(options).records();
      if (records.length === 0) stderr.write('This history has no experiments yet, so the page is empty.\n');
      checkOutputFolder(outDir);
      for (const path of await writeHistory(records, outDir)) stdout.write(`${relative('.', path) || path}\n`);
    });
}
