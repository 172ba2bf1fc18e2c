// Class: system.
import { describe, expect, it } from '@jest/globals';
import { commentKey, formatMarker, isNewer, type Marker, parseMarker } from '../../src/forge/marker.ts';

const marker = (more: Partial<Marker> = {}): Marker => ({
  key: commentKey('Energy', 'measure', ''),
  runId: 12,
  attempt: 1,
  headSha: 'c'.repeat(40),
  ...more,
});

describe('the marker', () => {
  it('comes back from a body as it was written', () => {
    expect(parseMarker(`${formatMarker(marker())}\n# Report`)).toEqual(marker());
    expect(parseMarker(`${formatMarker(marker({ headSha: null }))}\r\n# Report`)).toEqual(marker({ headSha: null }));
    expect(parseMarker(formatMarker(marker()))).toEqual(marker());
  });

  it.each([
    '--><img src=x>',
    '-->\n<!-- joulediff key=x',
    '--!>',
    'ключ 🔋',
    '\ud800',
    ' run=99 attempt=9',
    'x'.repeat(5000),
  ])('stays one harmless line with the key %j', (key) => {
    const line = formatMarker(marker({ key: commentKey(key, key, key) }));
    expect(line).toMatch(/^<!-- [^<>\n-]*-->$/);
    expect(line.length).toBeLessThan(700);
    expect(parseMarker(line)).toMatchObject({ runId: 12, key: commentKey(key, key, key) });
  });

  it('tells keys apart that look alike', () => {
    const keys = [
      commentKey('a', 'b', 'c'),
      commentKey('a/b', '', 'c'),
      commentKey('a', 'b/c', ''),
      commentKey('A', 'b', 'c'),
      commentKey('a', 'b', 'x'.repeat(200)),
      commentKey('a', 'b', `${'x'.repeat(200)}y`),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('counts only at the very start of a body', () => {
    const line = formatMarker(marker());
    expect(parseMarker(`> ${line}\n`)).toBeNull();
    expect(parseMarker(`\n${line}\n`)).toBeNull();
    expect(parseMarker(`${line} trailing`)).toBeNull();
    expect(parseMarker(undefined)).toBeNull();
  });

  it('orders runs by their number, and attempts within one', () => {
    expect(isNewer(marker({ runId: 13 }), marker({ attempt: 9 }))).toBe(true);
    expect(isNewer(marker({ attempt: 10 }), marker({ attempt: 9 }))).toBe(true);
    expect(isNewer(marker(), marker())).toBe(false);
    expect(isNewer(marker({ runId: 9 }), marker({ runId: 10 }))).toBe(false);
  });
});
