// Class: system.
import { describe, expect, it } from '@jest/globals';
import { sparkline } from '../../../../src/parts/bench/commands/watch.ts';

describe('sparkline', () => {
  it('goes from the least to the largest of what it shows', () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], 8, 0)).toBe('▁▂▃▄▅▆▇█');
    expect(sparkline([1000, 40, 65, 40], 3, 1)).toBe('▁█▁');
  });

  it('does not blow up what hardly differs', () => {
    expect(sparkline([40, 40.1, 40], 10, 8)).toBe('▁▁▁');
    expect(sparkline([0, 0], 10, 0)).toBe('▁▁');
  });

  it('is empty without values or room', () => {
    expect(sparkline([], 10, 1)).toBe('');
    expect(sparkline([1, 2], 0, 1)).toBe('');
    expect(sparkline([1, 2], -5, 1)).toBe('');
  });
});
