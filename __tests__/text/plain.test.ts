// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { distinctLabels, listed, plain, plural, screenJson, shorten } from '../../src/text/plain.ts';
import { hostileNames } from '../report/fixtures.ts';

const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

describe('plain', () => {
  it.each(hostileNames)('leaves one visible line of %j', (text) => {
    expect(plain(text)).not.toMatch(INVISIBLE);
    expect(plain(text).isWellFormed()).toBe(true);
  });

  it('keeps what can be read, in every script', () => {
    expect(plain('Größe δ 漢字 é עברית 😀')).toBe('Größe δ 漢字 é עברית 😀');
  });

  it('shortens in the middle, by characters, to the limit exactly', () => {
    expect(shorten('abcdefghij', 10)).toBe('abcdefghij');
    expect(shorten('abcdefghijk', 6)).toBe('abc…jk');
    expect([...shorten('😀'.repeat(20), 7)]).toHaveLength(7);
    expect(plain('x'.repeat(10_000), 60)).toHaveLength(60);
  });
});

describe('distinctLabels', () => {
  const to = (limit: number) => (name: string) => shorten(name, limit);

  it('lets names be that fit and differ', () => {
    expect(distinctLabels(['native', 'container'], to(20))).toEqual(['native', 'container']);
  });

  it('leaves out what all of the long ones have in common, down to a whole word', () => {
    const names = ['registry.example/sort-alpine/bench', 'registry.example/sort-debian/bench'];
    expect(distinctLabels(names, to(14))).toEqual(['…alpine/bench', '…debian/bench']);
  });

  it('numbers those that nothing tells apart', () => {
    expect(distinctLabels(['same', 'same', 'other'], to(10))).toEqual(['same', 'same (2)', 'other']);
  });
});

it('counts and lists as a person does', () => {
  expect([plural(1, 'block'), plural(0, 'block'), plural(2, 'match', 'matches')]).toEqual([
    '1 block',
    '0 blocks',
    '2 matches',
  ]);
  expect([listed([]), listed(['a']), listed(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c']);
});

it('screenJson shows a terminal nothing but what it says, and is the same value', () => {
  const json = JSON.stringify({ name: '\u009b2J\u202egnp' });
  expect(screenJson(json)).not.toMatch(INVISIBLE);
  expect(JSON.parse(screenJson(json))).toEqual(JSON.parse(json));
});
