// Class: unit.
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { main } from '../../src/cli.ts';
import { writeSimulatedStore } from '../analysis/simulated-store.ts';
import { damaged, HOSTILE } from './hostile-files.ts';

let folder: string;
let good: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-hostile-'));
  good = join(folder, 'good.db');
  const run = (variant: string, loadW: number) => ({ variant, lengthS: 10, loadW });
  const blocks = [0, 1, 2, 3, 4, 5].map((i) => [run('native', 60 + i), run('container', 62 + i)]);
  writeSimulatedStore(good, { blocks });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the program makes of a file: exit code and what it says. */
async function analyze(path: string) {
  let said = '';
  const stream = { write: (text: string) => (said += text) };
  const code = await main(['analyze', path], { stdout: { write: () => {} }, stderr: stream });
  return { code, said };
}

let n = 0;
const place = (): string => join(folder, `${++n}.db`);

it('A good file is read', async () => {
  expect(await analyze(good)).toEqual({ code: 0, said: '' });
});

describe('A file that joulediff did not make is refused with a sentence', () => {
  it.each(HOSTILE)('$name', async ({ make }) => {
    const path = place();
    make(good, path);
    const { code, said } = await analyze(path);
    expect({ code, said }).toEqual({
      code: 2,
      said: expect.stringMatching(/^\S[^\n]{20,500}[.?]\n([^\n]{5,300}\.\n)?$/),
    });
    expect(said).toContain(path);
  });

  it('a device', async () => {
    expect(await analyze('/dev/zero')).toEqual({ code: 2, said: '/dev/zero is not a file.\n' });
  });

  it('one that is locked by another program', async () => {
    const path = place();
    copyFileSync(good, path);
    const db = new Database(path);
    db.exec('BEGIN EXCLUSIVE');
    const { code, said } = await analyze(path);
    db.close();
    expect({ code, said }).toMatchObject({ code: 2, said: expect.stringContaining('database is locked') });
  });
});

describe('A file that was damaged on its way is refused with a sentence, or read', () => {
  it.each(
    Array.from({ length: Number(process.env.JOULEDIFF_DAMAGED ?? 60) }, (_, i) => i + 1),
  )('seed %i', async (seed) => {
    const path = place();
    const { make, name } = damaged(seed, statSync(good).size);
    make(good, path);
    const { code, said } = await analyze(path);
    rmSync(path);
    expect([0, 2].includes(code) ? '' : `${name}: ${code} ${said}`).toBe('');
  });
});
