// Class: system.
import { describe, expect, it } from '@jest/globals';
import type { MeterInfo } from '../../src/contracts/reading.ts';
import { emulatedDevices, emulatedTypes, meterTypes, openMeters } from '../../src/meters/registry.ts';
import { onVirtualPort } from './place.ts';
import { VirtualHost } from './virtual-host.ts';

/** What a sheet promises before anybody has the meter. An emulated instrument may have no class. */
function promised(type: string, { accuracy }: Pick<MeterInfo, 'accuracy'>) {
  const sheet = meterTypes.find((one) => one.type === type)?.sheet;
  return { accuracy: accuracy && sheet?.accuracy, minimumGuardS: sheet?.minimumGuardS, ...sheet?.channel };
}

describe('what a meter type says to a buyer is what the opened meter says of itself', () => {
  it.each(emulatedTypes.map(({ type }) => type))('%s', (type) =>
    onVirtualPort(type, [], async ({ open }) => {
      const { accuracy, minimumGuardS, channels } = (await open()).info;
      expect({ accuracy, minimumGuardS, ...channels[0] }).toMatchObject(promised(type, { accuracy }));
    })());

  it.each(emulatedDevices.map(({ type }) => type))('%s, in the network', async (type) => {
    const host = new VirtualHost();
    const emulateDevice = emulatedDevices.find((one) => one.type === type)?.emulateDevice;
    const originNs = host.clock.nowNs();
    const device = emulateDevice!({ energyJ: () => 40, originNs, seed: 1, latencyNs: 0n });
    host.serve('device.lan', device);
    const { options = {}, env } = device.login ?? {};
    const query = `${new URLSearchParams(options)}`;
    Object.assign(process.env, env);
    const { meters } = await host.clock.run(openMeters([`${type}:device.lan${query && '?'}${query}`], host));
    for (const name of Object.keys(env ?? {})) delete process.env[name];
    const { accuracy, minimumGuardS, channels } = meters[0]!.info;
    const { resolutionW, ...others } = promised(type, { accuracy });
    expect({ accuracy, minimumGuardS, ...channels[0] }).toMatchObject(others);
    expect(channels[0]?.resolutionW).toBeLessThanOrEqual(resolutionW ?? Number.NaN);
    await host.clock.run(meters[0]!.stop());
  });
});
