import { readFile } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Watchdog } from '../../../src/meters/watts-up-pro/watchdog.ts';

function watchdog(...times: number[]): { barked: number[]; dog: Watchdog } {
  const barked: number[] = [];
  const dog = new Watchdog(times.map((afterMs) => ({ afterMs, bark: () => void barked.push(afterMs) })));
  return { barked, dog };
}

describe('Watchdog', () => {
  it('calls every alarm once in a silence, in order, and again in the next', async () => {
    const { barked, dog } = watchdog(30, 60);
    await wait(300);
    expect(barked).toEqual([30, 60]);
    dog.feed();
    await wait(300);
    expect(barked).toEqual([30, 60, 30, 60]);
    dog.stop();
  });

  it('stays quiet when it is stopped', async () => {
    const { barked, dog } = watchdog(30);
    dog.stop();
    await wait(100);
    expect(barked).toEqual([]);
  });

  it('waits for bytes that a busy host has not read yet', async () => {
    const { barked, dog } = watchdog(100, 2000);
    const read = new Promise<void>((resolve) => readFile('/proc/self/stat', () => resolve(dog.feed())));
    const until = performance.now() + 400;
    while (performance.now() < until); // nothing is read meanwhile, and the timer fires before the file's bytes are there
    await read;
    dog.feed();
    await wait(50);
    expect(barked).toEqual([]);
    dog.stop();
  });
});
