import { InputError } from '../../../errors.ts';
import type { Findings } from '../../../findings/findings.ts';
import { askProgram } from '../../../processes/ask-program.ts';
import { readResult } from '../../../terminal/read-result.ts';
import { printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { extractRecord, NOWHERE } from '../history/extract.ts';
import { addressOf, historyCommand, originAddress, selectHistoryStore } from './history-store.ts';

export function historyAddCommand(terminal: Terminal) {
  return historyCommand('add', 'add the findings of an experiment.db or a findings.json to a history')
    .argument('<FILE>', 'an experiment.db or a findings.json')
    .option('--commit <SHA>', 'measured commit in full (default: as measured, unless files differed from it)', commitOf)
    .option(
      '--repository <URL>',
      'web address of the repository (default: origin, if the one in this folder has the commit)',
      addressOf('--repository'),
    )
    .option('--report <URL>', 'web address of the report, for links', addressOf('--report'))
    .action(async (file, { commit, repository, report = null, json = false, ...options }) => {
      const store = selectHistoryStore(options);
      const findings = readResult(file);
      const record = extractRecord(findings, {
        ...NOWHERE,
        commit: commit ?? measuredCommit(findings),
        repository: repository ?? (isOfThisFolder(findings) ? originAddress() : null),
        report,
      });
      const added = await store.add(record);
      if (json) printAnswer(terminal, 'history add', { history: store.name, added });
      else
        terminal.stdout.write(
          added ? `Added to ${store.name}.\n` : `${store.name} already contains this experiment.\n`,
        );
    });
}

/** Null: not known, or files differed from it. */
function measuredCommit({ experiment: { commit }, variants }: Findings): string | null {
  if (commit !== undefined) return commit.dirty ? null : commit.sha;
  return variants.find(({ revision }) => revision?.name === 'HEAD')?.revision?.commit ?? null;
}

/** Whether the repository of this folder has a commit that was measured. */
const isOfThisFolder = ({ experiment, variants }: Findings): boolean =>
  [experiment.commit?.sha, ...variants.map(({ revision }) => revision?.commit)].some(
    (sha) => sha !== undefined && askProgram('git', ['cat-file', '-e', `${sha}^{commit}`]).status === 0,
  );

function commitOf(given: string): string {
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/i.test(given)) return given.toLowerCase();
  throw new InputError(`--commit ${given} is not the full name of a commit.`, {
    advice: 'For example --commit "$(git rev-parse HEAD)".',
  });
}
