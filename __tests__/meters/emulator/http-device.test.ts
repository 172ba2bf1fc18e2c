// Class: system.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { type EmulatedDevice, serveDevice } from '../../../src/meters/emulator/http-device.ts';
import { emulatedDevices } from '../../../src/meters/registry.ts';
import { framed } from '../../../src/meters/tp-link/kasa-connection.ts';
import { KasaEmulator } from '../../../src/meters/tp-link/kasa-emulator.ts';

const settings = { energyJ: () => 40, originNs: process.hrtime.bigint(), seed: 1, latencyNs: 0n };
const kasa = () => new KasaEmulator(settings);
const OVER_HTTP = emulatedDevices
  .map(({ type, emulateDevice }) => [type, () => emulateDevice(settings)] as const)
  .filter(([, make]) => make().serve === undefined && make().secure !== true);

it.each<[string, () => EmulatedDevice, string | Buffer]>([
  ...OVER_HTTP.map(
    ([type, make]) => [type, make, 'GET // HTTP/1.1\r\nhost: a\r\n\r\n'] as [string, typeof make, string],
  ),
  ['kasa, a length of 4 GB', kasa, Buffer.from('ffffffff', 'hex')],
  ['kasa, no JSON', kasa, framed('hello')],
  ['kasa, no object', kasa, framed('null')],
])('a question that makes no sense ends its connection, and not the emulator: %s', async (_, make, bytes) => {
  const served = await serveDevice(make(), 0);
  const port = Number(served.address.split(':').at(-1));
  for (let i = 0; i < 2; i++) {
    const socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    await once(socket.resume(), 'close');
  }
  await served.close();
  expect(served.address).toMatch(/^127\.0\.0\.1:\d+$/);
});
