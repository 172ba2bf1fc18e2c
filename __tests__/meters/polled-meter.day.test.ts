import { expect, it } from '@jest/globals';
import { runEmulator } from '../../src/meters/emulator/emulator.ts';
import type { MeterSink } from '../../src/meters/meter.ts';
import { YokogawaEmulator } from '../../src/meters/scpi/yokogawa-emulator.ts';
import { ShellyEmulator } from '../../src/meters/shelly/emulator.ts';
import { heapUsed } from '../bench/day.ts';
import { DEVICE, Network, World } from './network/runs.ts';
import { PASSWORD, RedfishEmulator, USER } from './redfish/emulator.ts';

// A day of readings, on a clock that the test steps, whose memory is looked at after an hour and in the end.

const HOUR_S = 3600;
const MB = 1_000_000;

/** What grew, bytes. `forget`: what the test itself keeps. */
async function day(world: World, name: string, forget: () => void): Promise<{ grownBytes: number; readings: number }> {
  let readings = 0;
  const sink: MeterSink = {
    sample: () => readings++,
    event: ({ detail }) => {
      throw new Error(detail);
    },
    lost: (error) => {
      throw error;
    },
  };
  return world.run(async () => {
    const meter = await world.open(name);
    await meter.start(sink);
    const looked = async (hours: number) => {
      for (let hour = 0; hour < hours; hour++) {
        await world.wait(HOUR_S * 1000);
        forget();
      }
      return heapUsed();
    };
    const before = await looked(1);
    const grownBytes = (await looked(23)) - before;
    await meter.stop();
    return { grownBytes, readings };
  });
}

it('keeps nothing of a day of an instrument’s readings', async () => {
  const world = new World();
  const emulator = new YokogawaEmulator(world.settings, { updateS: 1 });
  runEmulator(emulator, world.host.wire('wt:5025'), world.host.clock);
  const { grownBytes, readings } = await day(world, 'scpi:wt:5025?period=2s', () => emulator.told.splice(0));
  expect(readings).toBeGreaterThan(24 * 1790);
  expect(grownBytes).toBeLessThan(3 * MB);
});

it('keeps nothing of a day of a server’s readings', async () => {
  process.env.JOULEDIFF_TEST_BMC = PASSWORD;
  const network = new Network((settings) => new RedfishEmulator(settings, { sessionUses: 500 }));
  const name = `redfish:${DEVICE}:80?user=${USER}&password-env=JOULEDIFF_TEST_BMC`;
  const { grownBytes, readings } = await day(network, name, () => network.device.asked.splice(0));
  expect(readings).toBeGreaterThan(24 * 179);
  expect(grownBytes).toBeLessThan(3 * MB);
});

it('keeps nothing of a day of a plug’s readings', async () => {
  const network = new Network((settings) => new ShellyEmulator(settings));
  const { grownBytes, readings } = await day(network, `shelly:${DEVICE}`, () => network.device.asked.splice(0));
  expect(readings).toBeGreaterThan(24 * 3590);
  expect(grownBytes).toBeLessThan(3 * MB);
});
