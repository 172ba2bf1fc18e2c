// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { isInside } from './gates.ts';
import { jointly, sequential } from './sequential.ts';

describe('repetitions that follow from what is seen', () => {
  // Few experiments with the limits that chance allows them; `npm run simulate -- sequential` does it with 2,000.
  it('keep their error rates and their intervals, with a fraction of the blocks', () => {
    const rows = sequential(100, 7, ['1 %'], [0, 1, 5]);
    expect(rows.flatMap(({ shares }) => shares).filter((one) => !isInside(one))).toEqual([]);
    for (const { auto } of rows) expect(auto.meanBlocks).toBeLessThan(20);
    expect(rows.at(-1)?.auto.meanBlocks).toBeLessThan(11);
  });

  it('go on until all variants, and a threshold, are settled, and are not wrong more often', () => {
    const rows = jointly(15, 7, ['1 %'], [{ percents: [0, 1, 5] }, { percents: [2], limit: 2 }]);
    expect(rows.flatMap(({ shares }) => shares).filter((one) => !isInside(one))).toEqual([]);
    const [several, limited] = rows;
    expect(several?.settled).toBeGreaterThan(0.9);
    // The variant with 5 % alone is settled after 10 blocks, as is the one with 2 %.
    expect(several?.meanBlocks).toBeGreaterThan(11);
    expect(limited?.meanBlocks).toBeGreaterThan(45);
  });

  it('end where the blocks that are left would settle nothing', () => {
    const [noisy] = sequential(40, 7, ['noisy'], [0]);
    expect(noisy?.auto.because.futile).toBeGreaterThan(10);
  });
});
