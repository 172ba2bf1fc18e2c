// Class: system.
import { describe, expect, it } from '@jest/globals';
import { CheckpointLines } from '../../../src/executors/phases/checkpoint-lines.ts';
import { isPhasePattern, phaseMatcher } from '../../../src/executors/phases/phase-lines.ts';

const read = (line: string, lines: Record<string, string> = {}) =>
  new CheckpointLines(Object.entries(lines).map(([phase, pattern]) => ({ phase, pattern }))).read(Buffer.from(line));

describe('a marker', () => {
  it.each([
    ['::joulediff phase load', { phase: 'load' }],
    ['::joulediff phase  sort  \r', { phase: 'sort' }],
    ['::joulediff phase écrire les données', { phase: 'écrire les données' }],
    ['::joulediff end', { phase: null }],
  ])('%j tells %j', (line, reported) => {
    expect(read(line)).toEqual(reported);
  });

  it.each([
    'joulediff phase load',
    ' ::joulediff phase load',
    'now ::joulediff phase load',
    '::joulediffer phase load',
    '',
  ])('is not %j', (line) => {
    expect(read(line)).toBeNull();
  });

  it.each([
    '::joulediff',
    '::joulediff phase',
    '::joulediff phases load',
    '::joulediff phase \u001b[31mred',
    '::joulediff phase outside of phases',
    `::joulediff phase ${'x'.repeat(61)}`,
  ])('with a mistake is refused, quoted without control characters: %j', (line) => {
    const reported = read(line);
    expect(reported).toEqual({ problem: expect.stringContaining('::joulediff phase NAME') });
    expect(JSON.stringify(reported)).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe('a line that the experiment file names', () => {
  it.each([
    ['Loading done', 'INFO Loading done in 3 s', true],
    ['^Loading done', 'INFO Loading done', false],
    ['^Loading done', 'Loading done in 3 s', true],
    ['done$', 'Loading done', true],
    ['done$', 'done it', false],
    ['^done$', 'done', true],
    ['^done$', 'done done', false],
    ['^step * of *: sort$', 'step 3 of 9: sort', true],
    ['^step * of *: sort$', 'step 3: sort', false],
    ['a*a$', 'a', false],
    ['(1) | [x]', 'plain (1) | [x] text', true],
  ])('%j and %j: %j', (pattern, line, matches) => {
    expect(phaseMatcher(pattern)(line)).toBe(matches);
  });

  it('begins its phase, and the first that matches counts', () => {
    const lines = { load: '^Loading', sort: 'Loading|Sorting', other: 'Sorting' };
    expect(read('Loading', lines)).toEqual({ phase: 'load' });
    expect(read('Sorting', lines)).toEqual({ phase: 'other' });
    expect(read('Writing', lines)).toBeNull();
  });

  it.each([
    '^Loading .* done',
    '\\d+ rows',
    '[0-9]+ rows',
    '(?:a)',
    '',
    '^',
    '*',
    '^*$',
    'a\tb',
  ])('%j can not be', (pattern) => {
    expect(isPhasePattern(pattern)).toBe(false);
  });

  it('takes no longer for a line made to be hard than for its length', () => {
    const matches = phaseMatcher(`${'a*'.repeat(100)}b$`);
    expect(matches('a'.repeat(1_000_000))).toBe(false);
  });
});
