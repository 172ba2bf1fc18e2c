import { expect } from '@jest/globals';
import type { Sample } from '../../../src/contracts/reading.ts';
import { MeasureError } from '../../../src/errors.ts';
import { rejection } from '../collect.ts';
import type { Place } from '../place.ts';
import { expectOnlyReads } from './only-reads.ts';

// What every driver of a Modbus meter must do; `units` are the addresses that it may ask.

/** Joules of a window by the rule of guard blocks, 3 s on both sides; idle from the samples that are further away. */
function guardEnergyJ(samples: readonly Sample[], startNs: bigint, endNs: bigint): number {
  const inside = ({ tNs }: Sample) => tNs > startNs - 3_000_000_000n && tNs <= endNs + 3_500_000_000n;
  const mean = (some: readonly Sample[]) => {
    const seconds = some.reduce((sum, { durationS }) => sum + durationS, 0);
    return some.reduce((sum, { powerW, durationS }) => sum + powerW * durationS, 0) / seconds;
  };
  const idleW = mean(samples.filter((sample) => !inside(sample)));
  const aboveJ = samples.filter(inside).reduce((sum, { powerW, durationS }) => sum + (powerW - idleW) * durationS, 0);
  return aboveJ + (idleW * Number(endNs - startNs)) / 1e9;
}

export async function measuresTheTruth(
  { steer, truth, collected, open, wait }: Place,
  units: readonly number[],
): Promise<void> {
  const meter = await open();
  await meter.start(collected);
  await wait(4000);
  steer('on');
  await wait(8000);
  steer('off');
  await wait(4500);
  await meter.stop();
  await meter.stop();

  const { windows, late, received } = truth();
  expect(late).toBe(0);
  const [window] = windows;
  if (!window) throw new Error('there was no load');
  const { samples } = collected;
  // An edge is seen up to a sixth of a second late: of 25 W that is 0.8 % of these 8 s, beside what a busy host adds.
  expect(Math.abs(guardEnergyJ(samples, window.startNs, window.endNs) / window.energyJ - 1)).toBeLessThan(0.015);
  expect(collected.events.filter(({ kind }) => kind === 'gap')).toEqual([]);
  for (const [index, { tNs, durationS }] of samples.entries()) {
    const before = samples[index - 1];
    if (before) expect(durationS).toBeCloseTo(Number(tNs - before.tNs) / 1e9, 6);
  }
  expect(samples.length).toBeGreaterThan(28);
  expect(expectOnlyReads(received, units)).toBeGreaterThan(80);
}

/** What goes wrong once is asked again, and noted; what lasts is a gap, and in the end a lost meter. */
export async function survivesFaults(
  { steer, truth, collected, open }: Place,
  units: readonly number[],
): Promise<void> {
  const meter = await open();
  await meter.start(collected);
  const faults = [
    ['corrupt 1', /^A request was repeated: it answered "\\x/],
    ['refuse 4', /^A request was repeated: it refused with Modbus error 4 \(it failed\)\.$/],
    ['drop 1', /^A request was repeated: nothing came within 0\.[34] s\.$/],
  ] as const;
  for (const [fault, reported] of faults) {
    steer(fault);
    await collected.until(({ events }) => events.some(({ kind, detail }) => kind === 'note' && reported.test(detail)));
  }
  steer('silence');
  await collected.until(({ events }) => events.some(({ kind }) => kind === 'gap'));
  steer('resume');
  const before = collected.samples.length;
  await collected.until(({ samples }) => samples.length >= before + 3);
  expect(collected.lostWith).toEqual([]);
  expect(collected.samples.every(({ powerW, durationS }) => powerW === 40 && durationS < 1.25)).toBe(true);
  steer('silence');
  await collected.until(({ lostWith }) => lostWith.length > 0);
  expect(collected.lostWith[0]).toBeInstanceOf(MeasureError);
  expect(collected.lostWith[0]?.message).toMatch(
    /^The meter has given no reading for 5 s: nothing came within \d\.\d s\.$/,
  );
  await meter.stop();
  expectOnlyReads(truth().received, units);
}

export async function isLostWhenUnplugged({ port, steer, collected, open, wait }: Place): Promise<void> {
  const meter = await open();
  await meter.start(collected);
  steer('noise');
  await wait(1000);
  expect(collected.events.filter(({ kind }) => kind === 'gap')).toEqual([]);
  steer('unplug');
  await collected.until(({ lostWith }) => lostWith.length > 0);
  expect(collected.lostWith[0]?.message).toContain(`The serial port ${port} was unplugged or failed`);
  await meter.stop();
  await wait(300);
  expect(collected.lostWith).toHaveLength(1);
}

export async function hearsItself({ collected, truth, open }: Place, units: readonly number[]): Promise<void> {
  const meter = await open();
  await meter.start(collected);
  await collected.until(({ samples }) => samples.length >= 3);
  expect(collected.events).toEqual([]);
  expectOnlyReads(truth().received, units);
}

/** The driver of `driver` on the port of what is something else. */
export function refuses(driver: string, what: RegExp, unit: number): (place: Place) => Promise<void> {
  return async ({ port, truth, open }) => {
    const error = await rejection(open('', driver));
    expect(error).toBeInstanceOf(MeasureError);
    expect(error.message).toContain(
      `There is no ${driver === 'sdm120' ? 'SDM120 or SDM230' : 'PZEM-004T'} on ${port}: `,
    );
    expect(error.message).toMatch(what);
    expect(error.message).not.toMatch(/[\x00-\x1f\x7f]/);
    expect(error.message.length).toBeLessThan(400);
    expect(error.advice).not.toBeNull();
    expect(expectOnlyReads(truth().received, [unit])).toBeLessThanOrEqual(6);
    // The port is free again.
    expect((await rejection(open('', driver))).message).toMatch(what);
  };
}
