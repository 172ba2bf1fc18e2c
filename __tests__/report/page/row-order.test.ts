// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { inOrder } from '../../../src/report/page/row-order.ts';

const own = (text: string): string => text;

describe('rows of a table', () => {
  it('are sorted by amounts, whatever their units are', () => {
    const cells = ['1.2 J → 1.3 J', '53.32 mJ → 2 J', '', '900 µJ', '1,200 J', '–'];
    const rising = ['900 µJ', '53.32 mJ → 2 J', '1.2 J → 1.3 J', '1,200 J'];
    expect(inOrder(cells, own, false).slice(0, 4)).toEqual(rising);
    expect(inOrder(cells, own, true).slice(0, 4)).toEqual(rising.toReversed());
  });

  it('are sorted by changes with their signs', () => {
    const cells = ['+19.1 % (+3.8 to +38.3)', '−4 % (−5 to −3)', '0.2 % (−1 to 1)'];
    expect(inOrder(cells, own, false)).toEqual([cells[1], cells[2], cells[0]]);
  });

  it('are sorted by effect sizes with their signs', () => {
    const cells = ['Cliff’s δ 0.12 (negligible)', 'Cliff’s δ −0.90 (large)', 'Hedges’ g −2.10 (large)'];
    expect(inOrder(cells, own, false)).toEqual([cells[2], cells[1], cells[0]]);
  });

  it('are sorted by names as a reader counts', () => {
    const cells = ['test_10', 'sort2x100', 'Foo-3', 'test_2', '8x'];
    expect(inOrder(cells, own, false)).toEqual(['8x', 'Foo-3', 'sort2x100', 'test_2', 'test_10']);
    expect(inOrder(cells, own, true)).toEqual(['test_10', 'test_2', 'sort2x100', 'Foo-3', '8x']);
  });
});
