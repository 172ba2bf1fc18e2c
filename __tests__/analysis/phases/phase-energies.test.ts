// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { counterEnergy, guardEnergy, type RunEnergy, type RunMoments } from '../../../src/analysis/energy.ts';
import { phaseEnergies } from '../../../src/analysis/phases/phase-energies.ts';
import { stretchesOf } from '../../../src/analysis/phases/stretches.ts';
import type { PhaseMark } from '../../../src/contracts/execution.ts';
import { sampleTimes } from '../../../src/sampling/sample-clock.ts';
import type { ChannelRecord, SampleColumns } from '../../../src/store/records.ts';
import { wallMeter } from '../../store/fixtures.ts';
import { type MeanPower, PZEM, polledReadings, sentReadings } from '../simulated-meters.ts';

const IDLE_W = 40;
const START_S = 30.27;
const GUARD_S = 3;

/** A workload that is in each phase so long, with so much power. */
interface Part {
  readonly phase: string | null;
  readonly lengthS: number;
  readonly powerW: number;
}

interface Simulated {
  readonly parts: readonly Part[];
  readonly power: MeanPower;
  readonly moments: RunMoments;
  readonly marks: readonly PhaseMark[];
}

function simulate(parts: readonly Part[], lateNs = 0n): Simulated {
  let at = START_S;
  const edges = parts.map((part) => {
    const from = at;
    at += part.lengthS;
    return { ...part, from, to: at };
  });
  const power: MeanPower = (fromS, toS) => {
    const above = edges.map(
      ({ from, to, powerW }) => (powerW - IDLE_W) * Math.max(0, Math.min(toS, to) - Math.max(fromS, from)),
    );
    return IDLE_W + above.reduce((sum, joules) => sum + joules, 0) / (toS - fromS);
  };
  const guardEndS = at + GUARD_S + 1;
  const moments = {
    startNs: Math.round(START_S * 1e9),
    endNs: Math.round(at * 1e9),
    guardEndNs: guardEndS * 1e9,
    before: { fromNs: (START_S - 20) * 1e9, toNs: START_S * 1e9 },
    after: { fromNs: guardEndS * 1e9, toNs: (guardEndS + 20) * 1e9 },
  };
  const marks = edges.flatMap(({ phase, from }, i) =>
    i === 0 && phase === null ? [] : [{ phase, tNs: BigInt(Math.round(from * 1e9)) + lateNs / 2n, lateNs }],
  );
  return { parts, power, moments, marks };
}

function channelOf(given: Partial<ChannelRecord>, latencyS: number | null): ChannelRecord {
  const passport =
    latencyS === null
      ? null
      : { channel: 'wall', latency: { mean_s: latencyS, sd_s: 0.02, max_s: 1, edges: 6 }, guard_needed_s: 3 };
  return {
    ...wallMeter.channels[0]!,
    primary: true,
    ...given,
    meter: { ...wallMeter, passport } as unknown as ChannelRecord['meter'],
  };
}

function energies({ moments, marks }: Simulated, columns: SampleColumns, channel: ChannelRecord) {
  const times = sampleTimes(channel.clock, columns.tNs, channel.samplingPeriodS);
  const energy =
    channel.integration === 'counter'
      ? counterEnergy(columns, moments)
      : guardEnergy(columns, times, moments, GUARD_S * 1e9);
  if ('problem' in energy) throw new Error(energy.problem.kind);
  const window = {
    startNs: BigInt(Math.round(moments.startNs)),
    endNs: BigInt(Math.round(moments.endNs)),
    originNs: 0n,
  };
  const found = phaseEnergies(
    stretchesOf(marks, window),
    { startNs: moments.startNs, periodS: times.periodS },
    { channel, columns, times, moments, guardNs: GUARD_S * 1e9, energy: energy as RunEnergy },
  );
  return { ...found, energyJ: energy.energyJ };
}

