// Class: system.
import { describe, expect, it } from '@jest/globals';
import { YokogawaEmulator, type YokogawaTraits } from '../../../src/meters/scpi/yokogawa-emulator.ts';
import { rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { World } from '../network/runs.ts';
import { onWire, survivesGarbledAnswers } from './instruments.ts';

const HOST = 'wt310.lan:5025';
const NAME = `scpi:${HOST}`;

function instrument(traits: YokogawaTraits = {}, load: ConstructorParameters<typeof World>[0] = {}) {
  const world = new World(load);
  const emulator = new YokogawaEmulator(world.settings, traits);
  return { ...onWire(world, HOST, emulator), emulator };
}

/** Everything that the driver may ever send: questions, what it reads with, the integrator, and what puts things back. */
const SENT =
  /^(?:\*IDN\?|\*OPC\?|:STAT:ERR\?|:RATE\?|:INP:(?:VOLT|CURR):(?:RANG|AUTO):ELEM1\?|:INTEG:(?:STAT|MODE|TIM)\?|:COMM:REM OFF|:COMM:HEAD(?:\?| OFF| 0| 1)|:NUM:FORM(?:\?| ASC| FLO)|:NUM:NORM:NUM(?:\?| [23])|:NUM:NORM:ITEM[12](?:\?| (?:P|WH|U|I),1)|:STAT:FILT1(?:\?| FALL| NEV)|:INTEG:MODE (?:NORM|CONT)|:INTEG:TIM (?:0,0,0|1,0,0)|:INTEG:RES;:INTEG:STAR|:INTEG:STOP;:INTEG:RES|:INTEG:STOP;:INTEG:RES;:INTEG:STAR|:STAT:EESR\?;:COMM:WAIT 1;:INTEG:STAT\?;:NUM:NORM:VAL\?)$/;

describe('scpi', () => {
  it.each<[string, YokogawaTraits]>([
    ['an update every quarter of a second', {}],
    ['an update every second', { updateS: 1 }],
    ['answers that carry their headers', { headers: true }],
  ])('measures the true energy with %s, and leaves the instrument as it was', async (_, traits) => {
    const { world, emulator, before } = instrument(traits, { noiseW: 0.4 });
    await measuresTheTruth(world, NAME, 0.003);
    expect(emulator.state).toEqual(before);
    expect(emulator.integrator).toBe('RES');
    for (const message of emulator.reported) expect(message).toMatch(SENT);
  });

  it('tells what it is, and the limits of error of its ranges', async () => {
    const { world } = instrument({ identity: 'YOKOGAWA,WT310E,C3QA12345E,F1.03' });
    const { info } = await world.run(() => world.open(NAME));
    expect(info).toMatchObject({
      type: 'scpi',
      address: HOST,
      source: 'measured',
      identity: {
        maker: 'YOKOGAWA',
        model: 'WT310E',
        serial: 'C3QA12345E',
        firmware: 'F1.03',
        element: 1,
        voltageRangeV: 300,
        currentRangeA: 1,
        updateS: 0.25,
      },
      accuracy: { gainPercent: 0.1, offsetW: 0.3 },
      channels: [{ channel: 'wall', part: 'machine', integration: 'guard', samplingPeriodS: 1 }],
    });
  });

  it('asks so that no reading takes the turn of the next one, wherever in an update it begins', async () => {
    for (let phaseMs = 0; phaseMs < 1000; phaseMs += 20) {
      const { world } = instrument({ updateS: 1 });
      await world.run(async () => {
        const meter = await world.open(NAME);
        await world.wait(phaseMs);
        await meter.start(world.collected);
        await world.wait(21_000);
        await meter.stop();
      });
      expect(world.collected.samples.length).toBeGreaterThanOrEqual(20);
    }
  });

  it('starts its integrator anew before its steps get coarse, and loses nothing', async () => {
    const { world, emulator } = instrument({}, { idleW: 4000 });
    await world.run(async () => {
      const meter = await world.open(NAME);
      await meter.start(world.collected);
      const startNs = world.host.clock.nowNs();
      await world.wait(400_000);
      await meter.stop();
      const { samples } = world.collected;
      const last = samples.at(-1)!;
      expect(
        emulator.reported.filter((one) => one.startsWith(':INTEG:STOP;:INTEG:RES;:INTEG:STAR')).length,
      ).toBeGreaterThan(3);
      expect(world.collected.events).toEqual([]);
      const seconds = Number(last.tNs - startNs) / 1e9;
      const inside = samples.slice(1).reduce((sum, { powerW, durationS }) => sum + powerW * durationS, 0);
      expect(inside / (4000 * (seconds - Number(samples[0]!.tNs - startNs) / 1e9))).toBeCloseTo(1, 4);
    });
  });

  it('uses an integration that runs already, and lets it run', async () => {
    const { world, emulator, before } = instrument({ integrator: 'STAR' });
    await world.run(async () => {
      const meter = await world.open(NAME);
      expect(meter.info.remarks.join(' ')).toContain('was running already and is left as it is');
      await meter.start(world.collected);
      await world.wait(20_000);
      await meter.stop();
    });
    expect(emulator.integrator).toBe('STAR');
    expect(emulator.state).toEqual(before);
    expect(emulator.reported.some((one) => /INTEG:(?:STOP|RES|STAR$|MODE|TIM)/.test(one))).toBe(false);
    expect(world.collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.5)).toBe(true);
  });

  it('says that ranges which change by themselves cost readings, and changes none', async () => {
    const { world } = instrument({ automatic: true });
    const { info } = await world.run(() => world.open(NAME));
    expect(info.remarks.join(' ')).toContain('Its ranges change by themselves');
  });

  it.each<[string, YokogawaTraits, string]>([
    ...(['TIM', 'STOP', 'READY'] as const).map((integrator): [string, YokogawaTraits, string] => [
      `holds somebody’s result (${integrator})`,
      { integrator },
      'The instrument holds somebody’s integration: it has ended, was stopped, or is yet to begin.',
    ]),
    [
      'does not know a command',
      { unknown: ':STAT:FILT1' },
      `No power meter can be used at ${HOST}: it refuses what it was told: "113,\\"Undefined header\\"".`,
    ],
    [
      'is something else',
      { identity: 'KEYSIGHT,34461A,MY1,1\x1b[31m' },
      `No power meter can be used at ${HOST}: it says that it is "KEYSIGHT,34461A,MY1,1\\u001b[31m".`,
    ],
    ['is slow', { updateS: 5 }, 'The instrument renews its data every "5.0E+0" s.'],
  ])('refuses an instrument that %s, and leaves it as it was', async (_, traits, reported) => {
    const { world, emulator, before } = instrument(traits);
    expect((await world.run(() => rejection(world.open(NAME)))).message).toBe(reported);
    expect(emulator.state).toEqual(before);
    expect(emulator.integrator).toBe(traits.integrator ?? 'RES');
  });

  it.each([
    ['scpi', 'The meter "scpi" does not say where it is.'],
    [
      'scpi:wt?element=9',
      'The option element=9 in the meter name "scpi:wt?element=9" is not possible: it must be 1 to 7.',
    ],
    ['scpi:wt?baud=9600', 'The option baud in the meter name "scpi:wt?baud=9600" is for serial ports only.'],
  ])('refuses the name %s', async (name, reported) => {
    const { world } = instrument();
    expect((await world.run(() => rejection(world.open(name)))).message).toBe(reported);
  });

  it('goes on through faults on the wire, and is lost when they last', async () => {
    const { world, emulator, faults, wire } = instrument();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open(NAME);
      await meter.start(collected);
      for (const [fault, reported] of [
        [() => '', /nothing came within 1\.75 s\.$/],
        [(said: string) => said.slice(0, 9), /nothing came within 1\.75 s\.$/],
        [() => 'garbage\x1b[31m\n', /its integration is not running: it reports ""\.$/],
        [() => '1;STAR;NAN,1.0E+00\n', /it sends "NAN" for a number\.$/],
        [() => '1;STAR;9.91E+37,1.0E+00\n', /it sends "9\.91E\+37" for a number\.$/],
        [() => '1;STAR;4.0E+01,INF\n', /it sends "INF" for a number\.$/],
        [() => '1;STOP;4.0E+01,1.0E+00\n', /its integration is not running: it reports "STOP"\.$/],
      ] as const) {
        faults.push(fault);
        await collected.until(({ events }) =>
          events.some(({ kind, detail }) => kind === 'gap' && reported.test(detail)),
        );
        const before = collected.samples.length;
        await collected.until(({ samples }) => samples.length >= before + 3);
      }
      expect(collected.lostWith).toEqual([]);
      expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.5)).toBe(true);
      // Somebody starts it anew at its keys.
      emulator.receive(Buffer.from(':INTEG:STOP;:INTEG:RES;:INTEG:STAR\n'), world.host.clock.nowNs());
      await collected.until(({ events }) =>
        events.some(({ detail }) => / its energy fell from [\d.]+ J to /.test(detail)),
      );
      await world.wait(5000);
      expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.5)).toBe(true);
      // Somebody stops it at its keys: its energy stands still, and is no power of nothing.
      emulator.integrator = 'STOP';
      await collected.until(({ lostWith }) => lostWith.length > 0);
      expect(collected.lostWith[0]?.message).toBe(
        'The meter has given no reading for 5 s: its integration is not running: it reports "STOP".',
      );
      expect(collected.samples.every(({ powerW }) => powerW > 39)).toBe(true);
      await meter.stop();
    });
    wire.unplug();
  });

  it('survives a million garbled bytes', async () => {
    const { world, faults } = instrument();
    await survivesGarbledAnswers(world, faults, NAME);
  });
});
