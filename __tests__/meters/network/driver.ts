import { expect } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import { type MeasuredRun, measuredRuns, type Network, type World } from './runs.ts';

// What every driver must do whose emulator runs on a clock of the test's; the rest: every driver of a meter in the network.

/** Over 200 runs of 20 s, or of other `lengths`: no bias, every run near the truth, and 95 % within what is stated. `within`: share of one run's energy. */
export async function measuresTheTruth(
  world: World,
  name: string,
  within: number,
  lengths: { seconds?: number; restS?: number } = {},
): Promise<void> {
  const runs = await world.run(() => measuredRuns(world, name, 200, lengths));
  const errors = runs.map(({ error }) => error);
  expect(Math.max(...errors.map(Math.abs))).toBeLessThan(within);
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  expect(Math.abs(mean)).toBeLessThan(within / 10);
  expect(runs.filter(({ score }: MeasuredRun) => score <= 1).length).toBeGreaterThanOrEqual(190);
  expect(world.collected.lostWith).toEqual([]);
  expect(world.collected.events.filter(({ kind }) => kind === 'gap')).toEqual([]);
}

/** A stall, a refusal and half an answer cost a reading each; what lasts loses the meter, with what it said. */
export async function survivesFaults(network: Network, name: string): Promise<void> {
  const { device, collected } = network;
  await network.run(async () => {
    const meter = await network.open(name);
    await meter.start(collected);
    for (const [fault, reported] of [
      [{ status: 503, body: 'busy' }, /it answers with HTTP 503\.$/],
      [{ status: 401, body: '' }, /it refuses \(HTTP 401\)\.$/],
      [{ status: 200, body: '{"apower": 4' }, /its answer is not JSON: "\{\\"apower\\": 4"\.$/],
      [{ status: 200, body: '[]' }, /its answer (?:is not as expected|has nothing at)/],
      [{ status: 302, body: '' }, /it points elsewhere \(HTTP 302\), which is not followed\.$/],
      [{ fault: 'the connection broke off', afterMs: 3 }, /the connection broke off\.$/],
      [{ fault: 'nothing came within 1.5 s', afterMs: 1500 }, /nothing came within 1\.5 s\.$/],
    ] as const) {
      device.fail(fault);
      await collected.until(({ events }) => events.some(({ kind, detail }) => kind === 'gap' && reported.test(detail)));
      const before = collected.samples.length;
      await collected.until(({ samples }) => samples.length >= before + 2);
    }
    expect(collected.lostWith).toEqual([]);
    expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.51)).toBe(true);
    device.silent = true;
    await collected.until(({ lostWith }) => lostWith.length > 0);
    expect(collected.lostWith[0]).toBeInstanceOf(MeasureError);
    expect(collected.lostWith[0]?.message).toMatch(
      /^The meter has given no reading for 5 s: nothing came within 1\.5 s\.$/,
    );
    await network.wait(3000);
    expect(collected.lostWith).toHaveLength(1);
    await meter.stop();
  });
}
