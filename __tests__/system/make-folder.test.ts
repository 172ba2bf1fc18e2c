// Class: unit.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { makeFolder } from '../../src/system/make-folder.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'joulediff-make-folder-'));
});
afterEach(() => rmSync(base, { recursive: true }));

it('makes what is not there yet, and nothing of what is', () => {
  const path = join(base, 'a', 'b', 'c');
  makeFolder(path);
  makeFolder(path);
  expect(existsSync(path)).toBe(true);
});

it('ends where a file system takes no folder, and where a file is in the way', () => {
  expect(() => makeFolder('/proc/joulediff/out')).toThrow('ENOENT');
  writeFileSync(join(base, 'file'), '');
  expect(() => makeFolder(join(base, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(base, 'file', 'inside'))).toThrow('ENOTDIR');
});
