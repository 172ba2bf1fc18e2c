// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { start } from '../../../terminal/program.ts';

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

  it.each<[string, string[], RegExp]>([
    ['no place', [], /either --file or --branch/],
    ['two places', ['--file', 'a', '--branch', 'b'], /either --file or --branch/],
    ['a wrong branch', ['--branch', '-x'], /is not the name of a branch|Option/],
  ])('refuses %s', async (_, words, sentence) => {
    const { code, stderr } = await run(...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) });
  });
});
