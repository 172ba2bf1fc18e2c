// Class: system.
import { afterAll, expect, it } from '@jest/globals';
import { meterTypes } from '../../src/meters/registry.ts';
import { removeRigs, rigs } from './rigs.ts';

afterAll(removeRigs);

const readable = (text: string) => expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);

/** Those that are read from the kernel's own counters, which are lost where they hold no number. */
const COUNTED = ['rapl', 'estimate'];

it.each(
  meterTypes.map(({ type }) => type).filter((type) => !COUNTED.includes(type)),
)('%s takes a million garbled bytes for no reading, and shows nothing of them that a terminal would obey', async (type) => {
  const { world, name, spoil, restore } = rigs[type]!();
  const { collected } = world;
  let state = 77;
  const byte = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  await world.run(async () => {
    const meter = await world.open(name);
    await meter.start(collected);
    const periodMs = 1000 * (meter.info.channels[0]?.samplingPeriodS ?? 1);
    for (let sent = 0; sent < 1_000_000; ) {
      const bytes = Buffer.from(Array.from({ length: 1 + 40 * byte() }, byte));
      sent += bytes.length;
      // Anywhere between two readings.
      await world.wait(1 + (byte() / 256) * periodMs);
      spoil!(bytes);
      if (restore) {
        const reported = collected.events.length;
        await collected.until(({ events, lostWith }) => events.length > reported || lostWith.length > 0);
        restore();
      }
      const known = collected.samples.length;
      await collected.until(({ samples, lostWith }) => samples.length > known + 1 || lostWith.length > 0);
    }
    await meter.stop();
  });
  expect(collected.lostWith).toEqual([]);
  expect(collected.samples.filter(({ powerW }) => Math.abs(powerW - 40) >= 0.51)).toEqual([]);
  // What was garbled was told, but for what a serial line hears between two answers.
  for (const { detail } of collected.events) readable(detail);
});
