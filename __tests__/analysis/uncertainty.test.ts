// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { guardEnergy, type RunEnergy } from '../../src/analysis/energy.ts';
import { expandedJ, randomJ, runUncertainty, type UncertainChannel } from '../../src/analysis/uncertainty.ts';
import { type SampleClockOwner, sampleTimes } from '../../src/sampling/sample-clock.ts';
import { createPrng } from '../../src/stats/prng.ts';
import { restlessPower } from './restless-power.ts';
import {
  asMetered,
  MCP,
  type MeanPower,
  type MeterClass,
  momentsOf,
  PZEM,
  polledReadings,
  SDM,
  sentReadings,
  type Uniform,
} from './simulated-meters.ts';

const GUARD_S = 3;

interface SimulatedType {
  readonly accuracy: MeterClass;
  readonly clock: SampleClockOwner;
  readonly periodS: number;
  readings(power: MeanPower, untilS: number, uniform: Uniform): ReturnType<typeof polledReadings>;
}

const polled = (meter: typeof PZEM, accuracy: MeterClass): SimulatedType => ({
  accuracy,
  clock: 'host',
  periodS: meter.pollS,
  readings: (power, untilS, uniform) => polledReadings(power, untilS, meter, uniform),
});

const wattsUp: SimulatedType = {
  accuracy: { gainPercent: 1.5, offsetW: 0.3, resolutionW: 0.1 },
  clock: 'meter',
  periodS: 1,
  readings: (power, untilS, uniform) =>
    sentReadings(power, untilS, { periodS: 1, latencyS: uniform(), phaseS: uniform() }),
};

const exact: SimulatedType = { ...wattsUp, accuracy: { gainPercent: 0.001, offsetW: 0, resolutionW: 0.001 } };

const channelOf = ({ accuracy, clock, periodS }: SimulatedType): UncertainChannel => ({
  integration: 'guard',
  clock,
  samplingPeriodS: periodS,
  resolutionW: accuracy.resolutionW,
  meter: { accuracy },
});

/** Error over standard uncertainty of so many runs, each with another meter of its class, gross and net. */
function scores(meter: SimulatedType, runs: number, memoryS: number, leastS = 0) {
  const random = createPrng(11);
  const uniform = () => random.u32() / 2 ** 32;
  return Array.from({ length: runs }, () => {
    // At tenths of a second, the steps of the simulated power: its energy is exact there.
    const startS = 40 + Math.floor(10 * uniform()) / 10;
    const endS = startS + 20 + Math.floor(400 * uniform()) / 10;
    const load = { idleW: 40, loadW: 50 + 60 * uniform(), startS, endS };
    const how = { noiseW: 0.5, memoryS: leastS + (memoryS - leastS) * uniform(), driftW: 0.4 * (uniform() - 0.5) };
    const truth = restlessPower(load, load.endS + 40, how, uniform);
    const columns = asMetered(meter.readings(truth.power, load.endS + 30, uniform), meter.accuracy, uniform);
    const times = sampleTimes(meter.clock, columns.tNs, meter.periodS);
    const energy = guardEnergy(columns, times, momentsOf(load, GUARD_S, meter.periodS), GUARD_S * 1e9) as RunEnergy;
    const { gross, net } = runUncertainty(energy, load.endS - load.startS, channelOf(meter));
    return {
      gross: (energy.energyJ - truth.grossJ) / (expandedJ(gross) as number),
      net: ((energy.netEnergyJ as number) - truth.netJ) / (expandedJ(net as typeof gross) as number),
    };
  });
}

describe('the stated uncertainty', () => {
  it.each([
    ['Watts Up? PRO', wattsUp, 2],
    ['PZEM-004T', polled(PZEM, { gainPercent: 0.5, offsetW: 0.4, resolutionW: 0.1 }), 2],
    ['SDM120 at 2 Hz', polled({ ...SDM, pollS: 0.5 }, { gainPercent: 1, offsetW: 0, resolutionW: 0.1 }), 2],
    ['MCP39F511', polled(MCP, { gainPercent: 0.5, offsetW: 0, resolutionW: 0.01 }), 2],
    // All that is left is how idle fluctuates.
    ['as exact as a standard', exact, 0.2],
  ])('covers the truth in at least 95 % of 200 runs, and is not much wider than the errors: %s', (_name, meter, memoryS) => {
    const found = scores(meter, 200, memoryS);
    for (const which of ['gross', 'net'] as const) {
      const values = found.map((score) => Math.abs(score[which]));
      expect(values.filter((value) => value <= 1).length).toBeGreaterThanOrEqual(190);
      // Expanded is twice the standard uncertainty: errors of just that size have a root mean square of a half.
      const rms = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
      expect(rms).toBeGreaterThan(0.25);
    }
  });
});

it.each([
  [1, 2],
  [0.1, 2],
  [0.1, 4],
])('a meter as exact as a standard, read every %p s, covers a power that remembers itself for %p s after 20 s of rest', (periodS, memoryS) => {
  const readings: SimulatedType['readings'] = (power, untilS, uniform) =>
    sentReadings(power, untilS, { periodS, latencyS: uniform(), phaseS: uniform() });
  const found = scores({ ...exact, periodS, readings }, 400, memoryS, memoryS);
  for (const which of ['gross', 'net'] as const) {
    expect(found.filter((score) => Math.abs(score[which]) <= 1).length).toBeGreaterThanOrEqual(376);
  }
});

