// Class: system.
import dns from 'node:dns';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type EmulatedDevice, type ServedDevice, serveDevice } from '../../../src/meters/emulator/http-device.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { ShellyEmulator } from '../../../src/meters/shelly/emulator.ts';
import { TasmotaEmulator } from '../../../src/meters/tasmota/emulator.ts';
import { KasaEmulator } from '../../../src/meters/tp-link/kasa-emulator.ts';
import { TapoEmulator } from '../../../src/meters/tp-link/tapo-emulator.ts';
import { Collected } from '../collect.ts';

// A plug gets another address while it is read: on real sockets, by a name that stands for one address of the loopback and then for another.

const NAME = 'plug.joulediff.invalid';
const BEFORE = '127.0.0.2';
const AFTER = '127.0.0.3';
const lookup = dns.lookup;
let address = BEFORE;
const served: ServedDevice[] = [];

beforeEach(() => {
  address = BEFORE;
  const here = (name: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [name === NAME ? address : name, ...rest]);
  dns.lookup = here as typeof dns.lookup;
});
afterEach(async () => {
  dns.lookup = lookup;
  for (const one of served.splice(0)) await one.close();
});

type Make = (watts: number, mac: string) => EmulatedDevice;

const settings = (watts: number) => ({
  energyJ: (from: bigint, to: bigint) => (watts * Number(to - from)) / 1e9,
  originNs: process.hrtime.bigint() - 5_000_000_000n,
  seed: 1,
  latencyNs: 0n,
});

const plugs: [string, Make][] = [
  ['shelly', (watts, mac) => new ShellyEmulator(settings(watts), { mac })],
  ['tasmota', (watts, mac) => new TasmotaEmulator(settings(watts), { mac })],
  ['kasa', (watts, id) => new KasaEmulator(settings(watts), { id })],
  ['tapo', (watts, id) => new TapoEmulator(settings(watts), { id })],
];

async function serve(device: EmulatedDevice, port: number, host: string): Promise<number> {
  const one = await serveDevice(device, port, host);
  served.push(one);
  return Number(one.address.split(':').at(-1));
}

/** Reads a plug of 40 W that goes; one of 70 W, with this address of its own, is at another place under the same name. */
async function moved(type: string, make: Make, mac: string): Promise<Collected> {
  const before = make(40, 'AAAAAAAAAAAA');
  const { options, env } = before.login ?? {};
  Object.assign(process.env, env);
  const port = await serve(before, 0, BEFORE);
  const query = new URLSearchParams({ period: '0.5', ...options });
  const { meters } = await openMeters([`${type}:${NAME}:${port}?${query}`]);
  const collected = new Collected();
  try {
    await meters[0]?.start(collected);
    await collected.until(({ samples }) => samples.length >= 2);
    await serve(make(70, mac), port, AFTER);
    address = AFTER;
    await served.shift()?.close();
    await collected.until(({ samples, lostWith }) => lostWith.length > 0 || (samples.at(-1)?.powerW ?? 0) > 69);
  } finally {
    await meters[0]?.stop();
  }
  return collected;
}

describe('a plug that gets another address', () => {
  it.each(plugs)('is found again by its name: %s', async (type, make) => {
    const { samples, lostWith } = await moved(type, make, 'AAAAAAAAAAAA');
    expect(lostWith).toEqual([]);
    expect(samples.at(-1)?.powerW).toBeCloseTo(70, 1);
  });

  it.each(plugs)('is not mistaken for another plug that has got it: %s', async (type, make) => {
    const { samples, lostWith } = await moved(type, make, 'BBBBBBBBBBBB');
    expect(lostWith[0]?.message).toMatch(/^Another device answers at its address: ".*b{12}" instead of ".*a{12}"\.$/i);
    expect(samples.every(({ powerW }) => powerW < 41)).toBe(true);
  });
});
