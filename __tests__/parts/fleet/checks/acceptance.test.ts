// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { ACCEPTED, acceptanceIn } from '../../../../src/forge/marker.ts';
import { formatAcceptance, parseAcceptance } from '../../../../src/parts/fleet/checks/acceptance.ts';
import { hostileNames } from '../../../report/fixtures.ts';

const MARKER = `<!-- joulediff key=a/b/ run=1 attempt=1 sha=${'d'.repeat(40)} -->`;

describe('an acceptance', () => {
  it.each([
    ...hostileNames,
    'a -- b --> c',
    '-->',
    '%2D%',
    '$(x)`id`',
    'é 日本 🔥',
  ])('is read again as it was given, and ends neither its hidden line nor its box: %j', (reason) => {
    const block = formatAcceptance({ by: 'octo', reason: reason.slice(0, 200), marks: ['joulediff: Energy'] });
    const read = parseAcceptance(acceptanceIn(`${MARKER}\n${block}text`));
    expect(read).toEqual({ by: 'octo', reason: reason.slice(0, 200).toWellFormed(), marks: ['joulediff: Energy'] });
    const [hidden = '', ...rest] = block.split('\n');
    expect(hidden).toMatch(/^<!-- joulediff accepted [^\s-]+ -->$/);
    expect(rest.slice(-2)).toEqual(['', '']);
    expect(rest.slice(0, -2).every((line) => line.startsWith('> '))).toBe(true);
  });

  it('is found after somebody edited the comment in a browser, which ends lines with CRLF', () => {
    const block = formatAcceptance({ by: 'octo', reason: 'known', marks: ['joulediff: Energy'] });
    const body = `${MARKER}\n${block}text\nmore`.replaceAll('\n', '\r\n');
    expect(parseAcceptance(acceptanceIn(body))).toEqual({ by: 'octo', reason: 'known', marks: ['joulediff: Energy'] });
    expect(body.slice(MARKER.length + 2 + acceptanceIn(body).length)).toBe('text\r\nmore');
  });

  it.each([
    ['further down', `${MARKER}\ntext\n${formatAcceptance({ by: 'octo', reason: 'x', marks: ['joulediff: Energy'] })}`],
    ['above the marker', `${formatAcceptance({ by: 'octo', reason: 'x', marks: ['joulediff: Energy'] })}${MARKER}\n`],
    ['without a marker', ''],
    ['that is not closed', `${MARKER}\n${ACCEPTED}`],
    ['that is no JSON', `${MARKER}\n${ACCEPTED}%5B -->\n\n`],
    ['that is no text', `${MARKER}\n${ACCEPTED}%5B1%2C2%5D -->\n\n`],
    ['that is not encoded', `${MARKER}\n${ACCEPTED}%E0%A4%A -->\n\n`],
    ['that is too long', `${MARKER}\n${ACCEPTED}${encodeURIComponent(JSON.stringify(['o', 'x'.repeat(400)]))} -->\n\n`],
  ])('%s is none', (_, body) => {
    expect(parseAcceptance(acceptanceIn(body))).toBeNull();
  });
});
