// Class: system.
import { afterAll, describe, expect, it } from '@jest/globals';
import { removeRigs, rigs, type Wire } from './rigs.ts';

// What happens on the way to a meter in the network, to each of them: a reading is missing, and the next ones are true.

afterAll(removeRigs);

const refused = { fault: 'the connection was refused', afterMs: 2 } as const;
const stalled = { fault: 'nothing came within 1.5 s', afterMs: 1500 } as const;
const of = (status: number, body = '', headers: Readonly<Record<string, string>> = {}) => ({ status, body, headers });

/** What the next answers are instead. */
const FAULTS: Readonly<Record<string, Parameters<Wire['fail']>>> = {
  'a stall': [stalled],
  'two stalls in a row': [stalled, stalled],
  'a refusal in the middle': [of(401)],
  'two refusals, of a login too': [of(401), of(401)],
  'no right to ask': [of(403, '{"error":{}}')],
  'a device that is busy': [of(503, 'busy'), of(503, 'busy')],
  'an error page': [of(500, '<html><body>\u001b[31mInternal error</body></html>')],
  'half a JSON': [of(200, '{"apower": 4')],
  'another JSON': [of(200, '{"jsonrpc":"2.0","id":7}')],
  'an empty answer': [of(200)],
  'nothing but null': [of(200, 'null')],
  'a way elsewhere': [of(302, '', { location: 'http://elsewhere.example/' })],
  'a connection that breaks off': [{ fault: 'the connection broke off', afterMs: 3 }],
  'a restart of two seconds': [refused, refused, refused, refused],
  'an answer of another protocol': [{ fault: 'its answer is not HTTP', afterMs: 5 }],
};

describe.each(['shelly', 'tasmota', 'kasa', 'tapo', 'http-json', 'redfish', 'redfish-outlet'])('%s', (type) => {
  it.each(Object.entries(FAULTS))('goes on after %s', async (_, faults) => {
    const { world, name, wire } = rigs[type]!();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open(name.replace('period=5s', 'period=1s'));
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 2);
      wire!.fail(...faults);
      // Until they are used up, and beyond.
      await collected.until(({ lostWith }) => wire!.waiting === 0 || lostWith.length > 0);
      const before = collected.samples.length;
      await collected.until(({ samples, lostWith }) => samples.length >= before + 3 || lostWith.length > 0);
      await meter.stop();
    });
    expect(collected.lostWith).toEqual([]);
    expect(collected.samples.filter(({ powerW }) => Math.abs(powerW - 40) >= 0.51)).toEqual([]);
    for (const { detail } of collected.events) expect(detail).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  });

  it('takes a slow network and equal answers for what they are', async () => {
    const { world, name, wire } = rigs[type]!();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open(name.replace('period=5s', 'period=1s'));
      await meter.start(collected);
      wire!.slowMs = 300;
      await collected.until(({ samples, lostWith }) => samples.length >= 20 || lostWith.length > 0);
      await meter.stop();
    });
    expect([collected.lostWith, collected.events]).toEqual([[], []]);
    expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.51)).toBe(true);
  });
});
