// Class: system.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ServedDevice, serveDevice } from '../../../src/meters/emulator/http-device.ts';
import { RedfishEmulator } from '../../../src/meters/redfish/emulator.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { Collected, rejection } from '../collect.ts';

// The controller on a real socket, with a certificate that it signed itself.

const energyJ = (from: bigint, to: bigint) => (210 * Number(to - from)) / 1e9;
const emulator = new RedfishEmulator({ energyJ, originNs: process.hrtime.bigint(), seed: 1, latencyNs: 0n });
const { options, env } = emulator.login;
let served: ServedDevice;
let name: string;
let fingerprint: string;

beforeAll(async () => {
  Object.assign(process.env, env);
  served = await serveDevice(emulator, 0);
  fingerprint = served.fingerprint ?? '';
  name = `redfish:${served.address}?${new URLSearchParams(options)}`;
});
afterAll(async () => {
  await served.close();
  for (const variable of Object.keys(env)) delete process.env[variable];
});

it('reads over TLS by a pinned certificate, and ends its session when it is stopped', async () => {
  const { meters } = await openMeters([`${name}&fingerprint=${fingerprint}`]);
  const collected = new Collected();
  await meters[0]?.start(collected);
  await collected.until(({ samples }) => samples.length > 0);
  expect(collected.samples[0]?.powerW).toBe(210);
  expect(emulator.sessions).toBe(1);
  await meters[0]?.stop();
  expect([emulator.sessions, emulator.harmed]).toEqual([0, 0]);
});

it('gives its password to nobody with another certificate', async () => {
  const before = emulator.opened;
  const unpinned = await rejection(openMeters([name]));
  expect(unpinned.message).toMatch(/its certificate is not trusted\.$/);
  expect(unpinned.advice).toContain('?fingerprint=');
  const other = await rejection(openMeters([`${name}&fingerprint=${'0'.repeat(64)}`]));
  expect(other.message).toContain(`its certificate is another one, with the SHA-256 ${fingerprint}`);
  expect(emulator.opened).toBe(before);
});
