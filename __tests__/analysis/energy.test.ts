// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { counterEnergy, guardEnergy, type RunEnergy } from '../../src/analysis/energy.ts';
import { sampleTimes } from '../../src/sampling/sample-clock.ts';
import { createPrng } from '../../src/stats/prng.ts';

const IDLE_W = 40;
const LOAD_W = 65;
const GUARD_S = 3;

/** A meter with 1 s block means of a load that is on in [a, b], with a phase and a latency; seconds. */
function readings(a: number, b: number, until: number, phase: number, latency: number, period = 1) {
  const times: number[] = [];
  const watts: number[] = [];
  for (let s = phase; s + latency < until; s += period) {
    const on = Math.max(0, Math.min(s, b) - Math.max(s - period, a));
    times.push((s + latency) * 1e9);
    watts.push(IDLE_W + ((LOAD_W - IDLE_W) * on) / period);
  }
  const n = times.length;
  return { tNs: Float64Array.from(times), powerW: Float64Array.from(watts), durationS: new Float64Array(n).fill(1) };
}

function moments(a: number, b: number) {
  return {
    startNs: a * 1e9,
    endNs: b * 1e9,
    guardEndNs: (b + GUARD_S + 1) * 1e9,
    before: { fromNs: (a - 20) * 1e9, toNs: a * 1e9 },
    after: { fromNs: (b + GUARD_S + 1) * 1e9, toNs: (b + GUARD_S + 21) * 1e9 },
  };
}

describe('guardEnergy', () => {
  it('is exact for any phase, any latency shorter than the guard, and any length of the run', () => {
    const random = createPrng(7);
    const uniform = () => random.u32() / 2 ** 32;
    for (let i = 0; i < 500; i++) {
      const a = 30 + uniform() * 5;
      const b = a + 0.2 + uniform() * 30;
      const columns = readings(a, b, b + 30, uniform(), uniform() * 2.9);
      const energy = guardEnergy(
        columns,
        sampleTimes('meter', columns.tNs, 1),
        moments(a, b),
        GUARD_S * 1e9,
      ) as RunEnergy;
      expect(energy.energyJ / (LOAD_W * (b - a)) - 1).toBeCloseTo(0, 9);
      expect(energy.netEnergyJ).toBeCloseTo((LOAD_W - IDLE_W) * (b - a), 6);
      expect(energy.idle?.powerW).toBeCloseTo(IDLE_W, 9);
    }
  });

  it('uses the fitted period of a meter whose clock is off', () => {
    const columns = readings(40, 60, 100, 0.3, 0.4, 1.003);
    const times = sampleTimes('meter', columns.tNs, 1);
    expect(times.periodS).toBeCloseTo(1.003, 9);
    const energy = guardEnergy(columns, times, moments(40, 60), GUARD_S * 1e9) as RunEnergy;
    expect(energy.energyJ).toBeCloseTo(LOAD_W * 20, 6);
  });

  it('cancels half of a drift of idle with the idle after the run', () => {
    const columns = readings(40, 60, 100, 0.5, 0.2);
    for (let i = 0; i < columns.tNs.length; i++) columns.powerW[i]! += 0.01 * (columns.tNs[i]! / 1e9 - 50);
    const energy = guardEnergy(
      columns,
      sampleTimes('meter', columns.tNs, 1),
      moments(40, 60),
      GUARD_S * 1e9,
    ) as RunEnergy;
    expect(Math.abs(energy.energyJ - LOAD_W * 20)).toBeLessThan(0.5);
  });

  it('gives no energy when a reading is missing between the guards', () => {
    const whole = readings(40, 60, 100, 0.5, 0.2);
    const keep = (_: unknown, i: number) => i !== 50;
    const columns = {
      tNs: whole.tNs.filter(keep),
      powerW: whole.powerW.filter(keep),
      durationS: whole.durationS.filter(keep),
    };
    expect(guardEnergy(columns, sampleTimes('meter', columns.tNs, 1), moments(40, 60), GUARD_S * 1e9)).toEqual({
      problem: { kind: 'missing-reading-between-guards' },
    });
  });

  it('does not take the end of the preparation for idle', () => {
    const columns = readings(40, 60, 100, 0.5, 1.5);
    // The preparation ended at 20 s and drew power until then; a late meter shows it until 22.5 s.
    for (let i = 0; i < columns.tNs.length; i++) if (columns.tNs[i]! < 22.5e9) columns.powerW[i] = 90;
    const energy = guardEnergy(
      columns,
      sampleTimes('meter', columns.tNs, 1),
      moments(40, 60),
      GUARD_S * 1e9,
    ) as RunEnergy;
    expect(energy.energyJ).toBeCloseTo(LOAD_W * 20, 6);
  });
});

