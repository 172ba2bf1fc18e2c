// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { shiftEstimate, walshEstimate } from '../../src/stats/hodges-lehmann.ts';
import { logRatio, toPercent } from '../../src/stats/log-ratio.ts';
import { expected, pairedCases, tooLittle } from './expected.ts';
import { expectNear } from './near.ts';

describe('walshEstimate', () => {
  it.each(pairedCases)('$name', ({ x, y, expected: { paired } }) => {
    const walsh = walshEstimate(x.map((value, i) => logRatio(value, y[i] as number)));
    const percent = (ends: readonly number[] | undefined): number[] | undefined => ends?.map(toPercent);
    expectNear(
      {
        percent: toPercent(walsh?.estimate ?? Number.NaN),
        k: walsh?.ci95?.k,
        ci95: percent(walsh?.ci95?.interval),
        confidence: walsh?.ci95?.confidence,
        ci90: percent(walsh?.ci90?.interval),
        k90: walsh?.ci90?.k,
        confidence90: walsh?.ci90?.confidence,
      },
      paired.walsh,
      1e-9,
      1e-13,
    );
  });

  it('goes over to the normal approximation above 400 differences without a jump', () => {
    const differences = (n: number): number[] => Array.from({ length: n }, (_, i) => ((i * 7919) % n) / n - 0.46);
    const [of400, of401] = [walshEstimate(differences(400)), walshEstimate(differences(401))];
    expectNear(of401?.ci95?.interval, of400?.ci95?.interval ?? null, 0.05);
    expect(of401?.ci95?.confidence).toBeGreaterThanOrEqual(0.95);
  });

  it('says of too little what can be said', () => {
    expect(walshEstimate([])).toBeNull();
    expect(walshEstimate([0.3])).toEqual({ estimate: 0.3, ci95: null, ci90: null });
    expect(walshEstimate([0.3, 0.5])?.ci95).toEqual({ interval: [0.3, 0.5], confidence: 0.5, k: 1 });
  });
});

describe('shiftEstimate', () => {
  it.each(expected.cases)('$name', ({ x, y, expected: { two } }) => {
    const shift = shiftEstimate(x, y);
    expectNear(shift?.estimate, two.shift.estimate);
    if (two.shift.ci === undefined) return;
    const { k = 0, ci, confidence = 0 } = two.shift;
    expectNear(shift?.ci95, { k, interval: ci, confidence });
  });

  it('has an interval beyond the exact tables, close to what those give', () => {
    const arm = (n: number, shift: number): number[] =>
      Array.from({ length: n }, (_, i) => shift + ((i * 7919) % n) / n);
    const exact = shiftEstimate(arm(499, 10), arm(500, 10.1));
    const approximate = shiftEstimate(arm(501, 10), arm(500, 10.1));
    expectNear(approximate?.estimate, 0.1, 0.02);
    expectNear(approximate?.ci95?.interval, exact?.ci95?.interval ?? null, 0.02);
    expect(approximate?.ci95?.confidence).toBeGreaterThanOrEqual(0.95);
    expect(approximate?.ci95?.confidence).toBeLessThan(0.951);
  });

  it('says of too little what can be said', () => {
    for (const [x, y] of tooLittle) expect(shiftEstimate(x, y)).toBeNull();
    expect(shiftEstimate([1], [3])).toMatchObject({ estimate: 2, ci95: null });
  });
});
