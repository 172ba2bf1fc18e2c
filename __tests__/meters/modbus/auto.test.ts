import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chooseMeter } from '../../../src/meters/auto.ts';
import { meterTypes } from '../../../src/meters/registry.ts';
import { findPorts } from '../../../src/meters/tools/find-ports.ts';
import { type StartedEmulator, startEmulator } from '../../emulators/start.ts';

const environment = { ...process.env };
const ports = mkdtempSync(join(tmpdir(), 'joulediff-ports-'));
let pzem: StartedEmulator;
let sdm: StartedEmulator;

beforeAll(async () => {
  process.env.JOULEDIFF_SERIAL_PORTS = ports;
  [pzem, sdm] = await Promise.all([startEmulator('pzem-004t'), startEmulator('sdm120')]);
  symlinkSync(pzem.port, join(ports, 'usb-a'));
  symlinkSync(sdm.port, join(ports, 'usb-b'));
});
afterAll(async () => {
  await Promise.all([pzem.stop(), sdm.stop()]);
  rmSync(ports, { recursive: true });
  process.env = { ...environment };
});

describe('Modbus meters among the serial ports', () => {
  it('are found, each by its own question', async () => {
    const found = await findPorts(meterTypes);
    expect(found.map(({ meter }) => meter)).toEqual([
      `pzem-004t:${join(ports, 'usb-a')}`,
      `sdm120:${join(ports, 'usb-b')}`,
    ]);
    expect(found.map(({ detail }) => detail)).toEqual([
      'An emulated PZEM-004T answers.',
      'An emulated Eastron SDM120 or SDM230 answers.',
    ]);
    // What is found is asked nothing more.
    expect(pzem.truth().received).not.toContain('\x01\x04');
  });

  it('are taken by auto', async () => {
    const modbus = meterTypes.filter(({ type }) => type === 'pzem-004t' || type === 'sdm120');
    const { meter, sentence } = await chooseMeter(modbus);
    await meter.stop();
    expect(meter.info).toMatchObject({ type: 'pzem-004t', source: 'emulated' });
    expect(sentence).toBe(`auto chose pzem-004t: an emulated PZEM-004T answers on ${join(ports, 'usb-a')}.`);
  });
});
