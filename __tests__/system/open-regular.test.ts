// Class: unit.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { appendRegular, clearPlace, openRegular, readHead } from '../../src/system/open-regular.ts';
import { itAsRoot } from '../setup/as-root.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-open-regular-'));
  path = join(folder, 'log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pipe = () => spawnSync('mkfifo', [path]);
const link = () => symlinkSync('/dev/zero', path);

it.each<[string, () => unknown]>([
  ['a pipe', pipe],
  ['a link', link],
  ['a folder', () => mkdirSync(path)],
])('%s in the place of a file is removed, and until then an error at once', (_, lay) => {
  lay();
  expect(() => appendRegular(path, 'text')).toThrow(/is no regular file|ELOOP|EISDIR|ENXIO/);
  expect(() => openRegular(path, 'read')).toThrow(/is no regular file|ELOOP/);
  clearPlace(path);
  expect(existsSync(path)).toBe(false);
  expect(existsSync('/dev/zero')).toBe(true);
});

it('a file stays, and is added to', () => {
  writeFileSync(path, 'one ');
  clearPlace(path);
  appendRegular(path, 'two');
  expect([readHead(path, 100), readHead(path, 5)]).toEqual(['one two', 'one t']);
});

itAsRoot('a device is the system’s: it stays, the null device takes what is written, and no other is opened', () => {
  spawnSync('mknod', [path, 'c', '1', '3']);
  clearPlace(path);
  expect(lstatSync(path).isCharacterDevice()).toBe(true);
  appendRegular(path, 'text');
  expect(readHead(path, 100)).toBe('');
  rmSync(path);
  spawnSync('mknod', [path, 'c', '1', '5']);
  expect(() => openRegular(path, 'read')).toThrow('is no regular file');
});
