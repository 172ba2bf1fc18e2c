// Class: system.
import { describe, expect, it } from '@jest/globals';
import type { ChannelInfo, RawReading, Sample } from '../../../../src/contracts/reading.ts';
import { gauss } from '../../../../src/meters/emulator/emulator.ts';
import { computeTiming, histogram, resolutionW } from '../../../../src/parts/bench/tools/timing.ts';

const wall: ChannelInfo = { channel: 'wall', integration: 'guard', samplingPeriodS: 1, clock: 'meter' };
/** A machine that has been up for half a year: its nanoseconds are no exact JavaScript numbers. */
const BOOT_NS = 15_000_000_000_000_000n;
const at = (...seconds: number[]): Sample[] =>
  seconds.map((s) => ({ tNs: BOOT_NS + BigInt(Math.round(s * 1e9)), powerW: 40, durationS: 1 }));

describe('computeTiming', () => {
  it('fits the clock of a meter that sends by itself, and its jitter', () => {
    const times = Array.from({ length: 400 }, (_, k) => k * 1.0003 + 0.004 * gauss(1, k));
    const timing = computeTiming(wall, at(...times));
    expect(timing?.periodS).toBeCloseTo(1.0003, 4);
    expect(timing?.jitterS).toBeCloseTo(0.004, 3);
    expect(timing?.deviationsS).toHaveLength(400);
    const sd = Math.sqrt((timing?.deviationsS.reduce((sum, s) => sum + s * s, 0) ?? 0) / 400);
    expect(sd).toBeCloseTo(timing?.jitterS ?? 0, 4);
  });

  it('takes the intervals where the host asks', () => {
    const timing = computeTiming({ ...wall, samplingPeriodS: 0.2, clock: 'host' }, at(0, 0.2, 0.45, 0.6, 0.8));
    expect(timing).toMatchObject({ readings: 5, nominalPeriodS: 0.2 });
    expect(timing?.periodS).toBeCloseTo(0.2, 6);
    expect(timing?.longestS).toBeCloseTo(0.25, 6);
    expect(timing?.deviationsS.map((s) => Math.round(s * 1000))).toEqual([0, 50, -50, 0]);
  });

  it('says nothing of a single reading', () => {
    expect(computeTiming(wall, at(1))).toBeNull();
  });
});

describe('resolutionW', () => {
  const of = (...powers: number[]) => resolutionW(powers.map((powerW) => ({ tNs: 0n, powerW, durationS: 1 })));

  it('is the smallest step between readings', () => {
    expect(of(40.1, 40.3, 65, 40.2, 65)).toBeCloseTo(0.1, 6);
    expect(of(40, 41.25, 42.5)).toBe(1.25);
  });

  it('is the meter’s own, also where several readings are joined while the power changes', () => {
    expect(of(40.1, 40.1, 40.2, 40.2, 40.1, 43.77, 43.7701, 51.2, 65, 65)).toBeCloseTo(0.1, 6);
  });

  it('is that of the readings, where a sample is the mean of several', () => {
    const samples = [
      [40.1, 40.2],
      [40.2, 40.1],
      [40.4, 40.1],
      [52.3, 40.2],
    ].map(([a = 0, b = 0], i) => {
      // The first stands for a little longer than the second.
      const powerW = 0.50834 * a + 0.49166 * b;
      const readings = [a, b].map((watts): RawReading => [5e8, watts]);
      return { tNs: BigInt(2 * i + 1), powerW, durationS: 1, readings };
    });
    expect(resolutionW(samples)).toBeCloseTo(0.1, 6);
  });

  it('is unknown of a power that never changed', () => {
    expect(of(40, 40)).toBeNull();
  });
});

describe('histogram', () => {
  it('counts every value once, in ranges of one round width', () => {
    const values = Array.from({ length: 500 }, (_, i) => 0.003 * gauss(2, i));
    const rows = histogram(values);
    expect(rows.length).toBeLessThanOrEqual(11);
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(500);
    for (const { fromS, toS, count } of rows) {
      expect(toS - fromS).toBeCloseTo(0.002, 9);
      expect(values.filter((v) => v >= fromS && v < toS).length).toBe(count);
    }
  });

  it('has a row for a single value, and none without', () => {
    expect(histogram([0.5])).toMatchObject([{ count: 1 }]);
    expect(histogram([])).toEqual([]);
  });
});
