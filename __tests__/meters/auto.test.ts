// Class: system.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { chooseMeter } from '../../src/meters/auto.ts';
import { meterTypes } from '../../src/meters/registry.ts';
import { findPorts } from '../../src/parts/bench/tools/find.ts';
import type { Truth } from '../emulators/truth.ts';
import { VirtualHost } from './virtual-host.ts';

const ports = ['/dev/a', '/dev/b'].map((path) => ({ path, device: path }));
let host: VirtualHost;
let pzem: { truth(): Truth };

beforeEach(() => {
  host = new VirtualHost();
  pzem = host.plug('/dev/a', 'pzem-004t');
  host.plug('/dev/b', 'sdm120');
});

describe('Modbus meters among the serial ports', () => {
  it('are found, each by its own question', async () => {
    const found = await host.clock.run(findPorts(meterTypes, host, ports));
    expect(found.map(({ meter }) => meter)).toEqual(['pzem-004t:/dev/a', 'sdm120:/dev/b']);
    expect(found.map(({ detail }) => detail)).toEqual([
      'An emulated PZEM-004T answers.',
      'An emulated Eastron SDM120 or SDM230 answers.',
    ]);
    // What is found is asked nothing more.
    expect(pzem.truth().received).not.toContain('\x01\x04');
  });

  it('are taken by auto', async () => {
    const modbus = meterTypes.filter(({ type }) => type === 'pzem-004t' || type === 'sdm120');
    const { meter, sentence } = await host.clock.run(chooseMeter(modbus, host, ports));
    await meter.stop();
    expect(meter.info).toMatchObject({ type: 'pzem-004t', source: 'emulated' });
    expect(sentence).toBe('The meter is pzem-004t: an emulated PZEM-004T answers on /dev/a.');
  });
});
