// Class: system.
import { expect, it } from '@jest/globals';
import { runEmulator } from '../../src/meters/emulator/emulator.ts';
import { emulatedDevices, emulatedTypes } from '../../src/meters/registry.ts';
import { World } from './network/runs.ts';

const HOST = 'model.lan:5025';

/** What a meter says of itself, once it was read. */
async function identityOn(world: World, name: string): Promise<string> {
  return world.run(async () => {
    const meter = await world.open(name);
    await meter.start(world.collected);
    await world.collected.until(({ samples }) => samples.length > 0);
    await meter.stop();
    expect(world.collected.samples[0]?.powerW).toBeCloseTo(40, 3);
    return JSON.stringify(meter.info.identity);
  });
}

it.each(
  emulatedTypes.filter(({ models }) => models.length > 0),
)('emulates each model of $type, so that its driver tells them apart', async ({ type, models, emulate }) => {
  const identities = new Set<string>();
  for (const model of models) {
    const world = new World();
    runEmulator(emulate(world.settings, model), world.host.wire(HOST), world.host.clock);
    identities.add(await identityOn(world, `${type}:${HOST}`));
  }
  expect(identities.size).toBe(models.length);
});

it.each(
  emulatedDevices.filter(({ models }) => models.length > 0),
)('emulates each model of $type, so that its driver tells them apart', async ({ type, models, emulateDevice }) => {
  const identities = new Set<string>();
  for (const model of models) {
    const world = new World();
    const device = emulateDevice(world.settings, model);
    world.host.serve(HOST, device);
    const { options = {}, env } = device.login ?? {};
    Object.assign(process.env, env);
    const query = `${new URLSearchParams(options)}`;
    identities.add(await identityOn(world, `${type}:${HOST}${device.place ?? ''}${query && '?'}${query}`));
    for (const variable of Object.keys(env ?? {})) delete process.env[variable];
  }
  expect(identities.size).toBe(models.length);
});
