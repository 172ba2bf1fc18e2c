// Class: world, computes.
import { describe, expect, it } from '@jest/globals';
import { isInside } from './gates.ts';
import { heat } from './heat.ts';

describe('rests that end by themselves, on machines that run hot', () => {
  // Few experiments with the limits that chance allows them; `npm run simulate -- heat` does it with 2,000 on every machine.
  it('leave no more of the run before than rests of 20 s, in less time', () => {
    const rows = heat(20, 3, ['counter', 'plug'], ['realistic']);
    expect(rows.flatMap(({ shares }) => shares).filter((one) => !isInside(one))).toEqual([]);
    for (const auto of rows.filter(({ restS }) => restS === 'auto')) {
      const fixed = rows.find(({ meter, tauS, restS }) => restS === 20 && meter === auto.meter && tauS === auto.tauS);
      expect(auto.meanRestS).toBeLessThan(auto.tauS === 0 ? 8 : 16);
      expect(auto.carryOverPercent).toBeLessThan((fixed?.carryOverPercent as number) + 0.003);
    }
  });
});
