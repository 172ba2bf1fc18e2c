// Class: unit.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { replaceFile } from '../../src/system/replace-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'joulediff-replace-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

it.each([
  ['a text', 'ab'],
  ['bytes', Uint8Array.of(97, 98)],
  ['parts', ['a', 'b'].values()],
])('puts %s in the place of what was there, in a folder that it makes', async (_, content) => {
  const path = join(folder, 'new', 'file');
  await replaceFile(path, 'before');
  await replaceFile(path, content);
  expect(await readFile(path, 'utf8')).toBe('ab');
  expect(await readdir(join(folder, 'new'))).toEqual(['file']);
});

it('leaves the file as it was when its parts can’t be made to the end', async () => {
  const path = join(folder, 'file');
  await replaceFile(path, 'before');
  function* broken() {
    yield 'a';
    throw new Error('damaged');
  }
  await expect(replaceFile(path, broken())).rejects.toThrow('damaged');
  expect(await readFile(path, 'utf8')).toBe('before');
  expect(await readdir(folder)).toEqual(['file']);
});
