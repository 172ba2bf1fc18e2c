// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { blocksWithin, interimPlan } from '../../src/schedule/interims.ts';

describe('the interim analyses of an experiment', () => {
  it('are none where the number of blocks is given', () => {
    expect(interimPlan({}, 30)).toBeNull();
  });

  it('are those that the file names, or grow by about a seventh', () => {
    expect(interimPlan({ looks: [20, 30] }, 30)).toMatchObject({ planned: [20, 30], endsWhen: 'changed' });
    const { planned } = interimPlan({ auto: { least: 10 } }, 60)!;
    expect(planned).toEqual([10, 12, 14, 17, 20, 23, 27, 32, 37, 43, 50, 58, 60]);
  });

  it('end with the blocks that are possible, however few', () => {
    expect(interimPlan({ auto: { least: 10 } }, 10)?.planned).toEqual([10]);
    expect(interimPlan({ auto: { least: 10 } }, 7)?.planned).toEqual([7]);
    expect(interimPlan({ auto: { least: 1 } }, 4)?.planned).toEqual([1, 2, 3, 4]);
  });

  it('end at a verdict, or at the width that is wanted', () => {
    expect(interimPlan({ auto: { least: 10 } }, 60)).toMatchObject({ spending: 'pocock', endsWhen: 'settled' });
    const wide = interimPlan({ auto: { least: 10, wantPercent: 2 } }, 60);
    expect(wide).toMatchObject({ endsWhen: 'precise', wantPercent: 2 });
  });
});

describe('the blocks that fit into a time', () => {
  it('are whole ones, and none where there is no time', () => {
    expect(blocksWithin(60, 13)).toBe(4);
    expect(blocksWithin(-5, 13)).toBe(0);
    expect(blocksWithin(60, 0)).toBe(0);
  });
});
