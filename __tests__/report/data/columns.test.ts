// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type Column, encodeColumn, valuesOf } from '../../../src/report/data/columns.ts';
import { pack, unpack } from '../../../src/report/data/pack.ts';

const through = (values: readonly unknown[], digits: number | null = null): unknown[] =>
  valuesOf(unpack(pack(encodeColumn(values, digits))) as Column);

describe('columns', () => {
  it.each([
    ['nothing', []],
    ['numbers with gaps', [1, null, 0.1 + 0.2, undefined, -3]],
    ['whole numbers beyond JSON', [12345678901234567890n, null, 1n]],
    ['texts that look like flags', ['1', '0', '.', '', null]],
    ['records of different keys', [{ a: 1, b: null }, { a: 2 }, null, undefined, { b: 'x', c: true }]],
    ['lists of records', [[{ a: 1, b: { c: 0.5 } }, { a: 2 }], [], null, undefined, [{ a: 3 }]]],
    ['all kinds at once', [1, 'x', true, null, undefined]],
    ['a key that is no ordinary one', [JSON.parse('{"__proto__": 1, "constructor": 2}')]],
  ])('give back %s', (_, values) => {
    expect(through(values)).toStrictEqual(values);
  });

  it('round what is not whole, however deep, and nothing else', () => {
    expect(through([{ a: 1 / 3, b: [{ c: 1234567.891, n: 123456789 }], t: '0.123456789' }], 4)).toEqual([
      { a: 0.3333, b: [{ c: 1235000, n: 123456789 }], t: '0.123456789' },
    ]);
  });
});
