// Class: system.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nvidia } from '../../../src/meters/nvidia/nvidia.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { NvidiaSmi, type SmiTraits, UUID } from '../../emulators/nvidia-smi.ts';
import { Collected, rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { World } from '../network/runs.ts';
import { keepPrinting } from '../program/played.ts';
import type { VirtualProgram } from '../virtual-host.ts';

const OTHER = 'GPU-00000000-1111-2222-3333-444444444444';

/** A machine with GPUs, and every nvidia-smi that was started on it. */
function machine(traits: SmiTraits = {}, load: ConstructorParameters<typeof World>[0] = {}) {
  const world = new World(load);
  const started: VirtualProgram[] = [];
  world.host.play = (program) => {
    started.push(program);
    const args = program.command.replace(/^exec 'nvidia-smi' /, '').split(' ');
    const smi = new NvidiaSmi(args, world.load, traits);
    const refusal = smi.refusal();
    if (refusal !== null) {
      program.print(refusal.says);
      program.end(refusal.code);
      return;
    }
    for (const line of smi.header()) program.print(line);
    void keepPrinting(world, program, smi.loopMs, (nowNs) => smi.lines(nowNs));
  };
  return { world, started };
}

const opened = (name: string, traits?: SmiTraits) => {
  const { world } = machine(traits);
  return world.run(async () => {
    const meter = await world.open(name);
    await meter.stop();
    return meter.info;
  });
};
const refused = (name: string, traits?: SmiTraits) => rejection(opened(name, traits));

describe('nvidia', () => {
  it('measures the true energy of 200 runs', async () => {
    const { world, started } = machine({}, { noiseW: 0.4 });
    await measuresTheTruth(world, 'nvidia?period=500ms', 0.02);
    expect(started).toHaveLength(1); // one process as long as the meter
  });

  it('tells what it is and which field it reads', async () => {
    expect(await opened('nvidia:0?gain=5')).toMatchObject({
      type: 'nvidia',
      address: '0',
      source: 'measured',
      identity: { name: 'NVIDIA GeForce RTX 3080', uuid: UUID, driver: '550.90.12', field: 'power.draw.average' },
      accuracy: { gainPercent: 5, offsetW: 0 },
      channels: [{ channel: 'gpu', integration: 'guard', clock: 'host', samplingPeriodS: 0.1, resolutionW: 0.01 }],
      remarks: [
        'As reported by nvidia-smi (power.draw.average): the GPU’s board alone, without the rest of the machine; NVIDIA publishes no accuracy for it.',
      ],
    });
  });

  it.each([
    ['an old driver', { unknown: ['power.draw.average', 'power.draw.instant'] }, 'power.draw'],
    ['a GPU without a mean', { instead: { 'power.draw.average': '[N/A]' } }, 'power.draw.instant'],
  ])('reads what there is: %s', async (_, traits, field) => {
    expect((await opened('nvidia', traits)).identity.field).toBe(field);
  });

  it.each([
    'NVIDIA A100-SXM4-40GB',
    'NVIDIA H100 PCIe',
    'GH200 480GB',
  ])('tells what the sensor of an %s misses', async (name) => {
    const { remarks } = await opened('nvidia', { gpus: [{ uuid: UUID, name }] });
    expect(remarks[1]).toMatch(/looks at the power for about a quarter of the time/);
  });

  it('takes the GPU that is named, by index or UUID, and refuses to choose among several', async () => {
    const gpus = [UUID, OTHER].map((uuid) => ({ uuid, name: 'NVIDIA L4' }));
    expect((await opened('nvidia:1', { gpus })).identity.uuid).toBe(OTHER);
    expect((await opened(`nvidia:${UUID}`, { gpus })).identity.uuid).toBe(UUID);
    const error = await refused('nvidia', { gpus });
    expect(error).toMatchObject({ name: 'InputError', message: 'This machine has several NVIDIA GPUs.' });
    expect(error.advice).toMatch(/nvidia:0/);
  });

  it.each<[string, SmiTraits, RegExp]>([
    ['there is no GPU', { gpus: [] }, /^nvidia-smi prints a line that is no reading: "No devices were found"\.$/],
    [
      'the GPU reports no power',
      { instead: { 'power.draw': '[Not Supported]', 'power.draw.average': '[N/A]', 'power.draw.instant': '[N/A]' } },
      /^nvidia-smi prints a line that reports no power of the NVIDIA GeForce RTX 3080: "\[Not Supported\]"\.$/,
    ],
  ])('says so where %s', async (_, traits, told) => {
    const error = await refused('nvidia', traits);
    expect(error.message).toMatch(told);
    expect(error).toMatchObject({ name: 'MeasureError', advice: expect.stringMatching(/driver/) });
  });

  it('has gaps where the sensor tells none, another GPU took its place or the driver was reset, and is lost when that lasts', async () => {
    const { world, started } = machine();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open('nvidia');
      await meter.start(collected);
      const smi = started[0]!;
      for (const line of [
        `${UUID}, 550.90.12, [Unknown Error], [Unknown Error], [Unknown Error], NVIDIA GeForce RTX 3080`,
        `${UUID}, 550.90.12, [GPU is lost], [GPU is lost], [GPU is lost], NVIDIA GeForce RTX 3080`,
        `${OTHER}, 550.90.12, 70.00, 70.00, 70.00, NVIDIA GeForce RTX 3080`,
        `${UUID}, 550.90.12, 99999.00, 1.00, 1.00, NVIDIA GeForce RTX 3080`,
        `${UUID}, 550.90.12, 7`,
      ]) {
        smi.print(line);
        const before = collected.samples.length;
        await collected.until(({ samples }) => samples.length > before + 2);
      }
      expect(collected.lostWith).toEqual([]);
      smi.print(
        'Unable to determine the device handle for GPU 0000:01:00.0: GPU is lost.  Reboot the system to recover this GPU',
      );
      smi.end(15);
      expect(collected.lostWith.map(({ message }) => message)).toEqual(['The program ended with exit code 15.']);
      await meter.stop();
    });
    expect(collected.samples.every(({ powerW }) => powerW === 40)).toBe(true);
    expect(collected.events.map(({ kind, detail }) => [kind, detail])).toEqual(
      [
        'reports no power: "[Unknown Error]"',
        'reports no power: "[GPU is lost]"',
        `is of another GPU: "${OTHER}"`,
        'reports no power: "99999.00"',
        `is no reading: "${UUID}, 550.90.12, 7"`,
        'is no reading: "Unable to determine the device handle for GPU 0000:01:00.0: GPU is lost.  Reboot the system to recover this GPU"',
      ].map((clause) => ['gap', `A line of the program ${clause}.`]),
    );
  });

  it.each(['nvidia:first', "nvidia:0'; reboot; '"])('refuses the name %s', async (name) => {
    expect((await rejection(openMeters([name]))).message).toBe(`The meter "${name}" does not name a GPU.`);
  });
});

