// Class: system.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { MeterInfo } from '../../src/contracts/reading.ts';
import { InputError, MeasureError } from '../../src/errors.ts';
import {
  PolledMeter,
  type PolledReading,
  type PolledSource,
  repeatedNote,
  SampleAverage,
} from '../../src/meters/polled-meter.ts';
import { openMeters, validateMeterNames } from '../../src/meters/registry.ts';
import { Collected, rejection } from './collect.ts';
import { VirtualClock } from './virtual-clock.ts';

const info: MeterInfo = {
  type: 'pzem-004t',
  address: null,
  source: 'measured',
  identity: {},
  accuracy: null,
  minimumGuardS: 3,
  channels: [
    { channel: 'wall', integration: 'guard', samplingPeriodS: 0.06, clock: 'host' },
    { channel: 'wall-2', integration: 'guard', samplingPeriodS: 0.06, clock: 'host' },
  ],
  remarks: [],
};

/** A source whose n-th answer is `answer(n)`. */
function source(answer: (index: number) => PolledReading | Promise<PolledReading>): PolledSource & { closed: number } {
  let index = 0;
  return {
    closed: 0,
    read: async () => answer(index++),
    onEnd: () => {},
    async close() {
      this.closed++;
    },
  };
}

let clock: VirtualClock;
beforeEach(() => {
  clock = new VirtualClock();
});
const reading = (...powerW: number[]): PolledReading => ({ tNs: clock.nowNs(), powerW, note: null });

describe('SampleAverage', () => {
  const ms = (count: number) => BigInt(count) * 1_000_000n;

  it('weights readings by their times, and keeps the energy', () => {
    const average = new SampleAverage(3);
    const readings = [
      [0, 10, 0.1],
      [110, 40, 0.11],
      [200, 70, 0.09],
      [310, 70, 0.11],
      [700, 20, 0.39],
      [790, 30, 0.09],
      [905, 30, 0.115],
    ] as const;
    const samples = readings.flatMap(([atMs, powerW, durationS]) => {
      average.add([powerW, -powerW], durationS);
      return average.take(ms(atMs), ms(300)).map((sample) => ({ ...sample, atMs }));
    });
    const first = samples.filter(({ powerW }) => powerW > 0);
    // One that is late delays none but its own.
    expect(first.map(({ atMs }) => atMs)).toEqual([0, 310, 700, 905]);
    expect(first.map(({ durationS }) => Number(durationS.toFixed(9)))).toEqual([0.1, 0.31, 0.39, 0.205]);
    const energyJ = readings.reduce((sum, [, powerW, durationS]) => sum + powerW * durationS, 0);
    expect(first.reduce((sum, { powerW, durationS }) => sum + powerW * durationS, 0)).toBeCloseTo(energyJ, 12);
    expect(samples).toHaveLength(8);
    // What the meter gave stays beside the mean; the mean of one is that one.
    expect(first.map((sample) => sample.readings)).toEqual([
      undefined,
      [
        [110_000_000, 40],
        [90_000_000, 70],
        [110_000_000, 70],
      ],
      undefined,
      [
        [90_000_000, 30],
        [115_000_000, 30],
      ],
    ]);
  });

  it('gives a single reading as it is', () => {
    const average = new SampleAverage(1);
    average.add([41.3], 0.0971);
    expect(average.take(5n, 1n)).toEqual([{ tNs: 5n, powerW: 41.3, durationS: 0.0971 }]);
  });
});

