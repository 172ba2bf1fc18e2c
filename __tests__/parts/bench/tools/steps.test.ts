// Class: system.
import { describe, expect, it } from '@jest/globals';
import type { Sample } from '../../../../src/contracts/reading.ts';
import { averagedPowerW } from '../../../../src/meters/emulator/averaging-unit.ts';
import { randomUnit } from '../../../../src/meters/emulator/emulator.ts';
import { Load } from '../../../../src/meters/emulator/load.ts';
import { analyzeSteps, type Phase } from '../../../../src/parts/bench/tools/steps.ts';

const ns = (seconds: number) => BigInt(Math.round(seconds * 1e9));

/** Idle, busy, idle, … of 10 to 11 s, and the true power over them. */
function machine(seed: number, { steps = 3, idleW = 40, busyW = 65, noiseW = 0 } = {}) {
  const load = new Load({ idleW, loadW: busyW, noiseW, seed, originNs: 0n });
  const phases: Phase[] = [];
  let startNs = ns(100);
  for (let index = 0; index <= 2 * steps; index++) {
    const endNs = startNs + ns(10 + randomUnit(seed, index));
    phases.push({ busy: index % 2 === 1, startNs, endNs, share: { settling: null, level: null } });
    load.switch({ tNs: endNs, on: index % 2 === 0 && index < 2 * steps });
    startNs = endNs;
  }
  return { load, phases, endNs: startNs };
}

/** A meter of 1 s means that arrive `latencyS` after their end. */
function blockMeans(load: Load, endNs: bigint, phaseS: number, latencyS: number): Sample[] {
  const samples: Sample[] = [];
  for (let s = ns(95 + phaseS); s + ns(latencyS) <= endNs; s += ns(1)) {
    samples.push({ tNs: s + ns(latencyS), powerW: load.energyJ(s - ns(1), s), durationS: 1 });
  }
  return samples;
}

const settings = { settleS: 4, periodS: 1 };

describe('analyzeSteps', () => {
  it('finds the latency of a meter of block means exactly, whatever its phase and latency', () => {
    for (let seed = 0; seed < 40; seed++) {
      const { load, phases, endNs } = machine(seed);
      const latencyS = randomUnit(seed, 100) * 2;
      const samples = blockMeans(load, endNs, randomUnit(seed, 101), latencyS);
      const { steps, edges } = analyzeSteps(phases, samples, settings);
      expect(steps).toHaveLength(3);
      expect(edges).toHaveLength(6);
      for (const step of steps) {
        expect(step).toMatchObject({ seen: true, quiet: true });
        expect(step.stepW).toBeCloseTo(25, 9);
      }
      for (const { latencyS: found, guardS } of edges) {
        expect(found).toBeCloseTo(latencyS, 6);
        // The guard holds every touched reading: the last one ends at most a period after the step, and comes the latency later.
        expect(guardS).toBeLessThanOrEqual(latencyS + 1e-6);
        expect(guardS).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it('finds it through the fluctuation of a machine', () => {
    const { load, phases, endNs } = machine(7, { steps: 5, noiseW: 0.3 });
    const { edges } = analyzeSteps(phases, blockMeans(load, endNs, 0.4, 0.6), settings);
    expect(edges).toHaveLength(10);
    for (const { latencyS } of edges) expect(Math.abs((latencyS ?? 0) - 0.6)).toBeLessThan(0.2);
  });

  it('gives the shift of the whole response for a meter that averages over 2 s and is polled', () => {
    for (let seed = 0; seed < 20; seed++) {
      const { load, phases, endNs } = machine(seed);
      const averaging = { averageS: 2, refreshS: 1, lagNs: ns(0.1), originNs: ns(randomUnit(seed, 50)) };
      const samples: Sample[] = [];
      for (let t = ns(95); t <= endNs; t += ns(0.2)) {
        samples.push({ tNs: t, powerW: averagedPowerW(load, averaging, t), durationS: 0.2 });
      }
      const { edges } = analyzeSteps(phases, samples, { settleS: 4.2, periodS: 0.2 });
      // Half of the average, half of the refresh in the mean of all phases, and the lag, back by the half poll that sample-and-hold leads.
      const mean = edges.reduce((sum, { latencyS }) => sum + (latencyS ?? 0), 0) / edges.length;
      expect(Math.abs(mean - (1 + 0.5 + 0.1 - 0.1))).toBeLessThan(0.5);
      for (const { guardS } of edges) {
        expect(guardS).toBeGreaterThan(1);
        expect(guardS).toBeLessThanOrEqual(2 + 1 + 0.1 + 0.2);
      }
    }
  });

  it('sees no step where the power does what it likes', () => {
    const { load, phases, endNs } = machine(3, { busyW: 40, noiseW: 0.5 });
    const { steps, edges } = analyzeSteps(phases, blockMeans(load, endNs, 0.2, 0.1), settings);
    expect(steps.map(({ seen }) => seen)).toEqual([false, false, false]);
    expect(edges).toEqual([]);
  });

  it('sees a step downwards as one', () => {
    const { load, phases, endNs } = machine(3, { idleW: 65, busyW: 40 });
    const { steps } = analyzeSteps(phases, blockMeans(load, endNs, 0.2, 0.1), settings);
    expect(steps.map(({ seen, stepW }) => [seen, Math.round(stepW)])).toEqual([
      [true, -25],
      [true, -25],
      [true, -25],
    ]);
  });

  it('says no latency of an edge with a gap, and of one that does not settle no guard', () => {
    const { load, phases, endNs } = machine(5, { steps: 1 });
    const samples = blockMeans(load, endNs, 0.2, 0.1);
    const [idle, busy] = phases as [Phase, Phase];
    const gone = samples.findIndex(({ tNs }) => tNs > busy.startNs + ns(1.1));
    const { edges } = analyzeSteps(phases, samples.toSpliced(gone, 1), settings);
    expect(edges.map(({ latencyS }) => latencyS === null)).toEqual([true, false]);

    const slow = samples.map((sample) => {
      const sinceS = Number(sample.tNs - busy.startNs) / 1e9;
      return sinceS > 0 && sample.tNs <= busy.endNs
        ? { ...sample, powerW: 40 + 25 * (1 - Math.exp(-sinceS / 4)) }
        : sample;
    });
    expect(analyzeSteps([idle, busy], slow, settings).edges).toMatchObject([{ guardS: null }]);
  });

  it('tells which steps and edges others disturbed', () => {
    const { load, phases, endNs } = machine(5, { steps: 3 });
    const disturbed = phases.map((phase, i) => ({
      ...phase,
      share: { settling: phase.busy ? 1 : 0.02, level: i === 2 ? 0.5 : phase.busy ? 0.99 : 0 },
    }));
    const { steps, edges } = analyzeSteps(disturbed, blockMeans(load, endNs, 0.2, 0.1), settings);
    expect(steps.map(({ quiet }) => quiet)).toEqual([false, false, true]);
    expect(edges.map(({ quiet }) => quiet)).toEqual([true, false, false, true, true, true]);
  });
});
