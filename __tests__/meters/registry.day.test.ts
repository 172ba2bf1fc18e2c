// Class: world, computes.
import { afterAll, expect, it } from '@jest/globals';
import { meterTypes } from '../../src/meters/registry.ts';
import { heapUsed } from '../bench/day.ts';
import { removeRigs, rigs } from './rigs.ts';

// A day of readings, on a clock that the test steps, whose memory is looked at near the beginning and in the end.

afterAll(removeRigs);

/** It has what the other tests leave of the processors. */
const LIMIT_MS = 1_000_000;
const DAY_S = 86_400;
/** Of a meter that can't be asked seldom, so many are like a day. */
const ENOUGH = 20_000;
const PARTS = 24;

it.each(meterTypes.map(({ type }) => type))(
  '%s keeps nothing of a day of readings, or of 20,000 of them',
  async (type) => {
    const { world, name, forget } = rigs[type]!();
    let readings = 0;
    const [expected, grownBytes] = await world.run(async () => {
      const meter = await world.open(name);
      await meter.start({
        sample: () => readings++,
        event: ({ detail }) => {
          throw new Error(detail);
        },
        lost: (error) => {
          throw error;
        },
      });
      const periodS = meter.info.channels[0]?.samplingPeriodS ?? 1;
      const lengthS = Math.min(DAY_S, ENOUGH * periodS);
      const looked = async (parts: number) => {
        for (let part = 0; part < parts; part++) {
          await world.wait((lengthS / PARTS) * 1000);
          forget?.();
        }
        return heapUsed();
      };
      const before = await looked(2);
      const grown = (await looked(PARTS - 2)) - before;
      await meter.stop();
      return [lengthS / periodS, grown];
    });
    expect(readings).toBeGreaterThan(0.99 * expected);
    // Less than the least that could be kept of each.
    expect(grownBytes).toBeLessThan(1_000_000);
  },
  LIMIT_MS,
);
