import { InputError } from '../../../errors.ts';
import { nearest } from '../../../input/words.ts';
import { printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { plain, visible } from '../../../text/plain.ts';
import { type HistoryRecord, MAX_NOTE } from '../history/record.ts';
import { historyCommand, selectHistoryStore } from './history-store.ts';

export function historyNoteCommand(terminal: Terminal) {
  return historyCommand('note', 'attach a note to a commit of a history; the note accepts the steps there')
    .argument('<COMMIT>', 'hash of a commit in the history, or its beginning')
    .argument('<TEXT>', `one line of at most ${MAX_NOTE} characters; '' removes the note`)
    .action(async (given, text, { json = false, ...options }) => {
      checkText(text);
      const store = selectHistoryStore(options);
      const commit = findCommit(given, await store.records(), store.name);
      const changed = await store.annotate(commit, text);
      if (json) return printAnswer(terminal, 'history note', { history: store.name, commit, text, changed });
      const what = text === '' ? 'The note is removed' : 'The note is kept';
      terminal.stdout.write(`${changed ? what : 'Nothing to change'}: ${commit.slice(0, 12)} in ${store.name}.\n`);
    });
}

function checkText(text: string): void {
  const length = [...text].length;
  if (length > MAX_NOTE) {
    throw new InputError(`The note has ${length} characters; at most ${MAX_NOTE} are allowed.`, {
      advice: 'Write more in an issue, and its number here.',
    });
  }
  if (plain(text, MAX_NOTE) === text) return;
  throw new InputError(
    visible(text) === text
      ? 'The note begins or ends with a blank.'
      : 'The note has characters that cannot be seen, such as a line end.',
    { advice: `Write it on one line, for example ${JSON.stringify(plain(text, 40) || 'expected: new compiler')}.` },
  );
}

/** Finds the one commit of the history whose full hash begins with what was given. Throws InputError where none does, or several do. */
function findCommit(given: string, records: readonly HistoryRecord[], name: string): string {
  const all = [...new Set(records.flatMap(({ commit }) => commit ?? []))];
  const wanted = given.toLowerCase().slice(0, 64);
  const found = /^[0-9a-f]{4,64}$/.test(wanted) ? all.filter((commit) => commit.startsWith(wanted)) : [];
  const [only, second] = found;
  if (only !== undefined && second === undefined) return only;
  if (only !== undefined) {
    throw new InputError(`${plain(given, 80)} is the beginning of ${found.length} commits in ${name}.`, {
      advice: `Write more of it: ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}.`,
    });
  }
  const length = Math.max(7, wanted.length);
  const near = nearest(
    wanted,
    all.map((commit) => commit.slice(0, length)),
  );
  const latest = all.at(-1);
  const advice = latest === undefined ? 'It has no commits yet.' : `The latest commit in it is ${latest.slice(0, 12)}.`;
  throw new InputError(`${name} has no experiment of the commit ${plain(given, 80)}.`, {
    advice: near === null ? advice : `Did you mean ${near}?`,
  });
}
