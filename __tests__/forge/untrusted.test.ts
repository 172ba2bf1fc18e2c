// Class: system.
import { describe, expect, it } from '@jest/globals';
import { logLine, positiveInteger, webAddress } from '../../src/forge/untrusted.ts';

describe('logLine', () => {
  it.each([
    '::error::x',
    '\u0000::set-output name=a::b',
    '  ::add-mask::x',
    'a\n::error::x',
    'a\r::error::x',
    '##[error]x',
    'x ##[command]y',
  ])('gives the runner no command from %j', (text) => {
    const line = logLine(text);
    expect(line).not.toMatch(/^\s*::|##\[|[\n\r\u0000]/);
  });

  it('keeps ordinary text, and bounds it', () => {
    expect(logLine('gcc::x built 3 µs')).toBe('gcc::x built 3 µs');
    expect(logLine('x'.repeat(5000), 100)).toHaveLength(100);
  });
});

describe('positiveInteger', () => {
  it.each([
    ['12', 12],
    [12, 12],
    ['0', null],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    [' 1', null],
    ['99999999999999999', null],
    [2 ** 53, null],
    [Number.NaN, null],
    [null, null],
    [{}, null],
  ])('makes of %j %j', (given, wanted) => {
    expect(positiveInteger(given)).toBe(wanted);
  });
});

describe('webAddress', () => {
  it.each([
    ['https://gitea.example/sub/', 'https://gitea.example/sub'],
    ['http://127.0.0.1:3000///', 'http://127.0.0.1:3000'],
    ['https://host/?q#f', 'https://host'],
    ['javascript:alert(1)', null],
    ['', null],
  ])('makes of %j %j', (given, wanted) => {
    expect(webAddress(given)).toBe(wanted);
  });
});