/** Uniform numbers from a fixed seed (Lehmer). */
function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function randomParts(uniform: () => number): Part[] {
  return ['load', 'sort', null, 'write', 'load'].map((phase) => ({
    phase,
    lengthS: 4 + 8 * uniform(),
    powerW: 50 + 60 * uniform(),
  }));
}

/** Largest error and the share of phases whose true energy lies within the stated uncertainty, over many runs. */
function trial(meter: 'sent' | 'polled', latencyS: number, known: number | null, late = 0n) {
  const uniform = uniforms(7);
  let within = 0;
  let phases = 0;
  const errors: number[] = [];
  const stated: number[] = [];
  for (let i = 0; i < 300; i++) {
    const simulated = simulate(randomParts(uniform), late);
    const columns =
      meter === 'sent'
        ? sentReadings(simulated.power, 120, { periodS: 1, latencyS, phaseS: uniform() })
        : polledReadings(simulated.power, 120, PZEM, uniform);
    const channel =
      meter === 'sent'
        ? channelOf({}, known)
        : channelOf({ clock: 'host', samplingPeriodS: PZEM.pollS, edgeS: PZEM.pollS }, known);
    const found = energies(simulated, columns, channel);
    const sum = found.phases.reduce((s, p) => s + (p.energyJ ?? 0), found.outsidePhases.energyJ ?? 0);
    expect(sum).toBeCloseTo(found.energyJ, 8);
    const reported = simulated.parts.filter((part) => part.phase !== null);
    found.phases.forEach((p, k) => {
      const part = reported[k]!;
      const error = (p.energyJ ?? 0) - part.powerW * part.lengthS;
      phases += 1;
      errors.push(error);
      stated.push(p.uncertaintyJ ?? 0);
      if (Math.abs(error) <= (p.uncertaintyJ ?? 0)) within += 1;
    });
  }
  const rms = (values: readonly number[]) => Math.sqrt(values.reduce((s, v) => s + v * v, 0) / values.length);
  const result = { within: within / phases, rmsJ: rms(errors), statedJ: rms(stated) };
  if (process.env.TELL) console.log(meter, latencyS, known, result);
  return result;
}

