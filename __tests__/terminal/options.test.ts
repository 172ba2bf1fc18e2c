// Class: unit.
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { experimentOf, repetitionsText } from '../../src/terminal/options.ts';

const home = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-options-'));
  mkdirSync(join(folder, 'src', 'deep'), { recursive: true });
  writeFileSync(
    join(folder, 'joulediff.yml'),
    JSON.stringify({ workload: { run: 'true' }, variants: { a: {}, b: {} } }),
  );
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

async function found(at: string): Promise<{ reported: string; directory: string }> {
  const lines: string[] = [];
  process.chdir(join(folder, at));
  const stderr = { write: (text: string) => lines.push(text) };
  const { directory } = await experimentOf({ stderr }, undefined, { set: [] });
  return { reported: lines.join(''), directory };
}

describe('an experiment file that is not named', () => {
  it('is that of a folder above in the same repository, which is told', async () => {
    mkdirSync(join(folder, '.git'));
    expect(await found('src/deep')).toEqual({ reported: 'Experiment file: ../../joulediff.yml\n', directory: folder });
    expect(await found('.')).toEqual({ reported: '', directory: folder });
  });

  it('is not searched for outside of a repository, nor above its top', async () => {
    await expect(found('src/deep')).rejects.toThrow('joulediff.yml');
    mkdirSync(join(folder, 'src', '.git'));
    await expect(found('src/deep')).rejects.toThrow('joulediff.yml');
  });

  // Only root can give a file away.
  (process.getuid?.() === 0 ? it : it.skip)('is not a stranger’s', async () => {
    mkdirSync(join(folder, '.git'));
    chownSync(join(folder, 'joulediff.yml'), 65_534, 65_534);
    await expect(found('src')).rejects.toThrow('joulediff.yml');
    expect((await found('.')).reported).toBe('');
  });
});

it('reads a list of runs as interim analyses', () => {
  expect(['30', 'auto', '6,10,20', '6,'].map(repetitionsText)).toEqual(['30', 'auto', '{ looks: [6, 10, 20] }', '6,']);
});
