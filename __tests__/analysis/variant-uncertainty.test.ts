// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { meterUncertaintyPercent } from '../../src/analysis/assemble.ts';
import { compareNet } from '../../src/analysis/comparison/net-energy.ts';
import type { UncertaintyParts } from '../../src/analysis/uncertainty.ts';
import { energyUncertainty } from '../../src/analysis/variant-uncertainty.ts';

const parts: UncertaintyParts = { gainJ: 8, offsetJ: 6, idleJ: 1, driftJ: 2, quantizationJ: 0, edgesJ: 2 };

describe('energyUncertainty', () => {
  it('lets repetition make smaller what differs from run to run, and nothing else', () => {
    const few = energyUncertainty([998, 1002].map((energyJ) => ({ energyJ, parts })));
    const many = energyUncertainty(Array.from({ length: 100 }, () => ({ energyJ: 1000, parts })));
    expect(few).toMatchObject({ coverage_factor: 2, systematic: 20 });
    expect(few?.random).toBeCloseTo((2 * 3) / Math.sqrt(2), 9);
    expect(few?.of_run).toBeCloseTo(2 * Math.sqrt(109), 9);
    expect(many?.systematic).toBeCloseTo(20, 9);
    // The runs state 3 J each: a spread of nothing at all is luck.
    expect(many?.random).toBeCloseTo(2 * 0.3, 9);
    expect(many?.of_mean).toBeCloseTo(2 * Math.sqrt(100 + 0.09), 9);
    expect(many?.components).toMatchObject({ offset: expect.closeTo(6, 9), quantization: 0 });
  });

  it('knows the random part where the class of the meter is unknown', () => {
    const unknown = { ...parts, gainJ: null, offsetJ: null };
    const runs = [990, 1010].map((energyJ) => ({ energyJ, parts: unknown }));
    const found = energyUncertainty(runs);
    expect(found).toMatchObject({ of_run: null, of_mean: null, systematic: null, components: { gain: null, idle: 1 } });
    expect(found?.random).toBeCloseTo(2 * 10, 9);
  });
});

describe('meterUncertaintyPercent', () => {
  it('is nothing where both arms draw the same power: the class of the meter cancels', () => {
    expect(meterUncertaintyPercent({ energyJ: 1000, durationS: 20 }, { energyJ: 1500, durationS: 30 }, 0.3)).toBe(0);
  });

  it('is what the offset does to arms of different power', () => {
    const [a, b] = [{ energyJ: 1000, durationS: 20 } as const, { energyJ: 1000, durationS: 10 } as const];
    // An offset of 0.3 W is 6 J of the one and 3 J of the other: a limit of 0.3 %.
    expect(meterUncertaintyPercent(a, b, 0.3)).toBeCloseTo((2 * 0.3) / Math.sqrt(3), 9);
  });
});

describe('compareNet', () => {
  const run = (netEnergyJ: number, durationS: number, idlePowerW: number) => ({ netEnergyJ, durationS, idlePowerW });

  it('counts the error of the idle level that both arms share with the difference of their durations', () => {
    const found = compareNet([run(100, 10, 40), run(102, 10, 41)], [run(110, 12, 40), run(114, 12, 41)]);
    expect(found?.difference_j).toBeCloseTo(11, 9);
    const idleError = Math.sqrt(1 / 3) / 2;
    expect(found?.difference_u_j).toBeCloseTo(Math.sqrt(1 + 4 + (2 * idleError) ** 2), 9);
    expect(found?.percent).toBeCloseTo(100 * (112 / 101 - 1), 9);
    // In the ratio the shared level nearly cancels: both arms have about as many seconds a joule.
    expect(found?.log_ratio_u).toBeCloseTo(Math.hypot(1 / 101, 2 / 112, (12 / 112 - 10 / 101) * idleError), 9);
  });

  it('gives no percent of an energy that is hardly above idle', () => {
    const found = compareNet([run(1, 10, 40), run(3, 10, 41)], [run(110, 10, 40), run(114, 10, 41)]);
    expect(found).toMatchObject({ difference_j: 110, percent: null });
  });

  it('knows no spread of a single run', () => {
    const found = compareNet([run(100, 10, 40)], [run(110, 10, 40)]);
    expect(found).toEqual({ difference_j: 10, difference_u_j: null, percent: null, log_ratio_u: null });
    expect(compareNet([], [run(110, 10, 40)])).toBeNull();
  });
});
