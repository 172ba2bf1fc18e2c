// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { meterReadings } from '../../../src/analysis/checks/meter-readings.ts';
import { runEnergies } from '../../../src/analysis/run-energies.ts';
import { wallMeter } from '../../store/fixtures.ts';
import type { MeanPower } from '../simulated-meters.ts';
import { type SimulatedRun, withSimulatedStore } from '../simulated-store.ts';

const GUARD_S = 3;
const usage = (cpuS: number) => ({
  cpuS,
  peakMemoryBytes: null,
  readBytes: null,
  writtenBytes: null,
  unread: [],
  counters: [],
});
const run = (variant: string, loadW = 60, cpuS = 10): SimulatedRun => ({
  variant,
  lengthS: 12,
  loadW,
  usage: usage(cpuS),
});

const check = (
  makeSimulatedRun: (variant: string) => SimulatedRun,
  seenAs: (power: MeanPower) => MeanPower = (power) => power,
) =>
  withSimulatedStore(
    {
      blocks: Array.from({ length: 6 }, () => ['native', 'container'].map(makeSimulatedRun)),
      experiment: { guardS: GUARD_S, restS: 10 },
      seenAs,
    },
    (reader) => meterReadings(runEnergies(reader), GUARD_S)[0],
  );

/** One reading from a moment of the experiment to another. */
const frozen =
  (fromS: number, toS: number) =>
  (power: MeanPower): MeanPower =>
  (a, b) =>
    b > fromS && b < toS ? power(fromS - 1, fromS) : power(a, b);
const late =
  (byS: number) =>
  (power: MeanPower): MeanPower =>
  (a, b) =>
    power(a - byS, b - byS);

describe('a meter', () => {
  it('that follows the runs is told so, a little late too', () => {
    expect(check((variant) => run(variant))).toMatchObject({
      state: 'ok',
      reason: 'follow',
      facts: { edges: 24, runs: 12 },
    });
    expect(check((variant) => run(variant), late(2.2))).toMatchObject({ state: 'ok' });
  });

  it('that stands still for most of an experiment, or for two runs, fails', () => {
    expect(check((variant) => run(variant), frozen(60, 280))).toMatchObject({ state: 'fail', reason: 'frozen' });
    expect(check((variant) => run(variant), frozen(60, 110))).toMatchObject({ state: 'fail', reason: 'frozen' });
    const never = check(
      (variant) => run(variant),
      () => () => 40,
    );
    expect(never).toMatchObject({ state: 'fail', reason: 'frozen', facts: { frozen_edges: 24 } });
  });

  it('that is later than the guard fails', () => {
    expect(check((variant) => run(variant), late(4.5))).toMatchObject({
      state: 'fail',
      reason: 'late',
      facts: { late_runs: 12, runs: 12 },
    });
  });

  it('of the whole machine is looked at beside another one too, which is not blamed for it', () => {
    const [channel] = wallMeter.channels as [(typeof wallMeter.channels)[number]];
    const second = { ...wallMeter, type: 'shelly', channels: [{ ...channel, channel: 'plug' }] };
    const first = { ...wallMeter, type: 'other', channels: [{ ...channel, channel: 'first', part: undefined }] };
    const found = (lateOf: string) =>
      withSimulatedStore(
        {
          blocks: Array.from({ length: 6 }, () => ['native', 'container'].map((variant) => run(variant))),
          experiment: { guardS: GUARD_S, restS: 10 },
          meters: [first, second],
        },
        (reader) => {
          const samples: typeof reader.samples = (session, name, origin) => {
            const columns = reader.samples(session, name, origin);
            const { readings: _, ...seen } = columns;
            if (name !== lateOf) return columns;
            return { ...seen, powerW: seen.powerW.map((_watts, i) => seen.powerW[Math.max(0, i - 5)] as number) };
          };
          return meterReadings(runEnergies({ ...reader, samples }), GUARD_S);
        },
      ).map(({ state, reason, facts }) => ({ state, reason, channel: (facts as { channel?: string }).channel }));
    expect(found('plug')).toEqual([
      { state: 'ok', reason: 'follow' },
      { state: 'fail', reason: 'late', channel: 'plug' },
    ]);
    expect(found('first')).toEqual([{ state: 'fail', reason: 'late' }]);
  });

  it('is not blamed for runs that keep no processor busy, or for a load below its own step', () => {
    expect(check((variant) => run(variant, 40, 0))).toBeUndefined();
    // A step of 5 W: a load of 1 W crosses it now and then.
    const coarse =
      (power: MeanPower): MeanPower =>
      (a, b) =>
        5 * Math.round((power(a, b) + 2.2 + 0.4 * Math.sin(b / 9)) / 5);
    expect(check((variant) => run(variant, 41), coarse)).toMatchObject({ state: 'ok' });
  });
});
