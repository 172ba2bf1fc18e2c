// Class: world.
import { expect, it } from '@jest/globals';
import type Docker from 'dockerode';
import { recordedEnd, toMonotonic } from '../../../../src/executors/container/engines/recorded-end.ts';

it('is read to the nanosecond, in any zone', () => {
  const ns = BigInt(Date.UTC(2026, 10, 23, 6, 43, 40)) * 1_000_000n + 563_722_563n;
  expect(toMonotonic('2026-11-23T06:43:40.563722563Z', 7n)).toBe(ns - 7n);
  expect(toMonotonic('2026-11-23T08:43:40.563722563+02:00', 0n)).toBe(ns);
  for (const text of ['', 'yesterday', '0001-01-01']) expect(toMonotonic(text, 0n)).toBeNull();
});

// An engine's answer alone: what is looked at is which one is believed.
it('takes the place of the word that comes later, and only of that', async () => {
  const endingAt = (ms: number) =>
    ({ inspect: async () => ({ State: { FinishedAt: new Date(ms).toISOString() } }) }) as unknown as Docker.Container;
  const now = process.hrtime.bigint();
  const startNs = now - 1_000_000_000n;
  const early = await recordedEnd(endingAt(Date.now() - 200), startNs, now);
  expect(Number(now - early) / 1e6).toBeGreaterThan(150);
  for (const wrong of [-1500, 60_000, -Date.now()]) {
    expect(await recordedEnd(endingAt(Date.now() + wrong), startNs, now)).toBe(now);
  }
});
