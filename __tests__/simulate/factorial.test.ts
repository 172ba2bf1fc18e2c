// Class: world, computes.
import { describe, expect, it } from '@jest/globals';
import { manyLevels, twoFactors } from './factorial.ts';
import { isInside, shareTable } from './gates.ts';

describe('the interaction of two factors on simulated machines', () => {
  // Few experiments with wide limits; npm run simulate does it with 2,000 and the limits that count.
  it('is called one as seldom, and found as often, as the methodology says', () => {
    const shares = twoFactors(250, 20240613);
    expect(shares).toHaveLength(12);
    const missed = shares.filter((share) => !isInside(share));
    expect(missed.length === 0 ? '' : shareTable(missed)).toBe('');
  });
});

describe('the effects of a matrix on simulated machines', () => {
  it('are false alarms no more often than one test in twenty, whatever the noise', () => {
    const shares = manyLevels(30, 20261122, ['skewed', 'uneven']);
    expect(shares).toHaveLength(16);
    const missed = shares.filter((share) => !isInside(share));
    expect(missed.length === 0 ? '' : shareTable(missed)).toBe('');
    const found = shares.find(
      ({ what, of }) => of === 'skewed' && what === 'six cells, 2 % in one cell: interaction found',
    );
    expect(found?.count).toBeGreaterThan(20);
  });
});
