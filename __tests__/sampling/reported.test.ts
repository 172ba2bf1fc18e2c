// Class: unit.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ObservationBuffer } from '../../src/measure/observation-buffer.ts';
import { runEmulator } from '../../src/meters/emulator/emulator.ts';
import { YokogawaEmulator } from '../../src/meters/scpi/yokogawa-emulator.ts';
import { ShellyEmulator } from '../../src/meters/shelly/emulator.ts';
import { powerFrom, type Quantity } from '../../src/sampling/reported.ts';
import { openStore } from '../../src/store/reader.ts';
import { StoreWriter } from '../../src/store/writer.ts';
import { World } from '../meters/network/runs.ts';
import { keepPrinting } from '../meters/program/played.ts';
import { PowercapTree } from '../meters/rapl/powercap-tree.ts';
import { conditions, nativeAndContainer } from '../store/fixtures.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-told-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Ten seconds of a meter, written and read again as an experiment's are. */
async function recorded(world: World, name: string, middle: () => void = () => {}) {
  const path = join(folder, 'experiment.db');
  const originNs = world.host.clock.nowNs();
  const info = await world.run(async () => {
    const meter = await world.open(name);
    const plan = { seed: 5, order: 'randomized-blocks' as const, runs: [] };
    const meters = [{ ...meter.info, name, passport: null }];
    const experiment = nativeAndContainer;
    const definition = { id: 'e1', startedAt: '', experiment, plan, facts: new Map(), meters, noiseFloor: null };
    const store = StoreWriter.create(path, definition);
    store.beginSession('', originNs, conditions);
    const buffer = new ObservationBuffer();
    await meter.start(buffer);
    const restNs = world.host.clock.nowNs();
    for (let part = 0; part < 5; part++) {
      if (part === 2) middle();
      await world.wait(2000);
      meter.mark();
      store.addIdle(restNs, world.host.clock.nowNs(), buffer.take());
    }
    await meter.stop();
    store.close('', { kind: 'complete' }, buffer.take());
    return meter.info;
  });
  using reader = openStore(path);
  return reader.channels().map(({ channel, quantities }) => {
    const { tNs, powerW } = reader.samples(1, channel);
    const samples = new Map(Array.from(tNs, (t, i) => [originNs + BigInt(t), powerW[i] as number]));
    return { channel, quantities, samples, looks: reader.reported(1, channel), events: reader.events(), info };
  });
}

/** Every power of a channel, computed anew. Gives how many. */
function computedAgain({ quantities = [], samples, looks }: Awaited<ReturnType<typeof recorded>>[number]): number {
  const again = looks.flatMap((look, i) => {
    const stored = samples.get(look.tNs);
    const computed = powerFrom(quantities, look, looks[i - 1] ?? null);
    return stored === undefined || computed === null ? [] : [{ stored, computed }];
  });
  for (const { stored, computed } of again) expect(Math.abs(computed / stored - 1)).toBeLessThan(1e-9);
  return again.length;
}

const counter = (name: string, unit: Quantity['unit'], range?: number): Quantity[] => [
  { name, unit, role: 'counter', ...(range !== undefined && { range }) },
];

