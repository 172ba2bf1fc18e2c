// Class: world.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nvidia } from '../../../src/meters/nvidia/nvidia.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { energyAsked, NvidiaEnergy } from '../../emulators/nvidia-energy.ts';
import { NvidiaSmi, type SmiTraits, UUID } from '../../emulators/nvidia-smi.ts';
import { Collected, rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { World } from '../network/runs.ts';
import { keepPrinting } from '../program/played.ts';
import type { VirtualProgram } from '../virtual-host.ts';

const OTHER = 'GPU-00000000-1111-2222-3333-444444444444';

interface Traits extends SmiTraits {
  /** Its counter is renewed every so many milliseconds; absent: it has none. */
  readonly renewedMs?: number;
  /** What nvmlDeviceGetPowerUsage tells, in shares of the truth. */
  readonly shown?: number;
}

const NO_LIBRARY = 'libnvidia-ml.so.1: cannot open shared object file: No such file or directory';

/** Plays the program that reads the counter. */
function playCounter(world: World, program: VirtualProgram, periodMs: number, { renewedMs, shown = 1 }: Traits): void {
  if (renewedMs === undefined) {
    program.print(JSON.stringify({ missing: NO_LIBRARY }));
    program.end(0);
    return;
  }
  const { clock } = world.host;
  const gpu = new NvidiaEnergy(world.settings, { renewedMs });
  const line = () => {
    const reading = JSON.parse(gpu.line(clock.nowNs())) as { power_mw: number };
    return JSON.stringify({ ...reading, power_mw: Math.round(shown * reading.power_mw) });
  };
  program.print(gpu.board);
  void keepPrinting(world, program, periodMs, () => [line()]);
}

/** A machine with GPUs, and every program that was started on it. */
function machine(traits: Traits = {}, load: ConstructorParameters<typeof World>[0] = {}) {
  const world = new World(load);
  const started: VirtualProgram[] = [];
  world.host.play = (program) => {
    started.push(program);
    const counter = energyAsked(program.command);
    if (counter !== null) {
      playCounter(world, program, counter.periodMs, traits);
      return;
    }
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

const opened = (name: string, traits?: Traits) => {
  const { world } = machine(traits);
  return world.run(async () => {
    const meter = await world.open(name);
    await meter.stop();
    return meter.info;
  });
};
const refused = (name: string, traits?: Traits) => rejection(opened(name, traits));

describe('nvidia', () => {
  it('measures the true energy of 200 runs', async () => {
    const { world, started } = machine({}, { noiseW: 0.4 });
    await measuresTheTruth(world, 'nvidia?reads=power&period=500ms', 0.02);
    expect(started).toHaveLength(1); // one process as long as the meter
  });

  it.each([
    10, 20, 100,
  ])('measures the true energy of 200 runs by a counter that is renewed every %d ms', async (ms) => {
    const { world, started } = machine({ renewedMs: ms }, { noiseW: 0.4 });
    await measuresTheTruth(world, 'nvidia', 0.004);
    expect(started).toHaveLength(1);
    expect(world.collected.events).toEqual([]);
  });

  it('tells that it reads the counter, which needs a short guard, and the power beside it', async () => {
    const { world } = machine({ renewedMs: 20 });
    const { collected } = world;
    const { info } = await world.run(async () => {
      const meter = await world.open('nvidia');
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 5);
      await meter.stop();
      return meter;
    });
    expect(info).toMatchObject({
      identity: { name: 'NVIDIA GeForce RTX 3080', uuid: UUID, driver: '550.90.12', field: 'total energy' },
      minimumGuardS: 0.5,
      channels: [{ channel: 'gpu', integration: 'guard', samplingPeriodS: 0.1, edgeS: 0.1 }],
      remarks: [
        'As reported by NVML (its energy counter): the GPU’s board alone, without the rest of the machine; NVIDIA publishes no accuracy for it.',
      ],
    });
    const { reported, powerW } = collected.samples.at(-1)!;
    expect(powerW).toBeCloseTo(40, 0);
    expect(reported?.values).toEqual([expect.any(Number), 40_000]);
    expect(reported!.values[0]! - reported!.since!.values[0]!).toBe(4000);
  });

  it('reads the power where there is no counter, and says why', async () => {
    const info = await opened('nvidia');
    expect(info.identity.field).toBe('power.draw.average');
    expect(info.remarks[1]).toBe(
      `Its power is read in the place of its energy counter: NVML prints a line that reports no energy: "${NO_LIBRARY}".`,
    );
    expect(await refused('nvidia?reads=energy')).toMatchObject({
      name: 'MeasureError',
      message: `NVML prints a line that reports no energy: "${NO_LIBRARY}".`,
    });
    expect((await opened('nvidia?reads=power')).remarks).toHaveLength(1);
    expect((await refused('nvidia?reads=both')).advice).toMatch(/^Possible: energy, power;/);
  });

  it('reads the power where the counter stands still', async () => {
    const { remarks } = await opened('nvidia', { renewedMs: 10_000 });
    expect(remarks[1]).toMatch(/counter: The energy counter of the GPU stands still\.$/);
  });

  it('reads a counter oftener than that is renewed', async () => {
    const { identity } = await opened('nvidia?reads=energy&period=20ms', { renewedMs: 100 });
    expect(identity).toMatchObject({ field: 'total energy' });
  });

  it('tells where the counter and the power disagree, as on some boards', async () => {
    const { world } = machine({ renewedMs: 20, shown: 1.7 });
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open('nvidia?period=1s');
      await meter.start(collected);
      await collected.until(({ events }) => events.length > 0);
      await meter.stop();
    });
    expect(collected.events[0]).toMatchObject({ kind: 'note' });
    expect(collected.events[0]?.detail).toMatch(
      /^Its own counter moved by 0\.\d\d Wh while its readings make 1\.1\d Wh\.$/,
    );
  });

  it('has gaps where the counter falls, goes back in time, leaps or is lost, and no sample is wrong', async () => {
    const { world, started } = machine({ renewedMs: 20 });
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open('nvidia');
      await meter.start(collected);
      const [program] = started as [VirtualProgram];
      const now = () => `${world.host.clock.nowNs()}`;
      for (const line of [
        JSON.stringify({ t_ns: now(), energy_mj: 5, power_mw: 5 }),
        JSON.stringify({ t_ns: now(), energy_mj: 2 ** 52, power_mw: 5 }),
        JSON.stringify({ t_ns: '12', energy_mj: 2 ** 52, power_mw: 5 }),
        JSON.stringify({ missing: 'nvmlDeviceGetTotalEnergyConsumption: GPU is lost' }),
        '{"t_ns":"7","energy_mj":-1,"power_mw":5}',
        '{"t_ns":',
      ]) {
        program.print(line);
        const before = collected.samples.length;
        await collected.until(({ samples }) => samples.length > before + 2);
      }
      program.end(0);
      await meter.stop();
    });
    expect(collected.lostWith.map(({ message }) => message)).toEqual(['The program ended with exit code 0.']);
    expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 12)).toBe(true);
    expect(collected.events.map(({ kind }) => kind)).not.toContain(undefined);
    const reported = collected.events.filter(({ kind }) => kind === 'gap').map(({ detail }) => detail);
    expect(reported).toContainEqual(
      expect.stringMatching(/its energy fell by [\d.]+ J: the driver was loaded anew\.$/),
    );
    expect(reported).toContainEqual(expect.stringMatching(/[\d.]+ J were used, more than any board takes\.$/));
    expect(reported).toContainEqual(
      expect.stringContaining('reports no energy: "nvmlDeviceGetTotalEnergyConsumption: GPU is'),
    );
    expect(reported).toContainEqual(expect.stringContaining('is not JSON: "{\\"t_ns\\":"'));
  });

  it('tells what it is and which field it reads', async () => {
    expect(await opened('nvidia:0?gain=5&reads=power')).toMatchObject({
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
  ])('says so where %s', async (_, traits, reported) => {
    const error = await refused('nvidia', traits);
    expect(error.message).toMatch(reported);
    expect(error).toMatchObject({ name: 'MeasureError', advice: expect.stringMatching(/driver/) });
  });

  it('has gaps where the sensor tells none, another GPU took its place or the driver was reset, and is lost when that lasts', async () => {
    const { world, started } = machine();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open('nvidia?reads=power');
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