describe('runUncertainty', () => {
  const energy: RunEnergy = {
    energyJ: 2000,
    netEnergyJ: 1200,
    idle: { powerW: 40, uncertaintyW: 0.1, scatterW: 0.5, changeW: -0.2 },
    samples: 27,
    summedS: 27,
    scatterW: 3,
  };

  it('splits the class of a Watts Up? into gain and offset, and takes idle for the guards', () => {
    const { gross, net } = runUncertainty(energy, 20, channelOf(wattsUp));
    expect(gross.gainJ).toBeCloseTo((0.015 * 2000) / Math.sqrt(3), 9);
    expect(gross.offsetJ).toBeCloseTo((0.3 * 20) / Math.sqrt(3), 9);
    // The mean of idle, and what idle did beside it in 7 s.
    expect(gross.idleJ).toBeCloseTo(Math.hypot(7 * 0.1, 0.5 * Math.sqrt(7)), 9);
    expect(gross.driftJ).toBeCloseTo((7 * 0.2) / Math.sqrt(12), 9);
    expect(gross.quantizationJ).toBeCloseTo((0.1 / Math.sqrt(12)) * Math.sqrt(20), 9);
    expect(gross.edgesJ).toBe(0);
    expect(net).toMatchObject({ offsetJ: 0 });
    expect(net?.gainJ).toBeCloseTo((0.015 * 1200) / Math.sqrt(3), 9);
    expect(net?.idleJ).toBeCloseTo(Math.hypot(27 * 0.1, 0.5 * Math.sqrt(7)), 9);
    expect(net?.driftJ).toBeCloseTo((27 * 0.2) / Math.sqrt(12), 9);
    // 100 W for 20 s, within 1.8 W: 2.1 % expanded.
    const alone = { ...energy, idle: { powerW: 40, uncertaintyW: 0, scatterW: 0, changeW: 0 }, scatterW: 0 };
    expect((expandedJ(runUncertainty(alone, 20, channelOf(wattsUp)).gross) as number) / 2000).toBeCloseTo(0.0177, 3);
  });

  it('adds what the clock of another machine leaves open to the gross energy, and nothing to what is above idle', () => {
    const { gross, net } = runUncertainty(energy, 20, channelOf(wattsUp), { edgeS: 0.3, lengthS: 0.05 });
    expect(gross.edgesJ).toBeCloseTo((40 * 0.05) / Math.sqrt(3), 9);
    expect(net?.edgesJ).toBe(0);
  });

  it('knows no absolute uncertainty where the class of the meter is unknown, but what differs from run to run', () => {
    const rapl: UncertainChannel = {
      integration: 'counter',
      clock: 'host',
      samplingPeriodS: 0.1,
      edgeS: 0.001,
      meter: { accuracy: null },
    };
    const { gross, net } = runUncertainty({ ...energy, summedS: 20 }, 20, rapl);
    expect(expandedJ(gross)).toBeNull();
    expect(gross).toMatchObject({ gainJ: null, idleJ: 0, driftJ: 0, quantizationJ: 0 });
    expect(randomJ(gross)).toBeCloseTo((100 * 0.001) / Math.sqrt(6), 9);
    expect(net?.idleJ).toBeCloseTo(20 * 0.1, 9);
  });

  it('leaves a counter that was read beside the edges of its window the clock’s share and its own, with all of its power', () => {
    const rapl: UncertainChannel = {
      integration: 'counter',
      clock: 'host',
      samplingPeriodS: 0.1,
      edgeS: 0,
      meter: { accuracy: null },
    };
    const { gross, net } = runUncertainty({ ...energy, summedS: 20 }, 20, rapl, { edgeS: 0.2, lengthS: 0.01 });
    // 100 W, 60 W above idle, for a length that is off by 10 ms, a window that lies 200 ms beside the load, and half a period of the readings.
    expect(gross.edgesJ).toBeCloseTo((100 * 0.26) / Math.sqrt(3), 9);
    expect(net?.edgesJ).toBeCloseTo((60 * 0.26) / Math.sqrt(3), 9);
  });

  it('leaves a counter what the readings beside the edges of its window share wrongly, where this machine’s clock told them', () => {
    const rapl: UncertainChannel = {
      integration: 'counter',
      clock: 'host',
      samplingPeriodS: 0.1,
      edgeS: 0,
      meter: { accuracy: null },
    };
    const { gross, net } = runUncertainty({ ...energy, sharedJ: 1.5 }, 20, rapl);
    expect(gross.edgesJ).toBeCloseTo(1.5 / Math.sqrt(3), 9);
    expect(net?.edgesJ).toBeCloseTo(1.5 / Math.sqrt(3), 9);
  });

  it('does not make a rounding smaller by repeating it', () => {
    const still = runUncertainty({ ...energy, scatterW: 0 }, 20, channelOf(wattsUp));
    expect(still.gross.quantizationJ).toBeCloseTo((0.1 / Math.sqrt(12)) * 20, 9);
  });
});
