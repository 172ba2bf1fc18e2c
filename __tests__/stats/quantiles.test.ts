import { describe, expect, it } from '@jest/globals';
import { flagged } from '../../src/stats/quantiles.ts';
import { arms } from './expected.ts';

describe('flagged', () => {
  it.each(arms)('$name', ({ values, wanted }) => {
    expect(flagged(values)).toEqual(wanted.flagged);
  });

  it('is null for nothing', () => {
    expect(flagged([])).toBeNull();
  });
});
