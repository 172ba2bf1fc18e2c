// Class: world.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sqliteStore } from '../../../../src/parts/fleet/history/stores/sqlite.ts';
import { start } from '../../../terminal/program.ts';
import { line } from '../history/records.ts';

let folder: string;
let file: string;
const records = line({ count: 20, steps: { 10: 8 } }).map((record, i) => ({
  ...record,
  commit: `${i < 2 ? 'aaaa' : ''}${record.commit}`.slice(0, 40),
}));
const [first, stepped] = [records[0]!.commit, records[10]!.commit];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-terminal-note-'));
  file = join(folder, 'history.db');
  for (const record of records) await sqliteStore(file).add(record);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const note = (...words: string[]) => start(['history', 'note', '--file', file, ...words]).ended;
const notes = async () => [...(await sqliteStore(file).read()).notes];

it('stands beside the step at its commit, in the table of experiments and in history.csv, as it was written', async () => {
  const text = '<img src=x onerror=alert(1)> | =cmd() "expected"';
  const reported = await note(stepped.slice(0, 10), text);
  expect(reported).toMatchObject({ code: 0, stdout: `The note is kept: ${stepped.slice(0, 12)} in ${file}.\n` });
  await start(['history', 'page', '--file', file, '--out', join(folder, 'trend')]).ended;
  const html = readFileSync(join(folder, 'trend', 'history.html'), 'utf8');
  const escaped = '&lt;img src=x onerror=alert(1)&gt; | =cmd() &quot;expected&quot;';
  expect(html).not.toContain('<img src=x');
  expect(html).toContain(`note: ${escaped}`);
  // Options are kept whole, each in a span.
  const row = html.match(/<tr>(?:(?!<\/tr>).)*joulediff bisect.*?<\/tr>/s)?.[0].replaceAll(/<\/?span[^>]*>/g, '');
  expect(row).toContain(escaped);
  const commits = `${records[9]!.commit.slice(0, 12)} ${stepped.slice(0, 12)}`;
  expect(row).toContain(`joulediff bisect ${commits} --config joulediff.yml --variant `);
  const csv = readFileSync(join(folder, 'trend', 'history.csv'), 'utf8').split('\n');
  expect(csv[0]).toMatch(/,note,status$/);
  expect(csv.filter((row) => row.includes('onerror'))).toHaveLength(2);
});

it('is replaced by a second one, and removed by an empty one', async () => {
  await note(first, 'first');
  await note(first.toUpperCase(), 'second');
  expect(await notes()).toEqual([[first, 'second']]);
  expect((await note(first, '')).stdout).toMatch(/^The note is removed: /);
  expect(await notes()).toEqual([]);
  expect((await note(first, '')).stdout).toMatch(/^Nothing to change: /);
});

it.each([
  ['a commit that is not there', ['0000000', 'text'], /no experiment of the commit 0000000/],
  [
    'one like another, which it names',
    [`${stepped.slice(0, 9)}zzz`, 'text'],
    new RegExp(`Did you mean ${stepped.slice(0, 12)}`),
  ],
  ['an ambiguous one', ['aaaa', 'text'], /aaaa is the beginning of 2 commits/],
  ['a name that is no hash', ['HEAD\u001b[2J', 'text'], /no experiment of the commit HEAD \[2J/],
  ['a text of several lines', [first, 'one\ntwo'], /characters that cannot be seen/],
  ['a text that turns round', [first, 'one\u202etwo'], /characters that cannot be seen/],
  ['a blank text', [first, ' '], /begins or ends with a blank/],
  ['a long text', [first, '€'.repeat(201)], /has 201 characters; at most 200/],
])('refuses %s, and changes nothing', async (_, words, reported) => {
  const { code, stderr } = await note(...words);
  expect([code, stderr]).toEqual([2, expect.stringMatching(reported)]);
  expect(await notes()).toEqual([]);
});

it('may have 200 characters of any script', async () => {
  expect((await note(first, '語'.repeat(200))).code).toBe(0);
});
