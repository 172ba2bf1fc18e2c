// Class: system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { InputError, MeasureError } from '../../../src/errors.ts';
import type { Meter } from '../../../src/meters/meter.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { COMMANDS } from '../../../src/meters/watts-up-pro/conversation.ts';
import { type StartedEmulator, startEmulator } from '../../emulators/start.ts';
import { rejection } from '../collect.ts';
import { onVirtualPort } from '../place.ts';

const emulators: StartedEmulator[] = [];
const opened: Meter[] = [];

async function emulator(...args: string[]): Promise<StartedEmulator> {
  const started = await startEmulator('watts-up-pro', ...args);
  emulators.push(started);
  return started;
}

async function open(port: string): Promise<Meter> {
  const { meters } = await openMeters([`watts-up-pro:${port}`]);
  opened.push(...meters);
  return meters[0] as Meter;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((meter) => meter.stop()));
  await Promise.all(emulators.splice(0).map((one) => one.stop()));
});

describe('watts-up-pro on a port that it can not use', () => {
  it.each([
    ['silent', 'nothing came within 4 s.'],
    ['echo', 'it answered "#V,R,0;#V,R,0;".'],
    ['chatter', 'it answered "$GPGGA,'],
  ])('says what is there instead of a meter, and sends it nothing but questions: %s', (play, what) =>
    onVirtualPort('watts-up-pro', ['--play', play], async ({ port, truth, open }) => {
      const error = await rejection(open());
      expect(error).toBeInstanceOf(MeasureError);
      expect(error.message).toContain(
        `There is no Watts Up? meter on ${port}: a version record "#v,-,8,…;" was expected,`,
      );
      expect(error.message).toContain(what);
      expect(error.message).not.toMatch(/[\x00-\x1f\x7f]/);
      expect(error.message.length).toBeLessThan(400);
      expect(truth().received).toBe('\x18#V,R,0;#V,R,0;');
    })());

  it('says that the meter is not set to log watts', () =>
    onVirtualPort('watts-up-pro', ['--no-watts'], async ({ port, truth, open }) => {
      const error = await rejection(open());
      expect(error.message).toBe(`The Watts Up? meter on ${port} is not set to log watts.`);
      expect(truth().received).toBe('\x18#V,R,0;#C,R,0;');
    })());

  it('names the process that has the port, and does not disturb it', async () => {
    const { port, truth } = await emulator();
    const other = spawn('flock', ['-n', port, 'sh', '-c', 'echo locked; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    try {
      await once(other.stdout, 'data');
      const error = await rejection(open(port));
      expect(error.message).toBe(`The serial port ${port} is in use by process ${other.pid} (flock).`);
      expect(truth().received).toBe('');
    } finally {
      process.kill(-(other.pid as number));
    }
  });

  it('is not opened twice', async () => {
    const { port } = await emulator();
    await open(port);
    expect((await rejection(open(port))).message).toContain(`is in use by process ${process.pid}`);
  });

  it('lets go of the port when a meter named after it is not available', async () => {
    const { port } = await emulator();
    const error = await rejection(openMeters([`watts-up-pro:${port}`, 'rapl?root=/nowhere']));
    expect(error.message).toBe('RAPL is not available: there is no processor package in /nowhere.');
    await open(port);
  });
});

describe('the bytes that watts-up-pro can send', () => {
  it('are only those that change nothing on a meter', () => {
    expect(Object.values(COMMANDS)).toEqual(['\x18', '#V,R,0;', '#C,R,0;', '#L,W,3,E,1,1;', '#L,W,3,E,,1;', '#L,R,0;']);
  });

  it('need an address, and a baud rate that the meters have', async () => {
    expect(await rejection(openMeters(['watts-up-pro']))).toBeInstanceOf(InputError);
    expect((await rejection(openMeters(['watts-up-pro:/dev/x?baud=9600']))).message).toBe(
      'The option baud=9600 in the meter name "watts-up-pro:/dev/x?baud=9600" is not possible.',
    );
    const error = await rejection(openMeters(['watts-up-pro:/dev/x?boud=19200']));
    expect(error.message).toBe(
      'The meter type watts-up-pro has no option "boud" (in "watts-up-pro:/dev/x?boud=19200").',
    );
    expect(error.advice).toBe('Did you mean "baud"? Possible: baud.');
  });
});
