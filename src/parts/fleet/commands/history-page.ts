import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { InputError } from '../../../errors.ts';
import { copiedWord } from '../../../report/escape.ts';
import { checkOutputFolder } from '../../../system/output-folder.ts';
import { OUT } from '../../../terminal/options.ts';
import { printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { writeHistory } from '../history/files.ts';
import { historyCommand, selectHistoryStore } from './history-store.ts';

export function historyPageCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return historyCommand('page', 'write history.html and history.csv of a history to DIR')
    .option(...OUT)
    .action(async ({ out, json = false, ...options }) => {
      const outDir = resolve(out);
      const store = selectHistoryStore(options);
      if (options.file !== undefined && !existsSync(store.name)) {
        throw new InputError(`There is no history ${options.file}.`, {
          advice: `To begin it: joulediff history add joulediff-out --file ${copiedWord(options.file)}.`,
        });
      }
      const history = await store.read();
      if (history.records.length === 0) stderr.write('This history has no experiments yet, so the page is empty.\n');
      checkOutputFolder(outDir);
      const files = (await writeHistory(history, outDir)).map((path) => relative('.', path) || path);
      if (json) printAnswer(terminal, 'history page', { files });
      else stdout.write(`${files.join('\n')}\n`);
    });
}
