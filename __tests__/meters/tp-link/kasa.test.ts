// Class: system.
import { describe, expect, it } from '@jest/globals';
import type { DeviceAnswer, DeviceQuestion } from '../../../src/meters/emulator/http-device.ts';
import { KasaEmulator, type KasaTraits } from '../../../src/meters/tp-link/kasa-emulator.ts';
import { rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { DEVICE, Network } from '../network/runs.ts';
import { missesNoOther, onTheWay, type Spoilt } from './spoilt.ts';

const NAME = `kasa:${DEVICE}`;
const INFO = '{"system":{"get_sysinfo":{}}}';
const READING = '{"emeter":{"get_realtime":{}}}';

/** One whose next answer the test replaces, and whose owner may put another in its place. */
class Played extends KasaEmulator {
  next: string | null = null;
  stranger: KasaEmulator | null = null;

  override answer(question: DeviceQuestion, nowNs: bigint): DeviceAnswer {
    const { next } = this;
    this.next = null;
    return next === null
      ? (this.stranger?.answer(question, nowNs) ?? super.answer(question, nowNs))
      : { status: 200, body: next };
  }
}

function plug(traits: KasaTraits = {}, load: ConstructorParameters<typeof Network>[1] = {}) {
  let emulator: Played | undefined;
  const network = new Network((settings) => {
    emulator = new Played(settings, traits);
    return emulator;
  }, load);
  return { network, emulator: emulator as Played };
}

describe('kasa', () => {
  it.each<[string, KasaTraits, string, string]>([
    ['a plug that tells milliwatts', {}, '', READING],
    ['a plug that tells watts', { version: 1 }, '', READING],
    [
      'an outlet of a power strip',
      { outlets: 6 },
      '?id=2',
      '{"context":{"child_ids":["8006AAAAAAAA02"]},"emeter":{"get_realtime":{}}}',
    ],
    [
      'an outlet of a strip that numbers them',
      { outlets: 6, version: 1 },
      '?id=2',
      '{"context":{"child_ids":["8006AAAAAAAA02"]},"emeter":{"get_realtime":{}}}',
    ],
  ])('measures the true energy, and only reads: %s', async (_, traits, options, reading) => {
    const { network, emulator } = plug(traits, { noiseW: 0.4 });
    await measuresTheTruth(network, `${NAME}${options}`, 0.02);
    expect(emulator.harmed).toBe(0);
    expect([...new Set(network.device.asked)].sort()).toEqual([reading, INFO].sort());
  });

  it('tells what it is, and what its owner can do about it', async () => {
    const { network } = plug({ outlets: 6 });
    const { info } = await network.run(() => network.open(`${NAME}?id=5&gain=1`));
    expect(info).toMatchObject({
      type: 'kasa',
      address: DEVICE,
      source: 'emulated',
      identity: { model: 'HS300(US)', id: '8006AAAAAAAA', mac: '50:C7:BF:AA:BB:CC', outlet: 5 },
      accuracy: { gainPercent: 1, offsetW: 0 },
      minimumGuardS: 5,
      channels: [{ channel: 'wall', part: 'machine', samplingPeriodS: 1, resolutionW: 0.001 }],
    });
    expect(info.remarks.join(' ')).toMatch(/Anybody on the network can switch this plug off/);
  });

  it.each<[string, KasaTraits, object]>([
    ['watt-hours', {}, { name: 'total_wh', unit: 'Wh', role: 'beside' }],
    ['kilowatt-hours', { version: 1 }, { name: 'total', unit: 'kWh', role: 'beside' }],
  ])('keeps its energy counter in %s beside the power, and compares both', async (_, traits, quantity) => {
    const { network, emulator } = plug(traits, { idleW: 2000 });
    await network.run(async () => {
      const meter = await network.open(NAME);
      expect(meter.info.channels[0]?.quantities).toEqual([quantity]);
      await meter.start(network.collected);
      await network.wait(120_000);
      expect(network.collected.events).toEqual([]);
      const [first, last] = [network.collected.samples[0], network.collected.samples.at(-1)];
      const counted = (last?.reported?.values[0] ?? 0) - (first?.reported?.values[0] ?? 0);
      expect(counted * (traits.version === 1 ? 1000 : 1)).toBeCloseTo(2000 / 30, -1);
      // Somebody erases its statistics.
      emulator.next = JSON.stringify({
        emeter: { get_realtime: { power_mw: 2e6, total_wh: 0, power: 2000, total: 0 } },
      });
      await network.collected.until(({ events }) => events.length > 0);
      await meter.stop();
    });
    expect(network.collected.events[0]).toMatchObject({
      kind: 'note',
      detail: 'Its energy counter fell: it was restarted, or somebody reset it.',
    });
  });

  it.each<[string, KasaTraits, string, string]>([
    ['switched off', { isOn: false }, NAME, 'The plug is switched off: the machine on it has no power.'],
    [
      'an outlet that is switched off',
      { isOn: false, outlets: 2 },
      `${NAME}?id=1`,
      'The plug is switched off: the machine on it has no power.',
    ],
    [
      'without a meter',
      { hasMeter: false },
      NAME,
      'No Kasa plug can be read at plug.lan: it reports no power (error -1).',
    ],
    ['one of several', { outlets: 6 }, NAME, 'This plug has the outlets 0 to 5.'],
    ['an outlet that is not there', { outlets: 6 }, `${NAME}?id=6`, 'This plug has the outlets 0 to 5.'],
    ['an outlet of a plug', {}, `${NAME}?id=1`, 'This plug has one outlet, 0.'],
    ['not there', {}, 'kasa:other.lan', 'No Kasa plug can be read at other.lan: nothing answers there.'],
    [
      'no outlet’s number',
      {},
      `${NAME}?id=x`,
      'The option id=x in the meter name "kasa:plug.lan?id=x" is not the number of an outlet.',
    ],
  ])('refuses a plug that is %s', async (_, traits, name, reported) => {
    const { network } = plug(traits);
    expect((await network.run(() => rejection(network.open(name)))).message).toBe(reported);
  });

  it('goes on through faults on the wire', async () => {
    const { network, emulator } = plug({ outlets: 2 });
    const say = (next: string): (() => void) => {
      return () => {
        emulator.next = next;
      };
    };
    const realtime = (fields: string) => say(`{"emeter":{"get_realtime":{${fields}}}}`);
    const faults: Spoilt[] = [
      ...onTheWay(() => network.device),
      [say('\x07\x1b[2J not JSON'), /its answer is not JSON: "\\u0007\\u001b\[2J not JSON"\.$/],
      [say('{"emeter":{"get_re'), /its answer is not JSON/],
      [say('[]'), /its answer is not as expected/],
      [say('null'), /its answer is not as expected/],
      [say('{"emeter":{"err_code":-1,"err_msg":"module not support"}}'), /it reports no power \(error -1\)\.$/],
      [realtime('"err_code":-14,"err_msg":"entry not exist"'), /it reports no power \(error -14\)\.$/],
      [realtime('"voltage_mv":230577'), /it reports no power \(error 0\)\.$/],
      [realtime('"power_mw":-40000'), /it reports -40 W\.$/],
      [realtime('"power_mw":1e300'), /it reports 1e\+297 W\.$/],
      [realtime('"power_mw":"NaN"'), /its answer is not as expected at emeter\.get_realtime\.power_mw/],
      [realtime('"power_mw":NaN'), /its answer is not JSON/],
      [realtime('"power_mw":null'), /its answer is not as expected/],
    ];
    await missesNoOther(network, `${NAME}?id=0`, faults);
    expect(emulator.harmed).toBe(0);
  });

  it('is lost when another plug has got its address', async () => {
    const { network, emulator } = plug();
    const { device, collected } = network;
    await network.run(async () => {
      const meter = await network.open(NAME);
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 2);
      emulator.stranger = new KasaEmulator({ ...network.settings, energyJ: () => 70 }, { id: '8006BBBBBBBB' });
      device.fail({ fault: 'the connection broke off', afterMs: 3 });
      await collected.until(({ lostWith }) => lostWith.length > 0);
      await meter.stop();
    });
    expect(collected.lostWith[0]?.message).toBe(
      'Another device answers at its address: "8006BBBBBBBB" instead of "8006AAAAAAAA".',
    );
    expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.001)).toBe(true);
  });
});
