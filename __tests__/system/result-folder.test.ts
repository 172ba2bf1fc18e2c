// Class: unit.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ResultFolder } from '../../src/system/result-folder.ts';

let base: string;
let out: string;
let outside: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'joulediff-links-'));
  out = join(base, 'out');
  outside = join(base, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'script.sh'), 'untouched');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const untouched = () => {
  expect(readdirSync(outside)).toEqual(['script.sh']);
  expect(readFileSync(join(outside, 'script.sh'), 'utf8')).toBe('untouched');
};

it('replaces links that lie where its files and folders belong', async () => {
  mkdirSync(out);
  symlinkSync(join(outside, 'script.sh'), join(out, 'comment.md'));
  symlinkSync(join(outside, 'script.sh'), join(out, 'experiment.db'));
  symlinkSync(outside, join(out, 'charts'));
  writeFileSync(join(base, 'measured'), 'rows');
  using folder = ResultFolder.open(out);
  await folder.replace('comment.md', 'a text');
  folder.take(join(base, 'measured'), 'experiment.db');
  using charts = folder.folder('charts');
  await charts.replace('a.svg', 'drawn');
  untouched();
  const content = (name: string) => readFileSync(join(out, name), 'utf8');
  expect([content('comment.md'), content('experiment.db'), content('charts/a.svg')]).toEqual([
    'a text',
    'rows',
    'drawn',
  ]);
  expect(readdirSync(out).sort()).toEqual(['charts', 'comment.md', 'experiment.db']);
});

it('writes into the folder that it opened when a link is laid in its place', async () => {
  using folder = ResultFolder.open(out);
  using charts = folder.folder('charts');
  renameSync(join(out, 'charts'), join(out, 'moved'));
  symlinkSync(outside, join(out, 'charts'));
  renameSync(out, join(base, 'out before'));
  symlinkSync(outside, out);
  await folder.replace('comment.md', 'a text');
  await charts.replace('a.svg', 'drawn');
  untouched();
  expect(readFileSync(join(base, 'out before', 'comment.md'), 'utf8')).toBe('a text');
  expect(readFileSync(join(base, 'out before', 'moved', 'a.svg'), 'utf8')).toBe('drawn');
});

it('is not opened through a link', () => {
  symlinkSync(outside, out);
  expect(() => ResultFolder.open(out)).toThrow(/ENOTDIR|ELOOP/);
});

it('leaves a folder that lies where a file belongs under another name', async () => {
  mkdirSync(join(out, 'comment.md', 'work'), { recursive: true });
  using folder = ResultFolder.open(out);
  await folder.replace('comment.md', 'a text');
  expect(readFileSync(join(out, 'comment.md'), 'utf8')).toBe('a text');
  expect(existsSync(join(out, 'comment.md.1', 'work'))).toBe(true);
});

it('takes a file from another file system', () => {
  const elsewhere = mkdtempSync('/dev/shm/joulediff-');
  try {
    writeFileSync(join(elsewhere, 'experiment.db'), 'rows');
    using folder = ResultFolder.open(out);
    folder.take(join(elsewhere, 'experiment.db'), 'experiment.db');
    expect(readFileSync(join(out, 'experiment.db'), 'utf8')).toBe('rows');
    expect(readdirSync(elsewhere)).toEqual([]);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});
