// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { guardEnergy, type RunEnergy } from '../../src/analysis/energy.ts';
import { sampleTimes } from '../../src/sampling/sample-clock.ts';
import { createPrng } from '../../src/stats/prng.ts';
import type { SampleColumns } from '../../src/store/records.ts';
import { countSamples, partialBlocks, trapezoid } from './integration-methods.ts';
import { momentsOf, type SimulatedLoad, sentReadings, steadyPower } from './simulated-meters.ts';

// The table of the method reference (25 W above 40 W of idle, means of 1 s, random phase): why guard blocks, and by how much.

const STEP_W = 25;
const RUNS = 3000;

interface Given {
  readonly lengthS: number;
  readonly latencyS: number;
}

/** Bias, standard deviation and largest error of a method, joules. */
function errorsOf(
  { lengthS, latencyS }: Given,
  method: (columns: SampleColumns, load: SimulatedLoad) => number,
  runs = RUNS,
) {
  const random = createPrng(3);
  const uniform = () => random.u32() / 2 ** 32;
  const errors = Array.from({ length: runs }, () => {
    const startS = 40 + uniform();
    const load = { idleW: 40, loadW: 40 + STEP_W, startS, endS: startS + lengthS };
    const columns = sentReadings(steadyPower(load), load.endS + 30, { periodS: 1, latencyS, phaseS: uniform() });
    return method(columns, load) - load.loadW * lengthS;
  });
  const bias = errors.reduce((sum, error) => sum + error, 0) / runs;
  const sd = Math.sqrt(errors.reduce((sum, error) => sum + (error - bias) ** 2, 0) / (runs - 1));
  return { bias, sd, largest: Math.max(...errors.map(Math.abs)) };
}

const guardBlocks = (columns: SampleColumns, load: SimulatedLoad): number => {
  const times = sampleTimes('meter', columns.tNs, 1);
  return (guardEnergy(columns, times, momentsOf(load, 3, 1), 3e9) as RunEnergy).energyJ;
};

describe('the energy of a run', () => {
  it('by counting samples is off by up to a sample at full power', () => {
    const { bias, sd, largest } = errorsOf({ lengthS: 30.25, latencyS: 0.1 }, (c, load) => countSamples(c, load, 1));
    expect(bias).toBeGreaterThan(-18);
    expect(bias).toBeLessThan(-13);
    expect(sd).toBeGreaterThan(21);
    expect(sd).toBeLessThan(24);
    expect(largest).toBeGreaterThan(36);
  });

  it('by partial blocks is biased by a third of the step, and its spread is that of the phase', () => {
    const { bias, sd, largest } = errorsOf({ lengthS: 30.3, latencyS: 0 }, (c, load) => partialBlocks(c, load, 1));
    expect(Math.abs(bias + 8.3)).toBeLessThan(0.2);
    expect(sd).toBeGreaterThan(2.1);
    expect(sd).toBeLessThan(2.4);
    expect(largest).toBeCloseTo(11.4, 1);
  });

  it('by partial blocks with the bias taken off keeps that spread', () => {
    const { bias, largest } = errorsOf(
      { lengthS: 30.3, latencyS: 0 },
      (c, load) => partialBlocks(c, load, 1) + STEP_W / 3,
    );
    expect(Math.abs(bias)).toBeLessThan(0.3);
    expect(largest).toBeCloseTo(3.1, 1);
  });

  it('by trapezoids is biased more', () => {
    const given = { lengthS: 30.3, latencyS: 0 };
    expect(Math.abs(errorsOf(given, (c, load) => trapezoid(c, load, 0)).bias + 14.5)).toBeLessThan(0.3);
    expect(Math.abs(errorsOf(given, (c, load) => trapezoid(c, load, 0.5)).bias + 10.3)).toBeLessThan(0.3);
  });

  it.each([
    -0.5, 0.5,
  ])('by partial blocks with a latency that is believed wrong by %p s is biased more, too', (wrongS) => {
    const { bias, largest } = errorsOf({ lengthS: 30.3, latencyS: 0.6 }, (c, load) =>
      partialBlocks(c, load, 1, 0.6 + wrongS),
    );
    expect(Math.abs(bias + 13.5)).toBeLessThan(0.3);
    expect(largest).toBeCloseTo(14.5, 0);
  });

  it.each([0, 0.5, 2.9])('by guard blocks is exact, with a latency of %p s', (latencyS) => {
    const { largest } = errorsOf({ lengthS: 30.3, latencyS }, guardBlocks, 300);
    expect(largest / (65 * 30.3)).toBeLessThan(1e-9);
  });

  it('by guard blocks is off by a wrong idle times the idle seconds inside the guards, and nothing else', () => {
    const { bias, largest } = errorsOf(
      { lengthS: 30.3, latencyS: 0.5 },
      (columns, load) => {
        // Idle reads 0.1 W too much wherever it is taken from.
        const far = (t: number): boolean => t < load.startS - 3 || t > load.endS + 4;
        const powerW = columns.powerW.map((w, i) => (far((columns.tNs[i] as number) / 1e9) ? w + 0.1 : w));
        return guardBlocks({ ...columns, powerW }, load);
      },
      300,
    );
    expect(bias).toBeCloseTo(-0.7, 1);
    expect(largest).toBeLessThan(0.8);
  });
});
