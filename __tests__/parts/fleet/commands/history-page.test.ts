// Class: system.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sqliteStore } from '../../../../src/parts/fleet/history/stores/sqlite.ts';
import { start } from '../../../terminal/program.ts';
import { line } from '../history/records.ts';

let folder: string;
const run = (...words: string[]) => start(['history', 'page', ...words]).ended;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-terminal-history-page-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('joulediff history page', () => {
  it('refuses a file that is not there', async () => {
    const words = ['--file', join(folder, 'none.db'), '--out', join(folder, 'empty')];
    expect(await run(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no history') });
  });

  it('shows several files on one page, and an experiment that two of them have once', async () => {
    const records = line({ count: 3 });
    const files = [records.slice(0, 2), records.slice(1)].map((some, i) => ({ path: join(folder, `${i}.db`), some }));
    for (const { path, some } of files) for (const record of some) await sqliteStore(path).add(record);
    await sqliteStore(files[1]!.path).annotate(records[2]!.commit!, 'expected');
    const out = join(folder, 'both');
    const given = files.flatMap(({ path }) => ['--file', path]);
    expect(await run(...given, '--out', out)).toMatchObject({ code: 0, stderr: '' });
    const both = readFileSync(join(out, 'history.csv'), 'utf8');
    const whole = join(folder, 'whole.db');
    for (const record of records) await sqliteStore(whole).add(record);
    await sqliteStore(whole).annotate(records[2]!.commit!, 'expected');
    await run('--file', whole, '--out', join(folder, 'whole'));
    expect(both).toBe(readFileSync(join(folder, 'whole', 'history.csv'), 'utf8'));
    expect(both).toContain('expected');
  });

  it.each<[string, string[], RegExp]>([
    ['no place', [], /either --file or --branch/],
    ['two places', ['--file', 'a', '--branch', 'b'], /either --file or --branch/],
    ['a wrong branch', ['--branch', '-x'], /is not the name of a branch|Option/],
  ])('refuses %s', async (_, words, sentence) => {
    const { code, stderr } = await run(...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) });
  });
});
