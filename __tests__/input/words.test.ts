// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { anyOf, nearest, quote, showGiven, showPath, suggest } from '../../src/input/words.ts';

describe('what was given', () => {
  it.each([
    [null, 'nothing'],
    [[], 'an empty list'],
    [[1], 'a list'],
    [{}, 'an empty map'],
    [{ a: 1 }, 'a map'],
    [2.5, '2.5'],
    ['a\u202eb\n', String.raw`"a\u{202e}b\n"`],
  ])('of %j is told as %s', (value, shown) => {
    expect(showGiven(value)).toBe(shown);
  });

  it('is cut where it is long', () => {
    expect(quote('x'.repeat(500))).toBe(`"${'x'.repeat(80)}…"`);
  });

  it('is named by a path that --set takes', () => {
    expect(showPath(['variants', 'debian 12', 'volumes', 0])).toBe('variants."debian 12".volumes[0]');
  });
});

describe('the word that was meant', () => {
  const known = ['repetitions', 'rest', 'guard'];

  it('is the nearest, whatever its case', () => {
    expect(nearest('Repetition', known)).toBe('repetitions');
    expect(suggest('gaurd', known)).toBe('did you mean "guard"?');
  });

  it('is none where too much differs: then all are told', () => {
    expect(nearest('workload', known)).toBeNull();
    expect(suggest('workload', known)).toBe('possible: "repetitions", "rest", "guard"');
    expect(anyOf(known)).toBe('"repetitions", "rest" or "guard"');
  });
});
