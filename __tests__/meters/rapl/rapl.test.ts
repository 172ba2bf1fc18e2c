// Class: system.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import type { Meter } from '../../../src/meters/meter.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { sleep } from '../../../src/system/clock.ts';
import { asNobody } from '../as-nobody.ts';
import { Collected, rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { World } from '../network/runs.ts';
import { shownFile } from '../shown-file.ts';
import { VirtualHost } from '../virtual-host.ts';
import { PowercapTree } from './powercap-tree.ts';

const AMD_RANGE_UJ = 65_532_987_987n;

let tree: PowercapTree;
let meter: Meter | null;
let collected: Collected;

beforeEach(() => {
  tree = new PowercapTree();
  meter = null;
  collected = new Collected();
});
afterEach(async () => {
  await meter?.stop();
  tree.remove();
});

async function open(options = '&period=1s'): Promise<Meter> {
  const opened = await openMeters([`rapl?root=${tree.root}${options}`]);
  meter = opened.meters[0] as Meter;
  return meter;
}

async function start(): Promise<Meter> {
  const opened = await open();
  await opened.start(collected);
  return opened;
}

/** Long enough for two readings to be two. */
function pause(): void {
  const untilNs = process.hrtime.bigint() + 2_000_000n;
  while (process.hrtime.bigint() < untilNs);
}

function mark(): void {
  pause();
  meter?.mark();
}

describe('rapl', () => {
  describe('with a zone for each die of a package', () => {
    /** Counters of two dies that advance until the returned function is called. */
    function advancing(first: (ms: number) => number, second: (ms: number) => number, maximumUj?: bigint): () => void {
      tree
        .zone('intel-rapl:0', 'package-0-die-0', 0n, maximumUj)
        .zone('intel-rapl:1', 'package-0-die-1', 0n, maximumUj);
      tree.packages(0, 0);
      const startMs = performance.now();
      const write = () => {
        const ms = performance.now() - startMs;
        const wrapped = (uj: number) =>
          maximumUj === undefined ? BigInt(Math.round(uj)) : BigInt(Math.round(uj)) % maximumUj;
        tree.set('intel-rapl:0', wrapped(first(ms))).set('intel-rapl:1', wrapped(second(ms)));
      };
      write();
      const timer = setInterval(write, 3);
      return () => clearInterval(timer);
    }
    const watts =
      (w: number, fromUj = 1e6) =>
      (ms: number) =>
        fromUj + Math.round(w * ms) * 1000;
    const steps = (w: number) => (ms: number) => watts(w)(Math.floor(ms / 700) * 700);

    it.each([
      ['one register that both show', watts(50), watts(50), undefined, ['package-0-die-0']],
      ['one register that wraps meanwhile', watts(50), watts(50), 1_500_000n, ['package-0-die-0']],
      ['two registers', watts(25, 4e6), watts(30), undefined, ['package-0-die-0', 'package-0-die-1']],
      ['one register that both show from another beginning', watts(50, 2e6), watts(50), undefined, ['package-0-die-0']],
      ['one register that steps once in 0.7 s', steps(50), steps(50), undefined, ['package-0-die-0']],
      [
        'two registers of about the same power',
        watts(25, 2e6),
        watts(25.05),
        undefined,
        ['package-0-die-0', 'package-0-die-1'],
      ],
      ['two that began together', watts(25), watts(27), undefined, ['package-0-die-0', 'package-0-die-1']],
      ['two that don’t move', () => 1e6, () => 1e6, undefined, ['package-0-die-0', 'package-0-die-1']],
    ])('counts %s', async (_, first, second, maximumUj, zones) => {
      const stop = advancing(first, second, maximumUj);
      try {
        const { info } = await open();
        expect(info.identity.zones).toBe(zones.join(', '));
        expect(info.identity.mirrors).toBe(zones.length === 1 ? 'package-0-die-1' : undefined);
        expect(info.channels[0]?.quantities?.map(({ name }) => name)).toEqual(zones);
        expect(info.remarks.some((remark) => remark.includes('another zone shows too'))).toBe(zones.length === 1);
      } finally {
        stop();
      }
    });
  });

  it('is lost where zones that stood still when it was opened advance alike, since it would count them twice', async () => {
    tree.zone('intel-rapl:0', 'package-0-die-0').zone('intel-rapl:1', 'package-0-die-1').packages(0, 0);
    await start();
    for (let i = 1n; i <= 9n; i++) {
      tree.set('intel-rapl:0', i * 1000n).set('intel-rapl:1', i * 1000n);
      mark();
    }
    expect(collected.lostWith).toEqual([]);
    tree.set('intel-rapl:0', 20_000n).set('intel-rapl:1', 20_000n);
    mark();
    expect(String(collected.lostWith[0])).toContain('package-0-die-1 and package-0-die-0 advance alike');
  });

  it('adds packages and dram of all sockets, and nothing that is contained in them or counted twice', async () => {
    tree
      .zone('intel-rapl:0', 'package-0')
      .zone('intel-rapl:0:0', 'core')
      .zone('intel-rapl:0:1', 'dram')
      .zone('intel-rapl:1', 'package-1')
      .zone('intel-rapl:1:0', 'uncore')
      .zone('intel-rapl:1:1', 'dram')
      .zone('intel-rapl:2', 'psys')
      .zone('intel-rapl-mmio:0', 'package-0')
      .packages(0, 0, 1, 1);
    const { info } = await start();
    expect(info.channels.map(({ channel }) => channel)).toEqual(['rapl', 'package', 'dram', 'package-0', 'package-1']);
    expect(info.channels.flatMap(({ part }) => part ?? [])).toEqual(['package-and-dram', 'package', 'dram']);
    expect(info.channels.every(({ integration }) => integration === 'counter')).toBe(true);
    expect(info.identity).toEqual({ zones: 'package-0, dram, package-1, dram', packages: 2, complete: true });

    tree.set('intel-rapl:0', 3_000_000n).set('intel-rapl:1', 500_000n);
    tree.set('intel-rapl:0:1', 40_000n).set('intel-rapl:1:1', 2_000n);
    for (const ignored of ['intel-rapl:0:0', 'intel-rapl:1:0', 'intel-rapl:2', 'intel-rapl-mmio:0'])
      tree.set(ignored, 7_000_000n);
    mark();
    expect(collected.energyJ('package')).toBeCloseTo(3.5, 9);
    expect(collected.energyJ('dram')).toBeCloseTo(0.042, 9);
    expect(collected.energyJ('rapl')).toBeCloseTo(3.542, 9);
  });

  it('tells each of several sockets beside their sum, dies together, and the platform by itself', async () => {
    tree
      .zone('intel-rapl:0', 'package-0-die-0')
      .zone('intel-rapl:1', 'package-0-die-1')
      .zone('intel-rapl:2', 'package-1')
      .zone('intel-rapl:2:0', 'dram')
      .zone('intel-rapl:3', 'psys', 1_000_000n)
      .zone('intel-rapl:4', 'psys-1', 0n)
      .packages(0, 1);
    const { info } = await start();
    expect(info.channels.map(({ channel, part }) => [channel, part])).toEqual([
      ['rapl', 'package-and-dram'],
      ['package', 'package'],
      ['dram', 'dram'],
      ['package-0', undefined],
      ['package-1', undefined],
      ['psys', undefined], // psys-1 stands at 0: it is wired to nothing
    ]);
    expect(info.remarks).toContain(
      'The channel psys is what the maker of this machine wired to it: the whole platform, or a part.',
    );
    tree.set('intel-rapl:0', 1_000_000n).set('intel-rapl:1', 20_000n).set('intel-rapl:2', 300_000n);
    tree.set('intel-rapl:2:0', 4000n).set('intel-rapl:3', 3_500_000n).set('intel-rapl:4', 9_000_000n);
    mark();
    const reported = info.channels.map(({ channel }) => collected.energyJ(channel));
    for (const [i, joules] of [1.324, 1.32, 0.004, 1.02, 0.3, 2.5].entries())
      expect(reported[i]).toBeCloseTo(joules, 9);
  });

  it('reads AMD’s processors by the same names: packages alone, cores left out', async () => {
    tree.zone('intel-rapl:0', 'package-0', 65_532_610_000n, AMD_RANGE_UJ).zone('intel-rapl:0:0', 'core').packages(0);
    const { info } = await start();
    expect(info.channels.map(({ channel }) => channel)).toEqual(['rapl']);
    tree.set('intel-rapl:0', 1_022_013n).set('intel-rapl:0:0', 7_000_000n);
    mark();
    expect(collected.energyJ('rapl')).toBeCloseTo(1.4, 9); // 377,987 µJ up to the range and 1,022,013 after it
  });

  it('has a gap where it was read too late to know how often a counter wrapped, and goes on after it', async () => {
    tree.zone('intel-rapl:0', 'package-0', 1_000_000n, AMD_RANGE_UJ);
    const host = new VirtualHost();
    await host.clock.run(
      (async () => {
        meter = (await openMeters([`rapl?root=${tree.root}`], host)).meters[0] as Meter;
        await meter.start(collected);
        await sleep(host.clock, 100);
        // At 2 kW, 65.5 kJ last for 32.8 s.
        host.clock.block(33_000);
        tree.set('intel-rapl:0', 2_000_000n);
        await collected.until(({ events }) => events.length > 0);
        tree.set('intel-rapl:0', 7_000_000n);
        host.clock.block(30_000);
        await collected.until(({ samples }) => samples.some(({ powerW }) => powerW > 0));
      })(),
    );
    expect(collected.events.map(({ kind, detail }) => [kind, detail])).toEqual([
      [
        'gap',
        `The counter ${tree.root}/intel-rapl:0 was reset, could not be read, or was not read in time to count its wraps.`,
      ],
    ]);
    expect(collected.energyJ('rapl')).toBeCloseTo(5, 6);
  });

  it('has one channel where there is no dram', async () => {
    tree.zone('intel-rapl:0', 'package-0').zone('intel-rapl:0:0', 'core');
    const { info } = await start();
    expect(info.channels.map(({ channel }) => channel)).toEqual(['rapl']);
    tree.set('intel-rapl:0', 1_234_567n);
    mark();
    expect(collected.energyJ('rapl')).toBeCloseTo(1.234567, 9);
  });

  it('counts on when a counter wraps', async () => {
    tree.zone('intel-rapl:0', 'package-0', 262_143_300_000n).zone('intel-rapl:0:0', 'dram', 5_000_000n);
    await start();
    tree.set('intel-rapl:0', 71_150n).set('intel-rapl:0:0', 5_100_000n);
    mark();
    expect(collected.energyJ('package')).toBeCloseTo(0.1, 9); // 28,850 µJ up to the range and 71,150 after it
    expect(collected.energyJ('rapl')).toBeCloseTo(0.2, 9);
    expect(collected.events).toEqual([]);
  });

  it('tells of a counter that was reset instead of inventing the rest of its range', async () => {
    tree.zone('intel-rapl:0', 'package-0', 90_000_000_000n);
    await start();
    tree.set('intel-rapl:0', 1_000n);
    mark();
    expect(collected.samples).toEqual([]);
    expect(collected.events).toMatchObject([{ kind: 'gap' }]);
    tree.set('intel-rapl:0', 501_000n);
    mark();
    expect(collected.energyJ('rapl')).toBeCloseTo(0.5, 9);
  });

  it('goes on with the other channels where the counter of one was reset', async () => {
    tree.zone('intel-rapl:0', 'package-0').zone('intel-rapl:0:0', 'dram').zone('intel-rapl:1', 'psys', 90_000_000_000n);
    await start();
    tree.set('intel-rapl:0', 400_000n).set('intel-rapl:0:0', 100_000n).set('intel-rapl:1', 1000n);
    mark();
    expect(collected.events).toMatchObject([{ kind: 'gap', channels: ['psys'] }]);
    const joules = () => ['rapl', 'package', 'dram', 'psys'].map((channel) => collected.energyJ(channel));
    expect(joules()).toEqual([0.5, 0.4, 0.1, 0].map((joule) => expect.closeTo(joule, 9)));
    tree.set('intel-rapl:0', 500_000n).set('intel-rapl:1', 701_000n);
    mark();
    expect(joules()).toEqual([0.6, 0.5, 0.1, 0.7].map((joule) => expect.closeTo(joule, 9)));
  });

  it('goes on with the other channels where the counter of one can’t be read', async () => {
    tree.zone('intel-rapl:0', 'package-0').zone('intel-rapl:1', 'psys', 7_000_000n);
    await start();
    writeFileSync(join(tree.root, 'intel-rapl:1/energy_uj'), '');
    tree.set('intel-rapl:0', 400_000n);
    mark();
    tree.set('intel-rapl:0', 500_000n).set('intel-rapl:1', 9_000_000n);
    mark();
    const concerned = collected.events.map(({ kind, channels }) => [kind, channels]);
    expect(concerned).toEqual([
      ['gap', ['psys']],
      ['gap', ['psys']],
    ]);
    tree.set('intel-rapl:0', 600_000n).set('intel-rapl:1', 9_300_000n);
    mark();
    expect(collected.energyJ('rapl')).toBeCloseTo(0.6, 9);
    expect(collected.energyJ('psys')).toBeCloseTo(0.3, 9);
    expect(collected.lostWith).toEqual([]);
    writeFileSync(join(tree.root, 'intel-rapl:0/energy_uj'), '');
    mark();
    expect(collected.lostWith).toHaveLength(1);
  });

  it('tells of a counter that jumped ahead instead of inventing that power', async () => {
    tree.zone('intel-rapl:0', 'package-0');
    await start();
    tree.set('intel-rapl:0', 90_000_000_000n);
    mark();
    expect(collected.samples).toEqual([]);
    expect(collected.events).toMatchObject([{ kind: 'gap' }]);
  });

  it('ends a sample at every mark, loses nothing, and makes no sample of two readings at once', async () => {
    tree.zone('intel-rapl:0', 'package-0');
    const opened = await start();
    const beforeNs = process.hrtime.bigint();
    for (let count = 1; count <= 20; count++) {
      tree.set('intel-rapl:0', BigInt(count) * 1_000_000n);
      mark();
      opened.mark();
      opened.mark();
    }
    const { samples } = collected;
    expect(samples.length).toBeGreaterThanOrEqual(20);
    expect(collected.energyJ('rapl')).toBeCloseTo(20, 9);
    for (const [index, { tNs, durationS, powerW }] of samples.entries()) {
      const previous = samples[index - 1];
      if (previous) expect(durationS).toBe(Number(tNs - previous.tNs) / 1e9);
      expect(durationS).toBeGreaterThanOrEqual(0.001);
      expect(powerW).toBeGreaterThanOrEqual(0);
    }
    expect(samples[0]?.tNs).toBeGreaterThan(beforeNs);
    expect(samples.at(-1)?.tNs).toBeLessThan(process.hrtime.bigint());
  });

  it('samples by itself, and no more after it was stopped', async () => {
    tree.zone('intel-rapl:0', 'package-0');
    const opened = await open('&period=20ms');
    await opened.start(collected);
    await collected.until(({ samples }) => samples.length >= 3);
    await opened.stop();
    await opened.stop();
    const count = collected.samples.length;
    opened.mark();
    pause();
    opened.mark();
    expect(collected.samples).toHaveLength(count);
  });

  it('is lost, once, when a zone vanishes', async () => {
    tree.zone('intel-rapl:0', 'package-0').zone('intel-rapl:1', 'package-1');
    await start();
    rmSync(join(tree.root, 'intel-rapl:1'), { recursive: true });
    mark();
    mark();
    expect(collected.lostWith).toHaveLength(1);
    expect(collected.lostWith[0]).toBeInstanceOf(MeasureError);
    expect(collected.lostWith[0]?.message).toContain('intel-rapl:1/energy_uj');
  });

  it('says that its numbers are incomplete when a package has no zone', async () => {
    tree.zone('intel-rapl:0', 'package-0').packages(0, 0, 1);
    const { info } = await open();
    expect(info.identity.complete).toBe(false);
    expect(info.remarks).toContain('RAPL shows 1 of 2 processor packages: its numbers are incomplete.');
  });

  it('counts a package with two dies once', async () => {
    tree.zone('intel-rapl:0', 'package-0-die-0').zone('intel-rapl:1', 'package-0-die-1').packages(0, 0);
    expect((await open()).info.identity).toMatchObject({ packages: 1, complete: true });
  });

  it('is emulated where the tree is replaced, and says so', async () => {
    tree.zone('intel-rapl:0', 'package-0');
    const { info } = await open();
    expect(info.source).toBe('emulated');
    expect(info.remarks.at(-1)).toBe('These counters come from a replaced powercap tree; they were not measured.');
  });

  it('is not available where its counter goes while it is opened', async () => {
    tree.zone('intel-rapl:0', 'package-0');
    rmSync(join(tree.root, 'intel-rapl:0/energy_uj'));
    const error = await rejection(open());
    expect(error).toBeInstanceOf(MeasureError);
    expect(error.message).toBe(`RAPL is not available: there is no counter in ${tree.root}/intel-rapl:0.`);
  });

  it('is not available without package zones', async () => {
    tree.zone('intel-rapl:0', 'psys').zone('intel-rapl-mmio:0', 'package-0');
    const error = await rejection(open());
    expect(error).toBeInstanceOf(MeasureError);
    expect(error.message).toBe(`RAPL is not available: there is no processor package in ${tree.root}.`);
  });

  it('tells a user without rights the remedy', async () => {
    tree.zone('intel-rapl:0', 'package-0');
    chmodSync(tree.root, 0o755);
    chmodSync(join(tree.root, 'intel-rapl:0/energy_uj'), 0o000);
    const error = await asNobody(() => rejection(open()));
    expect(error).toBeInstanceOf(MeasureError);
    expect(error.message).toBe(`RAPL is available, but this user may not read ${tree.root}/intel-rapl:0/energy_uj.`);
    expect(error.advice).toContain(
      'SUBSYSTEM=="powercap", KERNEL=="intel-rapl*", RUN+="/usr/bin/chgrp rapl /sys/%p/energy_uj"',
    );
  });

  it.each([
    ['rapl:0', 'The meter type rapl takes no address, but "rapl:0" has "0".'],
    ['rapl?perod=1s', 'The meter type rapl has no option "perod" (in "rapl?perod=1s").'],
    [
      'rapl?period=2s',
      'The option period=2s in the meter name "rapl?period=2s" is not possible: it must be 0.02 to 1 seconds.',
    ],
    [
      'rapl?period=fast',
      'The option period=fast in the meter name "rapl?period=fast" is not possible: it must be 0.02 to 1 seconds.',
    ],
  ])('refuses %s', async (name, message) => {
    expect((await rejection(openMeters([name]))).message).toBe(message);
  });
});

it('measures the truth over 200 runs of 20 s, through wraps', async () => {
  const world = new World();
  tree.zone('intel-rapl:0', 'package-0', 60_000_000_000n, AMD_RANGE_UJ);
  const fromNs = world.host.clock.nowNs();
  const show = shownFile(join(tree.root, 'intel-rapl:0/energy_uj'));
  world.host.clock.onStep = (nowNs) => {
    // Hardware renews its counters 1024 times a second.
    const shownNs = (nowNs / 976_562n) * 976_562n;
    const countedUj = BigInt(Math.floor(world.load.energyJ(fromNs, shownNs) * 1e6));
    show((60_000_000_000n + countedUj) % AMD_RANGE_UJ);
  };
  await measuresTheTruth(world, `rapl?root=${tree.root}&period=1s`, 0.0002);
});
