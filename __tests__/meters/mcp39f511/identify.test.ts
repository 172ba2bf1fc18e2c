// Class: system.
import { afterAll, describe, expect, it } from '@jest/globals';
import { InputError, MeasureError } from '../../../src/errors.ts';
import { describeChip } from '../../../src/meters/mcp39f511/identify.ts';
import { mcp39f511, mcp39f511n } from '../../../src/meters/mcp39f511/mcp39f511.ts';
import { frameOf, READS, type ReadName } from '../../../src/meters/mcp39f511/reply.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { rejection } from '../collect.ts';
import { onVirtualPort, type Place } from '../place.ts';
import { framesIn } from './frames.ts';

const sent: string[] = [];

/** The error with which `mcp39f511n`, or another type, does not open what is there. */
function refuses(type: string, args: readonly string[], expected: string | RegExp, name = 'mcp39f511n') {
  return onVirtualPort(type, args, async ({ port, truth, open, leave }) => {
    const error = await rejection(open('', name));
    expect(error).toBeInstanceOf(MeasureError);
    const message = error.message.replaceAll(port, 'PORT');
    if (typeof expected === 'string') expect(message).toBe(expected);
    else {
      expect(message).toMatch(expected);
    }
    expect(message).not.toMatch(/[\x00-\x1f\x7f]/);
    expect(error.advice).not.toBeNull();
    // The port is free again.
    await leave(new Uint8Array(), 115_200);
    sent.push(...framesIn(truth().received));
  });
}

const state = (text: string) => ['--state', text];
const NOTHING = 'There is no MCP39F511N on PORT: its registers were asked for, nothing came.';

async function takesOver({ leave, open, collected }: Place): Promise<void> {
  await leave(Uint8Array.of(0xa5, 0x23, 0x41), 115_200);
  const meter = await open();
  await meter.start(collected);
  expect(collected.samples[0]?.powerW).toBe(40);
}

async function describes({ port, host }: Place): Promise<void> {
  expect(await describeChip(port, host)).toBe('an MCP39F511N or MCP39F511: name it as the chip is labeled');
  expect(await mcp39f511n.probe?.(port, host)).toBeNull();
  expect(await mcp39f511.probe?.(port, host)).toBeNull();
}

describe('the MCP39F511 drivers refuse', () => {
  const cases = {
    'a silent port': refuses('mcp39f511n', ['--play', 'silent'], NOTHING),
    'a Watts Up? meter': refuses('watts-up-pro', [], NOTHING),
    'a PZEM': refuses('pzem-004t', [], NOTHING),
    'an adapter that hears itself': refuses('pzem-004t', ['--echo'], /it answered "\\xa5\\x08A\\x00\\x02N \^/),
    'a receiver that chatters': refuses('mcp39f511n', ['--play', 'chatter'], /it answered "\$GPGGA,/),
    'the chip with one channel in place of that with two': refuses(
      'mcp39f511',
      [],
      'The registers of the meter on PORT are those of an MCP39F511, not of an MCP39F511N.',
    ),
    'the chip with two channels in place of that with one': refuses(
      'mcp39f511n',
      [],
      'The registers of the meter on PORT are those of an MCP39F511N, not of an MCP39F511.',
      'mcp39f511',
    ),
    'a chip without settings': refuses(
      'mcp39f511n',
      state('{"voltageRange":0,"currentRange":0,"powerRange":0}'),
      'The meter on PORT has no settings of an MCP39F511N: ranges 0, 0, 0, 0, 0, accumulation interval 4.',
    ),
    'a meter without mains': refuses(
      'mcp39f511n',
      state('{"mains":false}'),
      'The meter on PORT sees no mains: 0 Hz and 0.6 V, where 45 to 65 Hz were expected.',
    ),
    'an interval of one cycle': refuses(
      'mcp39f511n',
      state('{"accumulation":0}'),
      'The meter on PORT is set to compute every line cycle, which makes its power wrong.',
    ),
    'a range at which the power would be more than the apparent power': refuses(
      'mcp39f511n',
      state('{"powerRange":24,"countW":0.01}'),
      "The power of the meter on PORT can't be scaled: at its range 24 it would be 1280.0 W, more than its apparent power, 44.4 VA.",
    ),
    'no meter in which another program left half a request': onVirtualPort('mcp39f511n', [], takesOver),
    'to be found by themselves: only their owner knows which chip it is': onVirtualPort('mcp39f511n', [], describes),
  };
  it.each(Object.entries(cases))('%s', (_, test) => test());

  it('wrong names', async () => {
    const catchError = (name: string) => rejection(openMeters([name]));
    expect(await catchError('mcp39f511n')).toBeInstanceOf(InputError);
    expect((await catchError('mcp39f511n')).message).toBe(
      'The meter "mcp39f511n" needs its port: mcp39f511n:/dev/serial/by-id/….',
    );
    const error = await catchError('mcp39f511n:/dev/x?channel=3');
    expect(error.message).toBe('The option channel=3 in the meter name "mcp39f511n:/dev/x?channel=3" is not possible.');
    expect(error.advice).toBe('Possible: 1 and 2 for one outlet, and both for two channels beside each other.');
    expect((await catchError('mcp39f511:/dev/x?channel=1')).message).toContain('has no option "channel"');
    expect((await catchError('mcp39f511n:/dev/x?channel=1,mcp39f511n:/dev/x?channel=2')).message).toContain(
      'is named twice',
    );
  });

  afterAll(() => {
    const allowed = Object.keys(READS).map((name) => Buffer.from(frameOf(name as ReadName)).toString('hex'));
    expect(sent.length).toBeGreaterThan(30);
    expect(sent.filter((frame) => !allowed.includes(frame))).toEqual([]);
  });
});