describe('energies of phases', () => {
  it('are right within their uncertainty, on a meter whose latency is known', () => {
    const { within, rmsJ, statedJ } = trial('sent', 0.4, 0.4);
    expect(within).toBeGreaterThan(0.93);
    // And the uncertainty is no more than what it has to be: k = 2.
    expect(statedJ).toBeLessThan(3 * rmsJ);
    expect(rmsJ).toBeLessThan(10);
  });

  it('are rougher where it is not known, and say so', () => {
    const known = trial('sent', 0.4, 0.4);
    const unknown = trial('sent', 0.4, null);
    expect(unknown.within).toBeGreaterThan(0.95);
    expect(unknown.rmsJ).toBeGreaterThan(known.rmsJ);
    expect(unknown.statedJ).toBeGreaterThan(1.5 * known.statedJ);
    for (const latencyS of [0, 1]) expect(trial('sent', latencyS, null).within).toBeGreaterThan(0.95);
  });

  it('hold on a register that averages two seconds and is polled', () => {
    // The mean of 2 s is late by 1 s, and shown for 1 s; a reading stands for the time before it.
    const lag = PZEM.averageS / 2 + PZEM.delayS + PZEM.refreshS / 2 - PZEM.pollS / 2;
    expect(trial('polled', 0, lag).within).toBeGreaterThan(0.9);
    expect(trial('polled', 0, null).within).toBeGreaterThan(0.95);
  });

  it('are exact on a counter, but for the reading that lies across a checkpoint', () => {
    const simulated = simulate([
      { phase: null, lengthS: 2, powerW: 60 },
      { phase: 'load', lengthS: 3.03, powerW: 90 },
      { phase: 'sort', lengthS: 4, powerW: 55 },
    ]);
    const columns = sentReadings(simulated.power, 60, { periodS: 0.1, latencyS: 0, phaseS: 0.07 });
    const { phases, outsidePhases, energyJ } = energies(
      simulated,
      { ...columns, durationS: columns.durationS.fill(0.1) },
      channelOf({ integration: 'counter', clock: 'host', samplingPeriodS: 0.1, edgeS: 0.001 }, null),
    );
    expect(phases.map(({ phase }) => phase)).toEqual(['load', 'sort']);
    expect(Math.abs((phases[0]?.energyJ ?? 0) - 3.03 * 90)).toBeLessThan(35 * 0.1 * 0.25 * 2);
    expect(outsidePhases).toMatchObject({ durationS: expect.closeTo(2, 6), short: false });
    expect((phases[0]?.energyJ ?? 0) + (phases[1]?.energyJ ?? 0) + (outsidePhases.energyJ ?? 0)).toBeCloseTo(
      energyJ,
      9,
    );
  });

  it('are short where a meter that nobody checked may show their edges later than they last', () => {
    const simulated = simulate([
      { phase: 'a', lengthS: 2, powerW: 60 },
      { phase: 'b', lengthS: 8, powerW: 90 },
    ]);
    const columns = polledReadings(simulated.power, 60, PZEM, uniforms(3));
    const shortOn = (latencyS: number | null) => {
      const channel = channelOf({ clock: 'host', samplingPeriodS: PZEM.pollS, edgeS: PZEM.pollS }, latencyS);
      const meter = {
        ...channel.meter,
        minimumGuardS: 3,
        passport: channel.meter.passport && { ...channel.meter.passport, guard_needed_s: 1 },
      };
      return energies(simulated, columns, { ...channel, meter }).phases.map(({ short }) => short);
    };
    expect(shortOn(null)).toEqual([true, false]);
    // Known to be 0.4 s late, and to have settled in 1 s.
    expect(shortOn(0.4)).toEqual([false, false]);
  });

  it('are short below three readings', () => {
    const simulated = simulate([
      { phase: 'a', lengthS: 2.9, powerW: 60 },
      { phase: 'b', lengthS: 3.1, powerW: 60 },
    ]);
    const columns = sentReadings(simulated.power, 60, { periodS: 1, latencyS: 0.3, phaseS: 0.4 });
    const { phases, outsidePhases } = energies(simulated, columns, channelOf({}, 0.3));
    expect(phases.map(({ phase, short }) => [phase, short])).toEqual([
      ['a', true],
      ['b', false],
    ]);
    expect(outsidePhases).toMatchObject({ durationS: 0, energyJ: 0, uncertaintyJ: 0, short: false });
  });

  it('allow for a line whose time is only known to some tenths of a second', () => {
    const exact = trial('sent', 0.4, 0.4);
    const late = trial('sent', 0.4, 0.4, 400_000_000n);
    expect(late.statedJ).toBeGreaterThan(exact.statedJ);
  });
});

describe('stretchesOf', () => {
  const window = { startNs: 100n, endNs: 1000n, originNs: 100n };
  const mark = (tNs: bigint, phase: string | null) => ({ tNs, lateNs: 0n, phase });
  const reported = (marks: readonly PhaseMark[]) =>
    stretchesOf(marks, window).map(({ phase, start, end }) => [phase, start.ns, end.ns]);

  it('cuts the window without a rest', () => {
    expect(reported([mark(300n, 'a'), mark(500n, 'b'), mark(700n, null), mark(800n, 'a')])).toEqual([
      [null, 0, 200],
      ['a', 200, 400],
      ['b', 400, 600],
      [null, 600, 700],
      ['a', 700, 900],
    ]);
  });

  it('goes on with a phase that begins again while it runs, and leaves out what took no time', () => {
    expect(reported([mark(100n, 'a'), mark(300n, 'a'), mark(400n, 'b'), mark(400n, 'c'), mark(1000n, 'd')])).toEqual([
      ['a', 0, 300],
      ['c', 300, 900],
    ]);
  });

  it('knows the end of the window in a phase that ends there', () => {
    const edges = ['a', null].map((phase, i) => mark(i === 0 ? 300n : 1000n, phase));
    expect(stretchesOf(edges, window)).toEqual(stretchesOf(edges.slice(0, 1), window));
  });
});
