// Class: system, browser.
import { describe, expect, it } from '@jest/globals';
import {
  ALL,
  addressOf,
  foundVariants,
  type Wanted,
  wantedOf,
} from '../../../../../../src/parts/fleet/history/page/browser/address.ts';

describe('what is wanted', () => {
  it.each<[string, Partial<Wanted>, string]>([
    ['everything', {}, ''],
    ['a place', { place: 'place-0a1b' }, '#place-0a1b'],
    ['filters', { find: 'so rt', machine: 'bench & 1', latest: 100 }, '#find=so+rt&machine=bench+%26+1&latest=100'],
    [
      'all at once',
      { experiment: 'a=b', order: 'name', hidden: new Set(['x', 'y']), unit: 'percent', place: 'place-9' },
      '#experiment=a%3Db&order=name&without=x&without=y&unit=percent&place=place-9',
    ],
  ])('comes back from the address: %s', (_, part, address) => {
    const wanted = { ...ALL, ...part };
    expect(addressOf(wanted)).toBe(address);
    expect(wantedOf(address)).toEqual(wanted);
  });

  it('is everything where an address means nothing', () => {
    expect(wantedOf('#results')).toEqual(ALL);
    expect(wantedOf('#order=constructor&latest=-1&unit=eV&place=x')).toEqual(ALL);
  });
});

describe('a search', () => {
  const variants = ['test_sort/base', 'test_sort/head', 'test_Parse/head'];
  const place = ['suite of gzip', 'bench-01', 'rapl'];

  it.each<[string, string[]]>([
    ['', variants],
    ['  gzip RAPL ', variants],
    ['parse', ['test_Parse/head']],
    ['gzip sort head', ['test_sort/head']],
    ['gzip missing', []],
  ])('for "%s" finds variants by all its words, with those of their place', (words, found) => {
    expect(foundVariants(words, place, variants)).toEqual(found);
  });
});