describe('counterEnergy', () => {
  const run = { ...moments(10, 12), before: { fromNs: 8e9, toNs: 10e9 }, after: null };

  it('sums the stretches of the window and takes idle from the rest before', () => {
    const columns = {
      tNs: Float64Array.of(9e9, 10e9, 11e9, 12e9, 13e9),
      powerW: Float64Array.of(5, 5, 20, 30, 5),
      durationS: Float64Array.of(1, 1, 1, 1, 1),
    };
    expect(counterEnergy(columns, run)).toMatchObject({ energyJ: 50, netEnergyJ: 40, idle: { powerW: 5 }, samples: 2 });
  });

  it('counts the part inside the window of a stretch that reaches over its edge', () => {
    const columns = {
      tNs: Float64Array.of(9.5e9, 10.5e9, 11.5e9, 12.5e9),
      powerW: Float64Array.of(4, 10, 10, 10),
      durationS: Float64Array.of(1, 1, 1, 1),
    };
    expect(counterEnergy(columns, run)).toMatchObject({ energyJ: 20 });
  });

  it('tells how far off it may be where its readings lie beside the edges of the window', () => {
    // 60 W in the window from 11 s to 13 s, 20 W outside of it.
    const read = (...stretches: [endS: number, watts: number, lengthS: number][]) =>
      counterEnergy(
        {
          tNs: Float64Array.from(stretches, ([endS]) => endS * 1e9),
          powerW: Float64Array.from(stretches, ([, watts]) => watts),
          durationS: Float64Array.from(stretches, ([, , lengthS]) => lengthS),
        },
        {
          startNs: 11e9,
          endNs: 13e9,
          guardEndNs: 15e9,
          before: { fromNs: 8e9, toNs: 10e9 },
          after: { fromNs: 14e9, toNs: 16e9 },
        },
      ) as RunEnergy;
    const exact = read([10, 20, 3], [11, 20, 1], [13, 60, 2], [16, 20, 3]);
    expect(exact).toMatchObject({ energyJ: 120, sharedJ: 0 });
    // Read half a second after the end: of a second of load and half a second of idle, two thirds were in the window.
    const late = read([10, 20, 3], [11, 20, 1], [12, 60, 1], [13.5, (60 + 10) / 1.5, 1.5], [16, 20, 2.5]);
    expect(late.energyJ).toBeCloseTo(60 + 70 / 1.5, 9);
    const offJ = Math.abs(late.energyJ - exact.energyJ);
    expect(late.sharedJ).toBeCloseTo(((1 * 0.5) / 1.5) * ((late.energyJ - 40) / 2), 9);
    expect(offJ).toBeLessThan(1.25 * (late.sharedJ ?? 0));
  });

  it('gives no energy when readings are missing', () => {
    const columns = {
      tNs: Float64Array.of(10e9, 11e9),
      powerW: Float64Array.of(5, 20),
      durationS: Float64Array.of(1, 1),
    };
    expect(counterEnergy(columns, run)).toEqual({
      problem: { kind: 'missing-readings-in-window' },
    });
  });
});