describe('nvidia with a process of its own', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff nvidia-'));
    const emulator = fileURLToPath(new URL('../../emulators/nvidia-smi.ts', import.meta.url));
    writeFileSync(join(folder, 'nvidia-smi'), `#!/bin/sh\nexec '${process.execPath}' '${emulator}' 61.5 "$@"\n`, {
      mode: 0o755,
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('reads a program of any name, and says that it is emulated', async () => {
    const [meter] = (
      await openMeters([`nvidia:0?source=emulated&program=${encodeURIComponent(join(folder, 'nvidia-smi'))}`])
    ).meters;
    const collected = new Collected();
    await meter!.start(collected);
    await collected.until(({ samples, lostWith }) => samples.length >= 3 || lostWith.length > 0);
    await meter!.stop();
    expect(meter!.info.source).toBe('emulated');
    expect(collected.samples.map(({ powerW }) => powerW)).toEqual(collected.samples.map(() => 61.5));
  });

  it('is found by the list of its driver', () => {
    mkdirSync(join(folder, '0000:01:00.0'));
    writeFileSync(
      join(folder, '0000:01:00.0/information'),
      `Model: \t\t NVIDIA L4\nIRQ:   \t\t 152\nGPU UUID: \t ${UUID}\n`,
    );
    expect(nvidia.found?.(folder)).toEqual([`nvidia:${UUID}`]);
    expect(nvidia.found?.('/no/such/folder')).toEqual([]);
  });

  it('is not there without a driver', async () => {
    const error = await rejection(openMeters(['nvidia?program=/no/such/nvidia-smi']));
    expect(error.message).toMatch(/ended with exit code 127\. It said ".*\/no\/such\/nvidia-smi/);
    expect(error).toMatchObject({ name: 'MeasureError', advice: expect.stringMatching(/driver/) });
  });
});
