import { existsSync, readFileSync, statSync } from 'node:fs';
import { analyzeStore } from '../../analysis/analyze.ts';
import { InputError } from '../../errors.ts';
import type { Findings } from '../../findings/findings.ts';
import { readFindings } from '../../findings/foreign/read-findings.ts';
import { NOWHERE, recordOf } from '../../history/extract.ts';
import { openStore } from '../../store/reader.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Streams } from '../command.ts';
import { historyStoreOf, STORE_OPTIONS } from '../history-store.ts';
import { isDatabase } from '../result-file.ts';

export const historyAddCommand: Command = {
  name: 'history add',
  argument: 'FILE',
  summary: 'keeps the findings of an experiment.db or a findings.json in a history',
  options: [
    ...STORE_OPTIONS,
    { name: 'commit', value: 'SHA', help: 'commit that was measured, 40 or 64 hexadecimal digits' },
    { name: 'repository', value: 'URL', help: 'web address of the repository, for links' },
    { name: 'report', value: 'URL', help: 'web address of the report, for links' },
  ],
  async run(args: Arguments, { stdout }: Streams): Promise<number> {
    const file = args.positional[0];
    if (file === undefined) throw new InputError('history add needs a FILE: an experiment.db, or a findings.json.');
    const store = historyStoreOf(args);
    const record = recordOf(findingsOf(file), {
      ...NOWHERE,
      commit: commitOf(args.text('commit')),
      repository: addressOf(args, 'repository'),
      report: addressOf(args, 'report'),
    });
    const added = await store.add(record);
    stdout.write(added ? `Kept in ${store.name}.\n` : `${store.name} has this experiment already.\n`);
    return 0;
  },
};

function findingsOf(file: string): Findings {
  if (!isDatabase(file)) return readFindings(bytesOf(file));
  const reader = openStore(file);
  try {
    return analyzeStore(reader).findings;
  } finally {
    reader.close();
  }
}

function bytesOf(file: string): Uint8Array {
  // A pipe or a device could keep us waiting for ever.
  if (!existsSync(file) || !statSync(file).isFile()) throw new InputError(`There is no file ${file}.`);
  return readFileSync(file);
}

function commitOf(given: string | null): string | null {
  if (given === null || /^[0-9a-f]{40}([0-9a-f]{24})?$/i.test(given)) return given?.toLowerCase() ?? null;
  throw new InputError(`--commit ${given} is not the full name of a commit.`, {
    advice: 'For example --commit "$(git rev-parse HEAD)".',
  });
}

function addressOf(args: Arguments, name: string): string | null {
  const given = args.text(name);
  if (given === null) return null;
  const url = URL.parse(given);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    return given.replace(/\/+$/, '');
  }
  throw new InputError(`--${name} ${given} is not a web address.`, {
    advice: 'For example https://github.com/octo/demo.',
  });
}
