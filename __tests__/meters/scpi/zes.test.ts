// Class: system.
import { describe, expect, it } from '@jest/globals';
import { ZesEmulator, type ZesTraits } from '../../../src/meters/scpi/zes-emulator.ts';
import { rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { World } from '../network/runs.ts';
import { onWire, survivesGarbledAnswers } from './instruments.ts';

const HOST = 'lmg611.lan:5025';
const NAME = `scpi:${HOST}`;

function instrument(traits: ZesTraits = {}, load: ConstructorParameters<typeof World>[0] = {}) {
  const world = new World(load);
  const emulator = new ZesEmulator(world.settings, traits);
  const press = (keys: string) => emulator.receive(Buffer.from(`${keys}\n`), world.host.clock.nowNs());
  return { ...onWire(world, HOST, emulator), emulator, press };
}

/** Everything that the driver may ever send: questions, its integrator, and what puts things back. */
const SENT =
  /^(?:\*IDN\?|\*OPC\?|\*zlang scpi|gtl|:SYST:ERR:ALL\?|:SENS:SWE:TIME\?|:SENS:(?:VOLT|CURR):RANG:AUTO\?|:SENS:ENER:ENAB(?:\?| [01])|:TRIG:INT:ENER:STOP 1;:TRIG:INT:ENER:RES 1(?:;:TRIG:INT:ENER:STAR 1)?|:READ:SCAL:ENER\?;:FETC:SCAL:SLOTS:ENERGY:DURATION\?;:FETC:POW:ACT1\?)$/;

const RESTART = ':TRIG:INT:ENER:STOP 1;:TRIG:INT:ENER:RES 1;:TRIG:INT:ENER:STAR 1';

describe('scpi, with an LMG600', () => {
  it.each<[string, ZesTraits]>([
    ['cycles of half a second', {}],
    ['cycles of a tenth', { cycleS: 0.1 }],
    ['cycles of a second', { cycleS: 1, enabled: true }],
  ])('measures the true energy with %s, and leaves the instrument as it was', async (_, traits) => {
    const { world, emulator, before } = instrument(traits, { noiseW: 0.4 });
    await measuresTheTruth(world, NAME, 0.003);
    // What is told last is on its way.
    await world.run(() => world.wait(100));
    expect(emulator.state).toEqual(before);
    expect(emulator.isReset).toBe(true);
    expect(emulator.reported.at(-1)).toBe('gtl');
    for (const message of emulator.reported) expect(message).toMatch(SENT);
  });

  it('tells what it is, and that no limits of error are known', async () => {
    const identity = 'ZES ZIMMER Electronic Systems GmbH,LMG670,00301409,3.164';
    const { world } = instrument({ identity, automatic: true });
    const { info } = await world.run(() => world.open(`${NAME}?element=1`));
    expect(info).toMatchObject({
      type: 'scpi',
      source: 'measured',
      identity: { model: 'LMG670', serial: '00301409', firmware: '3.164', element: 1, updateS: 0.5 },
      accuracy: null,
      channels: [{ channel: 'wall', part: 'machine', integration: 'guard', samplingPeriodS: 1 }],
    });
    expect(info.remarks.join(' ')).toContain('Its ranges change by themselves');
    expect(info.remarks.join(' ')).toContain('No limits of error are known here');
  });

  it('starts its integrator anew before its steps get coarse, and loses nothing', async () => {
    const { world, emulator } = instrument({}, { idleW: 4000 });
    await world.run(async () => {
      const meter = await world.open(NAME);
      await meter.start(world.collected);
      await world.wait(400_000);
      await meter.stop();
    });
    const { samples, events } = world.collected;
    expect(emulator.reported.filter((one) => one === RESTART).length).toBeGreaterThan(3);
    expect(events).toEqual([]);
    const [first, last] = [samples[0]!, samples.at(-1)!];
    const joules = samples.slice(1).reduce((sum, { powerW, durationS }) => sum + powerW * durationS, 0);
    expect(joules / (4000 * (Number(last.tNs - first.tNs) / 1e9))).toBeCloseTo(1, 4);
  });

  it('uses an integration that runs already, and lets it run', async () => {
    const { world, emulator, before } = instrument({ integrator: 'running' });
    await world.run(async () => {
      const meter = await world.open(NAME);
      expect(meter.info.remarks.join(' ')).toContain('was running already and is left as it is');
      await meter.start(world.collected);
      await world.wait(20_000);
      await meter.stop();
    });
    expect(emulator.integrates).toBe(true);
    expect(emulator.state).toEqual(before);
    expect(emulator.reported.some((one) => one.startsWith(':TRIG'))).toBe(false);
    expect(world.collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.5)).toBe(true);
  });

  it.each<[string, ZesTraits, string]>([
    [
      'holds somebody’s result',
      { integrator: 'ended' },
      'The instrument holds somebody’s integration: it has ended, was stopped, or is yet to begin.',
    ],
    [
      'does not know a command',
      { unknown: ':TRIG:INT:ENER:STAR' },
      `No power meter can be used at ${HOST}: it sends "9.91E37" for a number.`,
    ],
    [
      'counts in another unit',
      { hour: 3600 },
      "The instrument's energy does not fit its power: 1.44e+5 W by its watt-hours, 40.0 W by its power.",
    ],
    [
      'is of another series',
      { identity: 'ZES ZIMMER Electronic Systems GmbH,LMG95,12480812,3.1' },
      `No power meter can be used at ${HOST}: it says that it is "ZES ZIMMER Electronic Systems GmbH,LMG95,12480812,3.1".`,
    ],
    ['is slow', { cycleS: 5 }, "The instrument's measuring cycle is 5 s long."],
  ])('refuses an instrument that %s, and leaves it as it was', async (_, traits, reported) => {
    const { world, emulator, before } = instrument(traits);
    expect((await world.run(() => rejection(world.open(NAME)))).message).toBe(reported);
    expect(emulator.state).toEqual(before);
    expect(emulator.integrates).toBe(false);
    expect(emulator.isReset).toBe(traits.integrator === undefined);
  });

  it('needs no answer to what only warns or puts back', async () => {
    const { world, emulator } = instrument({ unknown: ':SENS:VOLT:RANG:AUTO?' });
    await world.run(async () => {
      const meter = await world.open(NAME);
      await meter.start(world.collected);
      await world.wait(5000);
      await meter.stop();
    });
    expect(world.collected.samples.length).toBeGreaterThan(3);
    expect(emulator.isReset).toBe(true);
  });

  it('goes on through faults on the wire, and is lost when they last', async () => {
    const { world, emulator, faults, press } = instrument();
    const { collected } = world;
    const isTrue = () => collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.5);
    await world.run(async () => {
      const meter = await world.open(NAME);
      await meter.start(collected);
      for (const [fault, reported] of [
        [() => '', /nothing came within 2\.5 s\.$/],
        [(said: string) => said.slice(0, 9), /nothing came within 2\.5 s\.$/],
        [() => 'garbage\x1b[31m\n', /it sends "garbage\\u001b\[31m" for a number\.$/],
        [() => '1.0E+00;NAN;4.0E+01\n', /it sends "NAN" for a number\.$/],
        [() => '9.91E+37;1.0E+00;4.0E+01\n', /it sends "9\.91E\+37" for a number\.$/],
      ] as const) {
        faults.push(fault);
        await collected.until(({ events }) =>
          events.some(({ kind, detail }) => kind === 'gap' && reported.test(detail)),
        );
        const before = collected.samples.length;
        await collected.until(({ samples }) => samples.length >= before + 3);
      }
      expect(collected.lostWith).toEqual([]);
      expect(isTrue()).toBe(true);
      // Somebody starts it anew at its keys.
      press(RESTART);
      await collected.until(({ events }) =>
        events.some(({ detail }) => detail.endsWith('its integration was started anew.')),
      );
      await world.wait(5000);
      expect(isTrue()).toBe(true);
      // Somebody stops it at its keys: its energy stands still, and is no power of nothing.
      press(':TRIG:INT:ENER:STOP 1');
      await collected.until(({ lostWith }) => lostWith.length > 0);
      expect(collected.lostWith[0]?.message).toMatch(
        /^The meter has given no reading for 5 s: its integration is not running: it stands at [\d.]+ s\.$/,
      );
      expect(isTrue()).toBe(true);
      await meter.stop();
    });
    expect(emulator.isReset).toBe(true);
  });

  it('survives a million garbled bytes', async () => {
    const { world, faults } = instrument();
    await survivesGarbledAnswers(world, faults, NAME);
  });
});
