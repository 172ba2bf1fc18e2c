import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { InputError } from '../../../errors.ts';
import { copiedWord } from '../../../report/escape.ts';
import { checkOutputFolder } from '../../../system/output-folder.ts';
import { command } from '../../../terminal/command.ts';
import { append, OUT } from '../../../terminal/options.ts';
import { printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { writeHistory } from '../history/files.ts';
import { type History, inOrder } from '../history/record.ts';
import { BRANCH, REMOTE, selectHistoryStore } from './history-store.ts';

export function historyPageCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return command('page', 'write history.html and history.csv of a history to DIR')
    .option('--file <PATH>', 'read this SQLite file; may be given several times', append, [])
    .option(...BRANCH)
    .option(...REMOTE)
    .option(...OUT)
    .action(async ({ out, file: files, json = false, ...options }) => {
      const outDir = resolve(out);
      const stores = (files.length === 0 ? [undefined] : files).map((file) => {
        const store = selectHistoryStore({ ...options, file });
        if (file === undefined || existsSync(store.name)) return store;
        throw new InputError(`There is no history ${file}.`, {
          advice: `To begin it: joulediff history add joulediff-out --file ${copiedWord(file)}.`,
        });
      });
      const history = inOne(await Promise.all(stores.map((store) => store.read())));
      if (history.records.length === 0) stderr.write('This history has no experiments yet, so the page is empty.\n');
      checkOutputFolder(outDir);
      const written = (await writeHistory(history, outDir)).map((path) => relative('.', path) || path);
      if (json) printAnswer(terminal, 'history page', { files: written });
      else stdout.write(`${written.join('\n')}\n`);
    });
}

/** Several histories as one; an experiment that two of them have counts once, and of two notes on a commit the last. */
function inOne(all: readonly History[]): History {
  const records = new Map(all.flatMap((one) => one.records.map((record) => [record.id, record])));
  return { records: inOrder([...records.values()]), notes: new Map(all.flatMap(({ notes }) => [...notes])) };
}
