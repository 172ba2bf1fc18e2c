// Class: system.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openMeters } from '../../../src/meters/registry.ts';
import { UUID } from '../../emulators/nvidia-smi.ts';
import { Collected, rejection } from '../collect.ts';

// The program that reads the counter, with a library that a C compiler makes here: it has NVML's functions, and no GPU.

const hasCompiler = spawnSync('cc', ['--version']).status === 0;

(hasCompiler ? describe : describe.skip)('the program that reads the energy counter', () => {
  let folder: string;
  const library = (name: string) => encodeURIComponent(join(folder, name));
  const open = (name: string) => openMeters([`${name}&reads=energy&source=emulated`]);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff nvml-'));
    const source = fileURLToPath(new URL('../../emulators/nvml.c', import.meta.url));
    for (const [name, code] of [
      ['counts.so', 0],
      ['old.so', 3],
    ]) {
      const words = [
        '-shared',
        '-fPIC',
        '-DMILLIWATTS=61500',
        `-DENERGY=${code}`,
        '-o',
        join(folder, `${name}`),
        source,
      ];
      expect(spawnSync('cc', words)).toMatchObject({ status: 0 });
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    'nvidia',
    'nvidia:0',
    `nvidia:${UUID}`,
  ])('reads the joules of %s as the library counts them', async (name) => {
    const { meters } = await open(`${name}?library=${library('counts.so')}`);
    const collected = new Collected();
    await meters[0]!.start(collected);
    await collected.until(({ samples, lostWith }) => samples.length >= 10 || lostWith.length > 0);
    await meters[0]!.stop();
    expect(meters[0]!.info).toMatchObject({
      source: 'emulated',
      identity: { uuid: UUID, name: 'NVIDIA L4', driver: '550.90.12', field: 'total energy' },
    });
    const [first, last] = [collected.samples[0]!.reported!, collected.samples.at(-1)!.reported!];
    const seconds = Number(last.tNs - first.tNs) / 1e9;
    const joules = (last.values[0]! - first.values[0]!) / 1000;
    // Both ends are behind by a step of 20 ms at the most.
    expect(Math.abs(joules - 61.5 * seconds)).toBeLessThan(61.5 * 0.021);
    expect(last.values[1]).toBe(61_500);
    // A busy machine may let the program wait; the counter counts on.
    const faults = collected.events.filter(({ kind }) => kind !== 'gap');
    expect([faults, collected.lostWith]).toEqual([[], []]);
  });

  it.each([
    ['a GPU without a counter', 'old.so', '', /"nvmlDeviceGetTotalEnergyConsumption: Not Supported"/],
    ['a GPU that is not there', 'counts.so', ':7', /"nvmlDeviceGetHandleByIndex_v2: Not Found"/],
    ['no library', 'missing.so', '', /missing\.so: cannot open shared object file/],
  ])('says so for %s', async (_, file, address, reported) => {
    const error = await rejection(open(`nvidia${address}?library=${library(file)}`));
    expect(error).toMatchObject({ name: 'MeasureError', advice: expect.stringMatching(/driver/) });
    expect(error.message).toMatch(reported);
  });
});
