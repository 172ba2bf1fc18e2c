// Class: system.
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openMeters } from '../../../src/meters/registry.ts';
import { Collected, rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { measuredRuns, World } from '../network/runs.ts';
import { keepPrinting } from '../program/played.ts';
import type { VirtualProgram } from '../virtual-host.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-perf-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of events as the kernel has it, with a scale and a unit beside each. */
function events(...names: string[]): string {
  const root = mkdtempSync(join(folder, 'events-'));
  mkdirSync(root, { recursive: true });
  for (const name of names) {
    for (const [end, text] of [
      ['', 'event=0x02'],
      ['.scale', '2.3283064365386962890625e-10'],
      ['.unit', 'Joules'],
    ]) {
      writeFileSync(join(root, `${name}${end}`), `${text}\n`);
    }
  }
  return encodeURIComponent(root);
}

/** Lines as perf 6.1 prints them for an interval. Shares of the load: the packages three quarters, memory a quarter, the platform all of it twice, the only busy core all of it. */
const SHARES: Readonly<Record<string, number>> = {
  'power/energy-pkg/': 0.75,
  'power/energy-ram/': 0.25,
  'power/energy-psys/': 2,
  'power_core/energy-core/': 1,
};
const line = (seconds: number, joules: string, event: string, percent = '100.00'): string =>
  `${seconds.toFixed(9).padStart(16)};${joules};Joules;${event};${Math.round(seconds * 1e9)};${percent};;`;

/** Energy events have no emulator in the kernel, and virtual machines have none: what perf would print, of a machine whose power is known. */
function machine(load: ConstructorParameters<typeof World>[0] = {}) {
  const world = new World(load);
  const started: VirtualProgram[] = [];
  world.host.play = (program) => {
    started.push(program);
    const [, everyMs, names = ''] = /--interval-print (\d+) .*--event (\S+)/.exec(program.command) ?? [];
    const startNs = world.host.clock.nowNs();
    let lastNs = startNs;
    void keepPrinting(world, program, Number(everyMs), (nowNs) => {
      const joules = world.load.energyJ(lastNs, nowNs);
      lastNs = nowNs;
      const seconds = Number(nowNs - startNs) / 1e9;
      return names.split(',').map((event) => line(seconds, (joules * (SHARES[event] ?? 0)).toFixed(2), event));
    });
  };
  return { world, started };
}

describe('perf', () => {
  it('measures the true energy of 200 runs', async () => {
    const { world, started } = machine();
    await measuresTheTruth(world, `perf?root=${events('energy-pkg', 'energy-ram')}`, 0.0001);
    expect(started).toHaveLength(1);
  });

  it('is off by no more than perf rounds away where the power stands still, and within what is stated 95 times in 100', async () => {
    const name = `perf?root=${events('energy-pkg', 'energy-ram')}`;
    const scores: number[] = [];
    // Every reading of a power is rounded the same way, and another power's another way.
    for (let i = 0; i < 100; i++) {
      const { world } = machine({ idleW: 40 + 0.0137 * i, loadW: 90 + 0.0291 * i });
      const [run] = await world.run(() => measuredRuns(world, name, 1));
      // Half a hundredth of a joule of each event in each of 40 intervals, of 1,800 J.
      expect(Math.abs(run!.error)).toBeLessThan((2 * 0.005 * 45) / 1800);
      scores.push(run!.score);
    }
    expect(scores.filter((score) => score <= 1).length).toBeGreaterThanOrEqual(95);
  });

  it('adds packages and memory, and tells the platform by itself', async () => {
    const { world, started } = machine();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open(`perf?root=${events('energy-cores', 'energy-pkg', 'energy-ram', 'energy-psys')}`);
      expect(meter.info).toMatchObject({
        type: 'perf',
        source: 'emulated',
        identity: { events: 'energy-pkg, energy-ram, energy-psys' },
        minimumGuardS: 1,
        channels: [
          {
            channel: 'rapl',
            part: 'package-and-dram',
            integration: 'guard',
            samplingPeriodS: 0.5,
            resolutionW: 0.02 * Math.SQRT2,
          },
          { channel: 'package', part: 'package', resolutionW: 0.02 },
          { channel: 'dram', part: 'dram' },
          { channel: 'psys' },
        ],
      });
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 40);
      await meter.stop();
    });
    const [seconds, ...joules] = [
      collected.samples.filter(({ channel }) => channel === 'rapl').reduce((sum, { durationS }) => sum + durationS, 0),
      ...['rapl', 'package', 'dram', 'psys'].map((channel) => collected.energyJ(channel)),
    ];
    for (const [i, watts] of [40, 30, 10, 80].entries()) expect(joules[i]! / seconds!).toBeCloseTo(watts, 6);
    expect(started[0]?.command).toMatch(/ --event power\/energy-pkg\/,power\/energy-ram\/,power\/energy-psys\/ /);
  });

  it('has a gap where a line is none, counts nothing of an interval whose begin it does not know, and is lost when perf ends', async () => {
    const { world, started } = machine();
    const { collected } = world;
    const { clock } = world.host;
    const startNs = clock.nowNs();
    const seconds = () => Number(clock.nowNs() - startNs) / 1e9;
    await world.run(async () => {
      const meter = await world.open(`perf?root=${events('energy-pkg')}`);
      await meter.start(collected);
      const bad = [
        () => line(99.5, '<not counted>', 'power/energy-pkg/'),
        () => line(99.5, '12.00', 'power/energy-pkg/', '61.20'),
        () => line(0.1, '12.00', 'power/energy-pkg/'),
        () => line(seconds() + 0.001, '99999999.00', 'power/energy-pkg/'),
      ];
      for (const text of bad) {
        const before = collected.samples.length;
        await collected.until(({ samples }) => samples.length > before);
        started[0]!.print(text());
      }
      started[0]!.end(255);
      await collected.until(({ lostWith }) => lostWith.length > 0);
      await meter.stop();
    });
    expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 30) < 0.011)).toBe(true);
    expect(collected.events.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/reports no energy for the whole interval: ".*<not counted>/),
      expect.stringMatching(/reports no energy for the whole interval: ".*;61\.20;;"\.$/),
      expect.stringMatching(/goes back in time/),
      expect.stringMatching(/reports more than any machine draws/),
    ]);
    expect(collected.lostWith[0]?.message).toBe('The program ended with exit code 255.');
  });

  it('goes on with the other channels where perf has nothing of the platform', async () => {
    const { world, started } = machine();
    const { collected } = world;
    const missing = new Set([3, 4]);
    let intervals = 0;
    await world.run(async () => {
      const meter = await world.open(`perf?root=${events('energy-pkg', 'energy-psys')}`);
      const program = started[0]!;
      const print = program.print.bind(program);
      program.print = (text: string) => {
        const lost = text.includes('energy-psys') && missing.has(intervals++);
        print(lost ? text.replace(/;[\d.]+;Joules/, ';<not counted>;Joules') : text);
      };
      await meter.start(collected);
      await collected.until(({ samples }) => samples.filter(({ channel }) => channel === 'rapl').length >= 10);
      await meter.stop();
    });
    const count = (name: string) => collected.samples.filter(({ channel }) => channel === name).length;
    expect([count('rapl'), count('psys')]).toEqual([10, 8]);
    expect(collected.events).toEqual(
      [...missing].map(() => expect.objectContaining({ kind: 'gap', channels: ['psys'] })),
    );
    expect(
      collected.samples.filter(({ channel }) => channel === 'psys').every(({ powerW }) => Math.abs(powerW - 80) < 0.02),
    ).toBe(true);
  });

  it('says so where there are no energy events, or perf is not there', async () => {
    const root = events('energy-cores');
    const none = await rejection(openMeters([`perf?root=${root}`]));
    expect(none.message).toBe(`perf has no energy events: there is no energy-pkg in ${decodeURIComponent(root)}.`);
    const missing = await rejection(openMeters([`perf?root=${events('energy-pkg')}&program=/no/such/perf`]));
    expect(missing.message).toMatch(/ended with exit code 127\. It said ".*\/no\/such\/perf/);
    expect(missing.advice).toMatch(/kernel\.perf_event_paranoid=0/);
  });

  it.each([
    ['each die of a package', '0,8', [0, 0], true],
    ['each package', '0,8', [0, 1], false],
    ['a list of processors', '0-1', [0, 0], true],
    ['one package', '0', [0, 0], false],
  ])('refuses what perf would count twice: it counts on %s', async (_, cpumask, packages, isRefused) => {
    const root = decodeURIComponent(events('energy-pkg'));
    const power = join(folder, `power-${cpumask}-${packages.join('-')}`);
    for (const [index, id] of packages.entries()) {
      mkdirSync(join(power, `cpu/cpu${index}/topology`), { recursive: true });
      writeFileSync(join(power, `cpu/cpu${index}/topology/physical_package_id`), `${id}\n`);
    }
    renameSync(root, join(power, 'events'));
    writeFileSync(join(power, 'cpumask'), `${cpumask}\n`);
    const name = `perf?root=${encodeURIComponent(join(power, 'events'))}&program=/no/such/perf`;
    const { message } = await rejection(openMeters([name]));
    expect(message).toContain(isRefused ? 'perf adds the counters of all dies' : 'ended with exit code 127');
  });

  it('measures one core alone, and says that it is no more', async () => {
    const { world, started } = machine();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open(`perf?core=3&root=${events('energy-core')}`);
      expect(meter.info).toMatchObject({
        source: 'emulated',
        identity: { events: 'energy-core', core: 3 },
        channels: [{ channel: 'core-3', part: 'core', resolutionW: 0.02 }],
      });
      expect(meter.info.remarks?.[0]).toMatch(/^The energy of one core, that of processor 3.*no other core, no memory/);
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 20);
      await meter.stop();
    });
    expect(started[0]?.command).toMatch(/ --cpu=3 .* --event power_core\/energy-core\/ /);
    expect(started[0]?.command).not.toContain('--all-cpus');
    const seconds = collected.samples.reduce((sum, { durationS }) => sum + durationS, 0);
    expect(collected.energyJ('core-3') / seconds).toBeCloseTo(40, 6);
  });

  it('measures the true energy of a core in 200 runs', async () => {
    const { world } = machine();
    await measuresTheTruth(world, `perf?core=0&root=${events('energy-core')}`, 0.0001);
  });

  it('reads no core that the kernel does not count, and names where to look', async () => {
    const root = decodeURIComponent(events('energy-core'));
    const device = join(folder, 'power_core');
    mkdirSync(device);
    renameSync(root, join(device, 'events'));
    writeFileSync(join(device, 'cpumask'), '0-7\n');
    const open = (core: string) =>
      rejection(
        openMeters([`perf?core=${core}&root=${encodeURIComponent(join(device, 'events'))}&program=/no/such/perf`]),
      );
    const sibling = await open('11');
    expect(sibling.message).toBe('core=11: perf counts cores on the processors 0-7, and 11 is none of them.');
    expect(sibling.advice).toContain('cpu11/topology/thread_siblings_list');
    expect((await open('7')).message).toContain('ended with exit code 127');
    expect((await open('-1')).message).toContain('must be 0 to 8191');
    const old = await rejection(openMeters([`perf?core=0&root=${events('energy-pkg')}`]));
    expect(old.message).toMatch(/no event for the energy of a core: there is no energy-core in/);
  });

  it('has a recipe for older kernels that reads the register, also when it overflows', async () => {
    const recipe = /```python\n([^`]*0xC001029A[^`]*)```/.exec(readFileSync('docs/meters.md', 'utf8'))?.[1] ?? '';
    // Registers lie one address apart, so those of a file share bytes: the lowest of the energy is the unit, 2^-16 J.
    const msr = join(folder, 'msr');
    const show = (upper: number) => {
      const file = openSync(msr, constants.O_RDWR | constants.O_CREAT);
      const bytes = [0, 16, upper & 255, (upper >> 8) & 255, (upper >> 16) & 255, 0, 0, 0, 0];
      writeSync(file, Buffer.from(bytes), 0, bytes.length, 0xc0010299);
      closeSync(file);
    };
    show(0xffffff);
    const program = join(folder, 'core.py');
    writeFileSync(program, recipe.replace('/dev/cpu/3/msr', msr));
    const [meter] = (await openMeters([`command:python3 ${program}?part=core`])).meters;
    expect(meter!.info.channels).toMatchObject([{ channel: 'core', part: 'core' }]);
    const collected = new Collected();
    await meter!.start(collected);
    await collected.until(({ samples, lostWith }) => samples.length >= 2 || lostWith.length > 0);
    show(0x0000ff);
    await collected.until(({ samples, lostWith }) => samples.some(({ powerW }) => powerW > 0) || lostWith.length > 0);
    await meter!.stop();
    // From 0xffffff10 to 0xff10, in steps of 2^-16 J.
    expect(collected.energyJ('core')).toBeCloseTo(0x10000 / 2 ** 16, 6);
  });

  it('reads a process of its own, which says why where it may not count', async () => {
    const program = join(folder, 'a perf');
    const said = 'Access to performance monitoring and observability operations is limited.';
    writeFileSync(program, `#!/bin/sh\necho '${said}' >&2\nexit 255\n`, { mode: 0o755 });
    const name = `perf?root=${events('energy-pkg')}&program=${encodeURIComponent(program)}`;
    expect((await rejection(openMeters([name]))).message).toContain(said);
    // The numbers come by the descriptor that it is told.
    const loop = `t=0; while :; do t=$((t + 1)); echo "     $t.000000000;41.20;Joules;power/energy-pkg/;1;100.00;;" >&3; sleep 0.05; done`;
    writeFileSync(program, `#!/bin/sh\n[ "$LC_ALL $2 $8" = "C --all-cpus power/energy-pkg/" ] || exit 9\n${loop}\n`);
    const [meter] = (await openMeters([name])).meters;
    const collected = new Collected();
    await meter!.start(collected);
    await collected.until(({ samples, lostWith }) => samples.length >= 2 || lostWith.length > 0);
    await meter!.stop();
    expect(collected.samples.every(({ powerW }) => powerW === 41.2)).toBe(true);
  });
});
