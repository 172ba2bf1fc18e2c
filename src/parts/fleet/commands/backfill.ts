import { resolve } from 'node:path';
import { InputError } from '../../../errors.ts';
import { git } from '../../../measure/checkout/git.ts';
import { findCommit, findRepository } from '../../../measure/checkout/repository.ts';
import { numberOf } from '../../../terminal/options.ts';
import { terminalProgress } from '../../../terminal/progress.ts';
import { stopSignal } from '../../../terminal/stop.ts';
import { printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { plural, visible } from '../../../text/plain.ts';
import { cameBy } from '../../../text/way-in.ts';
import { variantOf } from '../bisect/at-commits.ts';
import { commitRange, short } from '../bisect/commits.ts';
import { AT_COMMIT, backfill, wantedOf } from '../history/backfill.ts';
import type { HistoryStore } from '../history/record.ts';
import { commitCommand, commitExperiment, parseWithin } from './commit-command.ts';
import { addressOf, originAddress, selectHistoryStore, withHistoryOptions } from './history-store.ts';

const SUMMARY = 'measure the commits that are missing from a history';
const EXAMPLES = [
  'joulediff backfill v1.0..HEAD --branch joulediff-history --tags -- ./bench.sh',
  'joulediff backfill v1.0..HEAD --file history.db --every 10 --within 8h',
];

export function backfillCommand(terminal: Terminal) {
  return withHistoryOptions(commitCommand('backfill', SUMMARY, EXAMPLES))
    .argument('<RANGE>', 'two commits, such as v1.0..HEAD; all others are measured against the first')
    .argument('[CMD...]', 'command to run at each commit, after --')
    .option(
      '--every <N>',
      'only every nth commit',
      numberOf('--every', { minimum: 1, maximum: 4000, unit: '', whole: true }),
      1,
    )
    .option('--tags', 'only commits with a tag')
    .option('--order <ORDER>', 'oldest: oldest first; steps: between the neighbors that differ most', 'oldest')
    .option(
      '--repository <URL>',
      'web address of the repository (default: origin, or else the only one in the history)',
      addressOf('--repository'),
    )
    .option('--out <DIR>', 'output folder, with a result for each commit', 'joulediff-backfill')
    .action(async (words, command, { firstParent = false, tags = false, json = false, order, ...options }) => {
      cameBy({ keys: 'options', goesOn: 'again' });
      const { stdout, stderr } = terminal;
      const [good, bad] = endsOf(words);
      if (order !== 'oldest' && order !== 'steps')
        throw new InputError(`--order ${order} is neither oldest nor steps.`);
      const store = selectHistoryStore(options);
      const withinS = parseWithin(options.within);
      const progress = terminalProgress(stderr);
      const signal = stopSignal(terminal, true);
      const experiment = await commitExperiment(terminal, [good, command], options, { progress, signal });
      const variant = variantOf(experiment, options.variant ?? null);
      const { directory } = experiment;
      const range = await commitRange({ directory, good, bad, firstParent, signal });
      const found = await backfill({
        range,
        wanted: wantedOf(range, options.every, tags ? await taggedCommits(directory, signal) : null),
        base: await baseOf(good, range.commits[0]?.sha as string, { directory, signal }),
        experiment,
        variant,
        store,
        repository: options.repository ?? (await chooseRepository(store)),
        order,
        outDir: resolve(options.out),
        withinS,
        progress,
        signal,
      });
      const { added, skipped, left } = found;
      if (json) return printAnswer(terminal, 'backfill', { history: store.name, ...found });
      stdout.write(`${plural(added.length, 'commit')} added to ${visible(store.name)}, ${left} left.\n`);
      for (const { commit, reason } of skipped) stdout.write(`Skipped ${short(commit)}: ${visible(reason)}\n`);
    });
}

function endsOf(range: string): [string, string] {
  const [good = '', bad = '', ...more] = range.split('..');
  if (good !== '' && bad !== '' && !bad.startsWith('.') && more.length === 0) return [good, bad];
  throw new InputError(`${range} is no range of commits.`, {
    advice: 'Give two with two dots between them: v1.0..HEAD.',
  });
}

/** Base commit for comparisons. A tag keeps its name, but HEAD or a branch moves, and would mix different bases in one line. */
async function baseOf(
  good: string,
  sha: string,
  { directory, signal }: { readonly directory: string; readonly signal: AbortSignal },
): Promise<{ readonly name: string; readonly sha: string }> {
  const { top } = await findRepository(directory, { signal });
  const { code } = await git(top, ['show-ref', '--verify', '--quiet', '--', `refs/tags/${good}`], { signal });
  if (code !== 0) return { name: short(sha), sha };
  return { name: good === AT_COMMIT ? `base ${good}` : good, sha };
}

/** Repository of this folder, else the only one in the history, so that a workflow's records are in the same line; null: unknown. */
async function chooseRepository(store: HistoryStore): Promise<string | null> {
  const origin = originAddress();
  if (origin !== null) return origin;
  const known = [...new Set((await store.records()).map(({ repository }) => repository))];
  return known.length === 1 ? (known[0] ?? null) : null;
}

/** Full hashes. */
async function taggedCommits(directory: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const repository = await findRepository(directory, { signal });
  const { stdout } = await git(repository.top, ['for-each-ref', '--format=%(refname)', 'refs/tags'], { signal });
  const names = stdout.split('\n').filter((name) => name !== '');
  // A tag may refer to a file.
  const found = await Promise.all(names.map((name) => findCommit(repository, name, { signal }).catch(() => null)));
  signal.throwIfAborted();
  return new Set(found.filter((sha) => sha !== null));
}
