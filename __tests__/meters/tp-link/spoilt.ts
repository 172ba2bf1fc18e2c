import { expect } from '@jest/globals';
import type { Network } from '../network/runs.ts';
import type { VirtualDevice } from '../virtual-host.ts';

/** What happens to the next answer, and how the reading that is missing is told; null: nothing is lost. */
export type Spoilt = readonly [fault: () => void, reported: RegExp | null];

/** Plays each fault to a driver that reads a machine of 40 W: at most its own reading is missing, and no wrong one is taken. */
export async function missesNoOther(network: Network, name: string, faults: readonly Spoilt[]): Promise<void> {
  const { collected } = network;
  await network.run(async () => {
    const meter = await network.open(name);
    await meter.start(collected);
    for (const [fault, reported] of faults) {
      const { length } = collected.events;
      fault();
      await collected.until(({ events }) => reported === null || events.length > length);
      const before = collected.samples.length;
      await collected.until(({ samples }) => samples.length >= before + 2);
      expect(collected.events.slice(length).map(({ detail }) => detail)).toEqual(
        reported === null ? [] : [expect.stringMatching(reported)],
      );
    }
    await meter.stop();
  });
  expect(collected.lostWith).toEqual([]);
  expect(collected.samples.filter(({ powerW }) => Math.abs(powerW - 40) > 0.001)).toEqual([]);
}

/** What happens on the way to every plug in the network. */
export const onTheWay = (device: () => VirtualDevice): Spoilt[] => [
  [() => device().fail({ fault: 'the connection broke off', afterMs: 3 }), /the connection broke off\.$/],
  [() => device().fail({ fault: 'nothing came within 1.5 s', afterMs: 1500 }), /nothing came within 1\.5 s\.$/],
  [
    () => {
      device().slowMs = 300;
    },
    null,
  ],
  [
    () => {
      device().slowMs = 0;
    },
    null,
  ],
];
