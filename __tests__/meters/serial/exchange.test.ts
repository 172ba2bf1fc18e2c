// Class: system.
import { readFile } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { afterSilence } from '../../../src/meters/serial/exchange.ts';
import { SYSTEM_CLOCK, sleep } from '../../../src/system/clock.ts';
import { VirtualClock } from '../virtual-clock.ts';

describe('afterSilence', () => {
  it('calls once, in the order of the times', async () => {
    const clock = new VirtualClock();
    const called: number[] = [];
    for (const ms of [60, 30]) afterSilence(clock, ms, () => called.push(ms));
    await clock.run(sleep(clock, 300));
    expect(called).toEqual([30, 60]);
  });

  it('stays quiet when it is called off', async () => {
    const clock = new VirtualClock();
    const called: number[] = [];
    afterSilence(clock, 30, () => called.push(30))();
    await clock.run(sleep(clock, 100));
    expect(called).toEqual([]);
  });

  it('gives a busy host a moment to read what is there', async () => {
    const clock = new VirtualClock();
    const called: bigint[] = [];
    const startNs = clock.nowNs();
    for (const ms of [100, 250]) afterSilence(clock, ms, () => called.push(clock.nowNs() - startNs));
    clock.block(300);
    await clock.run(sleep(clock, 1000));
    expect(called).toEqual([300_000_000n, 550_000_000n]);
  });

  it('waits for bytes that a busy host has not read yet, on the clock of the system too', async () => {
    const called: number[] = [];
    const callOff = afterSilence(SYSTEM_CLOCK, 100, () => called.push(100));
    const read = new Promise<void>((resolve) => {
      readFile('/proc/self/stat', () => resolve(callOff()));
    });
    const until = performance.now() + 400;
    while (performance.now() < until); // nothing is read meanwhile, and the timer fires before the file's bytes are there
    await read;
    await wait(300);
    expect(called).toEqual([]);
  });
});
