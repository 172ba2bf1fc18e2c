// Class: unit.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { LaidMachine } from './laid-files.ts';

it('gives texts without white space and NULs, and numbers of what is one', () => {
  using machine = new LaidMachine({
    text: ' Raspberry Pi 4\0\n',
    empty: '\n',
    whole: '42\n',
    negative: '-1.5',
    words: '42 kB',
    exponent: '1e3',
  });
  const { files } = machine;
  expect(files.text('text')).toBe('Raspberry Pi 4');
  expect(files.text('empty')).toBeNull();
  expect(['whole', 'negative', 'words', 'exponent', 'missing'].map((path) => files.number(path))).toEqual([
    ...[42, -1.5],
    ...[null, null, null],
  ]);
});

it('sorts the entries of a folder by their numbers, and throws for nothing that is not there', () => {
  using machine = new LaidMachine({ 'cpu/cpu10': '', 'cpu/cpu2': '', 'cpu/cpufreq': '', 'cpu/link': 'link:../target' });
  const { files, root } = machine;
  expect(files.entries('cpu', /^cpu\d+$/)).toEqual(['cpu/cpu2', 'cpu/cpu10']);
  expect(files.link('cpu/link')).toBe('../target');
  mkdirSync(join(root, 'folder'), { mode: 0o700 });
  expect(files.owner('folder')).toMatchObject({ uid: process.geteuid?.() });
  expect((files.owner('folder')?.mode ?? 0) & 0o777).toBe(0o700);
  expect([files.entries('nowhere'), files.text('folder'), files.link('cpu/cpu2'), files.owner('nowhere')]).toEqual([
    [],
    null,
    null,
    null,
  ]);
});
