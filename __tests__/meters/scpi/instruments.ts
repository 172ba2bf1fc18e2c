import { expect } from '@jest/globals';
import { runEmulator } from '../../../src/meters/emulator/emulator.ts';
import type { EmulatedInstrument } from '../../../src/meters/scpi/emulated-instrument.ts';
import type { World } from '../network/runs.ts';

/** What the wire does to what the instrument says next. */
export type WireFault = (said: string) => string;

/** An instrument of either family on a wire of this world; `faults` are taken in their order. */
export function onWire(world: World, host: string, emulator: EmulatedInstrument) {
  const wire = world.host.wire(host);
  const faults: WireFault[] = [];
  const spoiled = {
    receive: (bytes: Uint8Array, nowNs: bigint) => emulator.receive(bytes, nowNs),
    dueNs: () => emulator.dueNs(),
    record: () => (faults.shift() ?? ((said: string) => said))(emulator.record()),
  };
  runEmulator(spoiled, wire, world.host.clock);
  return { world, wire, faults, before: new Map(emulator.state) };
}

/** Answers of a million garbled bytes, each between true ones, are no reading. */
export async function survivesGarbledAnswers(world: World, faults: WireFault[], name: string): Promise<void> {
  const { collected } = world;
  let state = 11;
  const byte = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  await world.run(async () => {
    const meter = await world.open(name);
    await meter.start(collected);
    for (let sent = 0; sent < 1_000_000; ) {
      const bytes = Buffer.from(Array.from({ length: 1 + 40 * byte() }, byte)).toString('latin1');
      sent += bytes.length;
      faults.push(() => `${bytes}\n`);
      const known = collected.samples.length;
      await collected.until(({ samples }) => samples.length >= known + 2);
    }
    expect(collected.lostWith).toEqual([]);
    expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.5)).toBe(true);
    for (const { detail } of collected.events) expect(detail).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    await meter.stop();
  });
}