describe('PolledMeter', () => {
  it('gives samples of all channels whose times follow on each other, and notes what had to be repeated', async () => {
    const collected = new Collected();
    const meter = new PolledMeter(
      info,
      source((index) => ({ ...reading(10, 20), note: repeatedNote(index === 2 ? 'nothing came within 0.3 s' : null) })),
      clock,
      3,
    );
    await meter.start(collected);
    await clock.run(collected.until(({ samples }) => samples.length >= 10));
    await meter.stop();
    const wall = collected.samples.filter(({ channel }) => channel === 'wall');
    expect(collected.samples.every(({ channel, powerW }) => powerW === (channel === 'wall' ? 10 : 20))).toBe(true);
    for (const [index, { tNs, durationS }] of wall.entries()) {
      const before = wall[index - 1];
      if (before) expect(durationS).toBeCloseTo(Number(tNs - before.tNs) / 1e9, 9);
    }
    const reported = collected.events.filter(({ kind }) => kind === 'note');
    expect(reported.map(({ detail }) => detail)).toEqual(['A request was repeated: nothing came within 0.3 s.']);
  });

  it('never lets a sample reach over a gap', async () => {
    const collected = new Collected();
    const startNs = clock.nowNs();
    const question = (index: number): PolledReading =>
      index === 4
        ? { missing: 'it is busy' }
        : { tNs: startNs + BigInt(index) * 20_000_000n, powerW: [10], note: null };
    const meter = new PolledMeter(info, source(question), clock, 3);
    await meter.start(collected);
    await clock.run(collected.until(({ samples }) => samples.length >= 4));
    await meter.stop();
    expect(collected.events.map(({ detail }) => detail)).toContain('The meter gave no reading: it is busy.');
    const times = collected.samples.map(({ tNs, durationS }) => [Number(tNs - startNs) / 1e9, durationS]);
    // The question at 0.08 s failed: the one after it stands for its own 0.02 s.
    expect(times.slice(0, 4).map((pair) => pair.map((s) => Number(s?.toFixed(9))))).toEqual([
      [0, 0.02],
      [0.06, 0.06],
      [0.12, 0.04],
      [0.18, 0.06],
    ]);
  });

  it('tells that the host was busy when it asks too late', async () => {
    const collected = new Collected();
    const meter = new PolledMeter(
      info,
      source(() => reading(10)),
      clock,
    );
    await meter.start(collected);
    clock.block(300);
    await clock.run(collected.until(({ events }) => events.length > 0));
    await meter.stop();
    expect(collected.events[0]).toMatchObject({
      kind: 'gap',
      detail: expect.stringMatching(/^There was no reading for \d+\.\d s: the host was busy\.$/),
    });
  });

  it('does not start without a reading, and lets go of the port', async () => {
    const silent = source(() => ({ missing: 'nothing came within 0.9 s' }));
    const error = await rejection(new PolledMeter(info, silent, clock).start(new Collected()));
    expect(error).toBeInstanceOf(MeasureError);
    expect(error.message).toBe('The meter pzem-004t gives no readings: nothing came within 0.9 s.');
    expect(silent.closed).toBe(1);
  });

  it('is lost once when its source fails', async () => {
    const collected = new Collected();
    const failing = source((index) => (index < 2 ? reading(10) : Promise.reject(new MeasureError('gone'))));
    const meter = new PolledMeter(info, failing, clock);
    await meter.start(collected);
    await clock.run(collected.until(({ lostWith }) => lostWith.length > 0));
    await meter.stop();
    expect(collected.lostWith.map(({ message }) => message)).toEqual(['gone']);
    expect(failing.closed).toBe(1);
  });
});

describe('the names of Modbus meters', () => {
  it('take what is possible', () => {
    const names = [
      'pzem-004t:/dev/nowhere?unit=247&period=0.2',
      'sdm120:/dev/elsewhere?unit=1&baud=9600&parity=even&period=1s',
    ];
    expect(validateMeterNames(names).map(({ type }) => type)).toEqual(['pzem-004t', 'sdm120']);
  });

  it.each([
    ['pzem-004t', 'The meter "pzem-004t" needs its port: pzem-004t:/dev/serial/by-id/….'],
    [
      'pzem-004t:/dev/x?unit=0',
      'The option unit=0 in the meter name "pzem-004t:/dev/x?unit=0" is not possible: it must be 1 to 247.',
    ],
    [
      'sdm120:/dev/x?unit=248',
      'The option unit=248 in the meter name "sdm120:/dev/x?unit=248" is not possible: it must be 1 to 247.',
    ],
    [
      'sdm120:/dev/x?unit=1.5',
      'The option unit=1.5 in the meter name "sdm120:/dev/x?unit=1.5" is not possible: it must be 1 to 247.',
    ],
    [
      'pzem-004t:/dev/x?period=2',
      'The option period=2 in the meter name "pzem-004t:/dev/x?period=2" is not possible: it must be 0.2 to 1 seconds.',
    ],
    ['pzem-004t:/dev/x?baud=9600', 'The meter type pzem-004t has no option "baud" (in "pzem-004t:/dev/x?baud=9600").'],
    ['sdm120:/dev/x?baud=2401', 'The option baud=2401 in the meter name "sdm120:/dev/x?baud=2401" is not possible.'],
    [
      'sdm120:/dev/x?parity=odd2',
      'The option parity=odd2 in the meter name "sdm120:/dev/x?parity=odd2" is not possible.',
    ],
  ])('refuse %s', async (name, message) => {
    const error = await rejection(openMeters([name]));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe(message);
  });
});
