// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type Comparison, comparisonFile } from '../../src/experiment/comparison.ts';
import { experimentFrom } from '../../src/experiment/read.ts';

const asked = (given: Partial<Comparison>): Comparison => ({
  commands: ['sort file'],
  native: false,
  images: [],
  build: null,
  base: null,
  worktree: false,
  ...given,
});

const build = { context: '.' };

describe('a comparison in one line', () => {
  it.each<[string, Partial<Comparison>, Record<string, object>]>([
    ['commands', { commands: ['a', 'b'] }, { a: { run: 'a' }, b: { run: 'b' } }],
    [
      'commands in a container',
      { commands: ['a', 'b'], images: ['x'] },
      { a: { run: 'a', image: 'x' }, b: { run: 'b', image: 'x' } },
    ],
    ['the same command twice', { commands: ['a', 'a'] }, { a: { run: 'a' }, 'a (2)': { run: 'a' } }],
    [
      'a command that is called like the number of another',
      { commands: ['a', 'a', 'a (2)'] },
      { a: { run: 'a' }, 'a (3)': { run: 'a' }, 'a (2)': { run: 'a (2)' } },
    ],
    ['an image with the host', { images: ['x'] }, { native: {}, x: { image: 'x' } }],
    ['an image with the host, as asked', { native: true, images: ['x'] }, { native: {}, x: { image: 'x' } }],
    ['images', { images: ['x', 'y'] }, { x: { image: 'x' }, y: { image: 'y' } }],
    ['a build with the host', { build: '.' }, { native: {}, 'build .': { build } }],
    ['a build with an image', { images: ['x'], build: '.' }, { x: { image: 'x' }, 'build .': { build } }],
    [
      'a commit and the working tree',
      { base: 'main', worktree: true },
      { main: { revision: 'main' }, 'working tree': {} },
    ],
    ['commits', { base: 'main' }, { main: { revision: 'main' }, HEAD: { revision: 'HEAD' } }],
    [
      'builds of commits',
      { base: 'main', build: '.' },
      { main: { build, revision: 'main' }, HEAD: { build, revision: 'HEAD' } },
    ],
  ])('of %s is an experiment, the first named as its baseline', (_, given, variants) => {
    const file = comparisonFile(asked(given));
    expect(file.variants).toEqual(variants);
    const experiment = experimentFrom(file, { where: 'compare', directory: '/' });
    expect(experiment.variants.map(({ name }) => name)).toEqual(Object.keys(variants));
    expect(experiment.baseline).toBe(Object.keys(variants)[0]);
    expect(experiment.variants.map(({ workload }) => workload.run)).toEqual(
      given.commands ?? ['sort file', 'sort file'],
    );
  });

  it('names a long command by its beginning', () => {
    const [name] = Object.keys(
      comparisonFile(asked({ commands: [`sort ${'x'.repeat(200)}`, 'a\n\tb'] })).variants ?? {},
    );
    expect(name).toMatch(/^sort x{54}…$/);
  });

  it.each([
    ["sh -c 'echo one; echo two; sleep 1'", "bash -c 'echo one; echo two; sleep 1'", 'sh -c …', 'bash -c …'],
    [
      'node bench.js --input data.json --mode fast',
      'node bench.js --input data.json',
      '… data.json --mode fast',
      '… data.json',
    ],
    [
      'gzip -9 --stdout archive.tar >/dev/null',
      'zstd -19 --stdout archive.tar >/dev/null',
      'gzip -9 --stdout …',
      'zstd -19 --stdout …',
    ],
    [
      './run --threads 4 --size 10000000 --check',
      './run --threads 8 --size 10000000 --check',
      '… --threads 4 --size …',
      '… --threads 8 --size …',
    ],
    [
      'one two three four five six seven eight',
      'one two three four five six seven eight',
      'one two three four five six seven eight',
      'one two three four five six seven eight (2)',
    ],
  ])('names long commands by what differs: %s', (one, other, ...names) => {
    expect(Object.keys(comparisonFile(asked({ commands: [one, other] })).variants ?? {})).toEqual(names);
  });

  it.each<[string, Partial<Comparison>, string]>([
    ['nothing to compare with', {}, 'Only "sort file" was given, and nothing to compare it with.'],
    ['nothing but the host', { native: true }, 'and nothing to compare it with.'],
    [
      'two things at once',
      { commands: ['a', 'b'], images: ['x', 'y'] },
      '2 commands and 2 places were given; compare varies one thing.',
    ],
    ['commands and commits', { commands: ['a', 'b'], base: 'main' }, '2 commands and two commits were given'],
    ['a working tree alone', { worktree: true }, '--worktree was given without --base'],
    ['an image at a commit', { images: ['x'], base: 'main' }, '--base main compares two commits in one place'],
    [
      'two places at commits',
      { native: true, build: '.', base: 'main' },
      '--base main compares two commits in one place',
    ],
  ])('is refused with %s', (_, given, sentence) => {
    expect(() => comparisonFile(asked(given))).toThrow(sentence);
  });
});
