import { InputError } from '../../../errors.ts';
import { readResult } from '../../../terminal/read-result.ts';
import { printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { extractRecord, NOWHERE } from '../history/extract.ts';
import { addressOf, historyCommand, selectHistoryStore } from './history-store.ts';

export function historyAddCommand(terminal: Terminal) {
  return historyCommand('add', 'add the findings of an experiment.db or a findings.json to a history')
    .argument('<FILE>', 'an experiment.db or a findings.json')
    .option('--commit <SHA>', 'measured commit, 40 or 64 hexadecimal digits', commitOf)
    .option('--repository <URL>', 'web address of the repository, for links', addressOf('--repository'))
    .option('--report <URL>', 'web address of the report, for links', addressOf('--report'))
    .action(async (file, { commit = null, repository = null, report = null, json = false, ...options }) => {
      const store = selectHistoryStore(options);
      const record = extractRecord(readResult(file), { ...NOWHERE, commit, repository, report });
      const added = await store.add(record);
      if (json) printAnswer(terminal, 'history add', { history: store.name, added });
      else
        terminal.stdout.write(
          added ? `Added to ${store.name}.\n` : `${store.name} already contains this experiment.\n`,
        );
    });
}

function commitOf(given: string): string {
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/i.test(given)) return given.toLowerCase();
  throw new InputError(`--commit ${given} is not the full name of a commit.`, {
    advice: 'For example --commit "$(git rev-parse HEAD)".',
  });
}
