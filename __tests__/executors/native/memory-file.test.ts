// Class: system.
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MemoryFile } from '../../../src/executors/native/memory-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-memory-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('has no name, and what was appended to it goes behind what is in a file', async () => {
  const file = MemoryFile.make();
  // A machine without /dev/shm, or with little room in it.
  if (file === null) return;
  expect(file.name).toMatch(/ \(deleted\)$/);
  expect(existsSync(file.name)).toBe(false);
  appendFileSync(file.path, 'one\n');
  appendFileSync(file.path, 'two\n');
  const path = join(folder, 'log');
  appendFileSync(path, 'before\n');
  await file.moveTo(path);
  expect(readFileSync(path, 'utf8')).toBe('before\none\ntwo\n');
  expect(existsSync(file.path)).toBe(false);
});

it('is not made where the file system is not in memory, or there is none', () => {
  expect(MemoryFile.make('/proc')).toBeNull();
  expect(MemoryFile.make(join(folder, 'nowhere'))).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
});
