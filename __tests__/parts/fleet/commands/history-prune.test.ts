// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sqliteStore } from '../../../../src/parts/fleet/history/stores/sqlite.ts';
import { start } from '../../../terminal/program.ts';
import { line } from '../history/records.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-terminal-prune-'));
  file = join(folder, 'history.db');
  const store = sqliteStore(file);
  for (const record of [...line({ count: 12 }), ...line({ count: 3, seed: 2, hostname: 'bench-02' })])
    await store.add(record);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const prune = (...words: string[]) => start(['history', 'prune', '--file', file, ...words]).ended;

it('shows what a rule would remove, and removes it only when it is told to', async () => {
  const reported = 'sort on bench-01, watts-up-pro: 7 of 12, 2026-01-05\n';
  expect(await prune('--keep-last', '5')).toMatchObject({
    code: 0,
    stdout: `${reported}Nothing was removed. With --remove, 7 of 15 experiments would be.\n`,
  });
  expect(await sqliteStore(file).records()).toHaveLength(15);
  expect(await prune('--keep-last', '5', '--remove')).toMatchObject({
    code: 0,
    stdout: `${reported}Removed from ${file}: 7 of 15 experiments.\n`,
  });
  expect(await sqliteStore(file).records()).toHaveLength(8);
  expect(await prune('--keep-last', '5', '--remove')).toMatchObject({ code: 0, stdout: 'Nothing to remove.\n' });
});

it('names the first and the last day of what it would remove, though older commits were measured later', async () => {
  const committed = { started_at: '2026-03-01T08:00:00Z', committed_at: '2026-01-04T08:00:00Z' };
  await sqliteStore(file).add({ ...line({ count: 1, seed: 3 })[0]!, ...committed });
  const { stdout } = await prune('--keep-last', '5');
  expect(stdout).toContain('sort on bench-01, watts-up-pro: 8 of 13, 2026-01-05 to 2026-03-01\n');
});

it.each([
  ['no rule', [], /Say what is to be kept/],
  ['no number of days', ['--keep', 'ever'], /--keep ever is not a number of days/],
  ['no number', ['--keep-last', '-1'], /--keep-last/],
])('refuses %s, and removes nothing', async (_, words, reported) => {
  const { code, stderr } = await prune(...words, '--remove');
  expect([code, stderr]).toEqual([2, expect.stringMatching(reported)]);
  expect(await sqliteStore(file).records()).toHaveLength(15);
});
