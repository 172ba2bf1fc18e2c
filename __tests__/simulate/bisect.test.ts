// Class: world, computes.
import { describe, expect, it } from '@jest/globals';
import { Bisection, bisections, line } from './bisect.ts';
import { isInside } from './gates.ts';
import { MACHINES } from './machine.ts';
import { createRandom } from './random.ts';

describe('a bisection', () => {
  // Few of them with the limits that chance allows; `npm run simulate -- bisect` makes 1,000.
  it('names the commit of a step of 1 %, and none where there is no step', () => {
    const rows = bisections(25, 7, ['1 %'], [0, 1]);
    expect(rows.flatMap(({ shares }) => shares).filter((one) => !isInside(one))).toEqual([]);
    // An hour on a counter.
    expect(rows[1]?.runs90).toBeLessThan(550);
  });

  describe('over 128 commits of which 71 in a row do not build', () => {
    const broken = Array.from({ length: 71 }, (_, i) => 30 + i);
    const quiet = { ...MACHINES.iid, white: 0.001 };
    const end = (culprit: number) => new Bisection(createRandom(7), quiet, 0.05, { broken, culprit }).end(line(128));

    it.each([5, 20, 25, 102, 120])('names commit %i after few that fail', (culprit) => {
      const found = end(culprit);
      expect(found.named).toEqual([culprit]);
      expect(found.failed).toBeLessThan(20);
    });

    it('names all that the step hides behind', () => {
      expect(end(60).named).toEqual([...broken, 101]);
    });
  });
});
