// Class: system.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { EmulatorSettings } from '../../../src/meters/emulator/emulator.ts';
import type { EmulatedDevice } from '../../../src/meters/emulator/http-device.ts';
import { RedfishEmulator, USER } from '../../../src/meters/redfish/emulator.ts';
import { ShellyEmulator } from '../../../src/meters/shelly/emulator.ts';
import { TasmotaEmulator } from '../../../src/meters/tasmota/emulator.ts';
import { TapoEmulator } from '../../../src/meters/tp-link/tapo-emulator.ts';
import { rejection } from '../collect.ts';
import { DEVICE, Network } from './runs.ts';

const SECRET = 'an0ther-secret';
const VARIABLE = 'JOULEDIFF_TEST_SECRET';

beforeAll(() => {
  process.env[VARIABLE] = SECRET;
});
afterAll(() => {
  delete process.env[VARIABLE];
});

/** As it is, and as it may travel. */
const FORMS = [SECRET, encodeURIComponent(SECRET), btoa(SECRET), btoa(`admin:${SECRET}`)];

const json = (): EmulatedDevice => ({
  delayMs: () => 30,
  answer: ({ headers }) =>
    headers.authorization === `Bearer ${SECRET}` ? { status: 200, body: '40' } : { status: 401, body: '' },
});

it.each<[string, (settings: EmulatorSettings) => EmulatedDevice, string]>([
  ['shelly', (s) => new ShellyEmulator(s, { password: SECRET }), `shelly:${DEVICE}?password-env=${VARIABLE}`],
  ['tasmota', (s) => new TasmotaEmulator(s, { password: SECRET }), `tasmota:${DEVICE}?password-env=${VARIABLE}`],
  [
    'redfish',
    (s) => new RedfishEmulator(s, { password: SECRET }),
    `redfish:${DEVICE}?user=${USER}&password-env=${VARIABLE}`,
  ],
  [
    'tapo',
    (s) => new TapoEmulator(s, { user: SECRET, password: SECRET }),
    `tapo:${DEVICE}?user-env=${VARIABLE}&password-env=${VARIABLE}`,
  ],
  ['http-json', json, `http-json:http://${DEVICE}/power?unit=W&token-env=${VARIABLE}`],
])('the secret of %s stands in nothing that is recorded or told, whatever goes wrong', async (_, make, name) => {
  const network = new Network(make);
  const { device, collected } = network;
  const reported: unknown[] = [];
  await network.run(async () => {
    const meter = await network.open(name);
    await meter.start(collected);
    for (const fault of [
      { status: 401, body: '' },
      { status: 302, headers: { location: `http://elsewhere.example/?password=${SECRET}` }, body: '' },
      { status: 200, body: '{"half' },
      { fault: 'the connection broke off', afterMs: 3 },
    ]) {
      // A device that is logged in to may be asked again at once: both answers go wrong.
      device.fail(fault, fault);
      const before = collected.events.length;
      await collected.until(({ events }) => events.length > before);
      const { length } = collected.samples;
      await collected.until(({ samples }) => samples.length > length);
    }
    device.silent = true;
    await collected.until(({ lostWith }) => lostWith.length > 0);
    await meter.stop();
    reported.push(meter.info, collected.events, collected.lostWith.map(textOf));
    reported.push(textOf(await rejection(network.open(name))));
    device.silent = false;
    process.env[VARIABLE] = `${SECRET}-that-is-wrong`;
    reported.push(textOf(await rejection(network.open(name))));
    process.env[VARIABLE] = SECRET;
  });
  const text = JSON.stringify(reported, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
  expect(text).toContain('refuses');
  for (const form of FORMS) expect(text).not.toContain(form);
});

/** All that a log could show of an error. */
function textOf(error: Error & { advice?: unknown }): string {
  const { cause } = error as { cause?: unknown };
  return [error.message, error.advice, error.stack, cause instanceof Error ? textOf(cause) : ''].join('\n');
}
