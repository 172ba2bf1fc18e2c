// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { checkText } from '../../src/parts/bench/commands/check-text.ts';
import { atSpaces } from '../../src/terminal/terminal.ts';
import { passport } from '../findings/passport.ts';
import { startOnTerminal } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-terminal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const eighty = { isTTY: true, columns: 80 };
const widest = (text: string) =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split('\n')
      .map((line) => line.length),
  );

describe('atSpaces', () => {
  it('breaks a line below its own beginning', () => {
    const text = 'Readings    36 of wall in 35 s\n  On bare metal, try this\nok  fine\n';
    expect(atSpaces({ isTTY: true, columns: 24 }, text)).toBe(
      'Readings    36 of wall\n            in 35 s\n  On bare metal, try\n  this\nok  fine\n',
    );
  });

  it('counts no colors', () => {
    expect(atSpaces({ isTTY: true, columns: 12 }, '\x1b[32mok  \x1b[0m  one two three')).toBe(
      '\x1b[32mok  \x1b[0m  one\n      two\n      three',
    );
  });

  it('leaves a log alone', () => {
    const text = `${'word '.repeat(40)}\n`;
    expect(atSpaces({}, text)).toBe(text);
  });

  it('keeps a number and its unit on one line', () => {
    expect(atSpaces({ isTTY: true, columns: 12 }, 'it took 3.2 s or 4 min 10 s, 75 % of it')).toBe(
      'it took\n3.2 s or\n4 min 10 s,\n75 % of it',
    );
  });

  it('begins no line with the space at which it was broken', () => {
    expect(atSpaces({ isTTY: true, columns: 12 }, 'gaps  one two\n  1234567890 1234567890 x')).toBe(
      'gaps  one\n      two\n  1234567890\n  1234567890\n  x',
    );
  });

  it('lets the check of a meter fit into 80 columns', () => {
    const long = {
      ...passport,
      identity: { device: '0000:00:1f.3/i2c-0/0-0040', label: 'the whole board', zones: 'a, b, c' },
    };
    const text = checkText({ passport: long, timing: null, result: { steps: [], edges: [], idleSdW: 0 } }, '/x', {
      color: true,
    });
    expect(widest(text)).toBeGreaterThan(80);
    expect(widest(atSpaces(eighty, text))).toBeLessThanOrEqual(80);
  });
});

describe('a terminal of 80 columns', () => {
  it.each([
    [['meter', 'list']],
    [['meter', 'check', 'rapl', '--reference', '60W']],
    [['meter', 'watch', 'rapl']],
  ])('holds what %j says', async (words) => {
    const env = {
      JOULEDIFF_POWERCAP_ROOT: join(folder, 'none'),
      JOULEDIFF_SERIAL_PORTS: folder,
      XDG_STATE_HOME: folder,
    };
    const { stdout } = await startOnTerminal(words, 80, env).ended;
    expect(stdout).toContain('exit code');
    expect(
      widest(stdout.replaceAll('\r\n', '\n').replaceAll(/^.*\r/gm, '').replaceAll(folder, '…')),
    ).toBeLessThanOrEqual(80);
  });
});