describe('what a meter told is kept as it came, and its power can be computed from that again', () => {
  it('for the counters of a processor, over their end and a reset', async () => {
    const tree = new PowercapTree();
    const range = 65_532_987_987;
    const firstUj = range - 30_000_000;
    tree.zone('intel-rapl:0', 'package-0', BigInt(firstUj), BigInt(range));
    tree.zone('intel-rapl:0:0', 'dram', 7n, BigInt(range));
    const world = new World();
    const startNs = world.host.clock.nowNs();
    let jump = 0;
    world.host.clock.onStep = (nowNs) => {
      const uj = Math.floor(world.load.energyJ(startNs, nowNs) * 1e6) + jump;
      tree.set('intel-rapl:0', BigInt((firstUj + uj) % range));
      tree.set('intel-rapl:0:0', BigInt(7 + Math.floor(uj / 4)));
    };
    const channels = await recorded(world, `rapl?root=${tree.root}`, () => {
      jump = 40_000_000_000;
    });
    const [, asked = ''] = /```sql\n([^`]*)```/.exec(readFileSync('docs/meters.md', 'utf8')) ?? [];
    using database = new DatabaseSync(join(folder, 'experiment.db'), { readOnly: true });
    const rows = database.prepare(asked).all();
    expect(new Set(rows.map(({ zone }) => zone))).toEqual(
      new Set(channels.flatMap(({ quantities = [] }) => quantities.map(({ name }) => name))),
    );
    expect(rows).toHaveLength(
      channels.reduce((sum, { looks, quantities = [] }) => sum + looks.length * quantities.length, 0),
    );

    tree.remove();
    expect(channels.map(({ channel, quantities }) => [channel, quantities])).toEqual([
      ['rapl', [...counter('package-0', 'uJ', range), ...counter('dram', 'uJ', range)]],
      ['package', counter('package-0', 'uJ', range)],
      ['dram', counter('dram', 'uJ', range)],
    ]);
    for (const channel of channels) {
      // A gap of each counter at the leap, and a sample for every other look.
      const gaps = channel.events.map(({ detail }) => detail);
      expect(gaps).toEqual([
        expect.stringContaining('intel-rapl:0 was reset'),
        expect.stringContaining('intel-rapl:0:0 was reset'),
      ]);
      expect(computedAgain(channel)).toBe(channel.samples.size);
      expect(channel.samples.size).toBeGreaterThan(90);
      expect(channel.looks.length).toBe(channel.samples.size + 2);
    }
    // As the file said it.
    expect(channels[0]?.looks[0]?.values).toEqual([firstUj, 7]);
  });

  it('for a sensor of the board that counts', async () => {
    mkdirSync(join(folder, 'hwmon0'));
    const set = (name: string, text: string | number) => writeFileSync(join(folder, 'hwmon0', name), `${text}\n`);
    set('name', 'i915');
    set('energy1_input', 1_234_567);
    const world = new World();
    const startNs = world.host.clock.nowNs();
    world.host.clock.onStep = (nowNs) =>
      set('energy1_input', 1_234_567 + Math.floor(world.load.energyJ(startNs, nowNs) * 1e6));
    const [only] = await recorded(world, `hwmon:i915/energy1?root=${encodeURIComponent(folder)}`);
    expect(only?.quantities).toEqual(counter('energy1', 'uJ'));
    expect(only?.looks[0]?.values).toEqual([1_234_567]);
    expect(computedAgain(only!)).toBe(only?.samples.size);
  });

  it.each<[string, (powerW: number, energyJ: number) => unknown, string, Quantity]>([
    ['kilowatts', (w) => ({ kW: w / 1000 }), 'pointer=/kW&unit=kW', { name: '/kW', unit: 'kW', role: 'power' }],
    ['kilowatt-hours', (_, j) => [7 + j / 3.6e6], 'pointer=/0&unit=kWh', { name: '/0', unit: 'kWh', role: 'counter' }],
  ])('for a document that tells %s', async (_, tell, options, quantity) => {
    const world = new World();
    const reported: unknown[] = [];
    const startNs = world.host.clock.nowNs();
    world.host.serve('hub.lan', {
      delayMs: () => 30,
      answer(_question, nowNs) {
        const document = tell(40.3, world.load.energyJ(startNs, nowNs));
        reported.push(Object.values(document as object)[0]);
        return { status: 200, body: JSON.stringify(document) };
      },
    });
    const [only] = await recorded(world, `http-json:http://hub.lan/?${options}`);
    expect(only?.quantities).toEqual([quantity]);
    // Every digit of every document that a sample is of.
    const kept = only!.looks.map(({ values }) => values[0]);
    const from = reported.indexOf(kept[0]);
    expect(kept).toEqual(reported.slice(from, from + kept.length));
    expect(computedAgain(only!)).toBe(only?.samples.size);
    expect(only!.samples.size).toBeGreaterThanOrEqual(9);
  });

  it.each([
    ['joules', 'energy_j', counter('energy_j', 'J')],
    ['watts', 'power_w', undefined],
  ])('for a program of the user’s that prints %s', async (_, key, quantities) => {
    const world = new World();
    const startNs = world.host.clock.nowNs();
    world.host.play = (program) =>
      void keepPrinting(world, program, 200, (nowNs) => [
        JSON.stringify({ [key]: key === 'power_w' ? 40 : world.load.energyJ(startNs, nowNs) }),
      ]);
    const [only] = await recorded(world, 'command:./mine');
    expect(only?.quantities).toEqual(quantities);
    expect(computedAgain(only!)).toBe(quantities === undefined ? 0 : only?.samples.size);
  });

  it('for perf, with its own time', async () => {
    for (const name of ['energy-pkg', 'energy-psys']) writeFileSync(join(folder, name), 'event=0x02\n');
    const world = new World();
    world.host.play = (program) => {
      const startNs = world.host.clock.nowNs();
      void keepPrinting(world, program, 500, (nowNs) => {
        const seconds = (Number(nowNs - startNs) / 1e9 + 0.000_123).toFixed(9);
        return ['energy-pkg', 'energy-psys'].map((event) => `${seconds};20.13;Joules;power/${event}/;1;100.00;;`);
      });
    };
    const channels = await recorded(world, `perf?root=${encodeURIComponent(folder)}`);
    expect(channels.map(({ channel }) => channel)).toEqual(['rapl', 'psys']);
    for (const channel of channels) {
      expect(channel.looks[1]?.values[0]).toBe(20.13);
      expect(computedAgain(channel)).toBe(channel.samples.size);
    }
  });

  it('for an instrument’s integrator', async () => {
    const world = new World();
    const emulator = new YokogawaEmulator(world.settings);
    runEmulator(emulator, world.host.wire('wt:5025'), world.host.clock);
    const [only] = await recorded(world, 'scpi:wt:5025');
    expect(only?.quantities).toEqual(counter('WH', 'Wh'));
    // The first power is the instrument's own.
    expect(computedAgain(only!)).toBe(only!.samples.size - 1);
  });

  it('for the counter of a plug, which is kept beside its powers', async () => {
    const world = new World();
    world.host.serve('plug.lan', new ShellyEmulator(world.settings));
    const [only] = await recorded(world, 'shelly:plug.lan');
    expect(only?.quantities).toEqual([{ name: 'aenergy.total', unit: 'Wh', role: 'beside' }]);
    expect(only!.looks.map(({ tNs }) => tNs)).toEqual([...only!.samples.keys()]);
    const [first, last] = [only!.looks[0]!, only!.looks.at(-1)!];
    expect(((last.values[0]! - first.values[0]!) * 3600) / 40 / (Number(last.tNs - first.tNs) / 1e9)).toBeCloseTo(1, 0);
  });
});
