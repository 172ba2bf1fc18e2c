// Class: world, truth, long.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REMAINDER_CHANNEL } from '../../src/analysis/remainder.ts';
import type { Findings } from '../../src/findings/findings.ts';
import { emulatedDevices, emulatedTypes } from '../../src/meters/registry.ts';
import { LOGIN } from '../../src/meters/tp-link/tapo-emulator.ts';
import { startPowercap } from '../emulators/powercap-truth.ts';
import { startEmulator } from '../emulators/start.ts';
import { type CsvRow, type Ended, experimentFile, joulediff, readCsv, temporaryFolder } from './program.ts';

// The whole program with each meter type that can be emulated, and with several meters at once. At the other end of each port is an emulator with
// a known true power, steered by the workload itself. They run side by side: the workload sleeps.

interface Case {
  readonly name: string;
  readonly types: readonly string[];
  /** Largest error that is allowed in a run of 20 s, as a share of the truth. */
  readonly within: number;
}

/** Meters that are asked see an edge up to a question late: serial ones a sixth of a second, those in the network half a second. */
const WITHIN: Readonly<Record<string, number>> = {
  'pzem-004t': 0.01,
  sdm120: 0.01,
  shelly: 0.015,
  tasmota: 0.015,
  kasa: 0.015,
  tapo: 0.015,
};
const within = (type: string): number => WITHIN[type] ?? 0.005;

const THREE = 'a plug beside an instrument beside the processor’s counters';
const WHOLE_AND_PART = 'a wall meter and RAPL';

const CASES: readonly Case[] = [
  ...[...emulatedTypes, ...emulatedDevices]
    // A server's controller is for runs of ten minutes.
    .filter(({ type }) => type !== 'redfish')
    .map(({ type }) => ({ name: type, types: [type], within: within(type) })),
  { name: 'two at once', types: ['watts-up-pro', 'mcp39f511n'], within: 0.005 },
  { name: THREE, types: ['shelly', 'watts-up-pro', 'rapl'], within: 0.015 },
  { name: WHOLE_AND_PART, types: ['shelly', 'rapl'], within: 0.015 },
];

interface Started {
  readonly meter: string;
  readonly control: string;
  energyJ(fromNs: bigint, toNs: bigint): number;
  /** Joules that it may tell too early or too late, beyond its class. */
  allowedJ(fromNs: bigint, toNs: bigint): number;
  /** Records that the emulator itself sent too late. */
  late(): number;
  stop(): Promise<void>;
}

/** A meter with a known true power, at the end of a wire or in a tree of files. */
async function startMeter(type: string, i: number): Promise<Started> {
  if (type === 'rapl') {
    const { name, control, truth, stop } = await startPowercap();
    return {
      meter: name,
      control,
      energyJ: (from, to) => truth().energyJ(from, to),
      allowedJ: (from, to) => truth().behindJ(from) + truth().behindJ(to),
      late: () => 0,
      stop,
    };
  }
  const { port, control, truth, stop } = await startEmulator(
    type,
    '--phase',
    String(0.13 + 0.15 * i),
    '--noise',
    '0.2',
  );
  return {
    meter: `${type}:${port}${type === 'tapo' ? `?${new URLSearchParams(LOGIN.options)}` : ''}`,
    control,
    energyJ: (from, to) => truth().energyJ(from, to),
    allowedJ: () => 0,
    late: () => truth().late,
    stop,
  };
}

interface Done {
  readonly ended: Ended;
  readonly runs: readonly CsvRow[];
  readonly findings: Findings;
  readonly meters: readonly Started[];
  readonly comment: string;
}

const folder = temporaryFolder();
const done = new Map<string, Done>();
/** Every one, also of an experiment that fails. */
const started: Started[] = [];

async function measured({ name, types }: Case, i: number): Promise<Done> {
  const own = join(folder.path, String(i));
  const meters: Started[] = [];
  for (const type of types) {
    meters.push(await startMeter(type, i));
    started.push(...meters.slice(-1));
  }
  const tell = (word: string) => meters.map((meter) => `echo ${word} > ${meter.control}`).join('; ');
  const experiment = {
    name,
    workload: { run: `${tell('on')}; sleep 20; ${tell('off')}` },
    variants: { a: {}, b: {} },
    repetitions: 1,
    warmup: { runs: 0 },
    rest: '8s',
    guard: '5s',
    seed: 3,
    meter: meters.map(({ meter }) => meter),
  };
  const env = { ...LOGIN.env, JOULEDIFF_LOCK: `joulediff.test.${process.pid}.${i}` };
  const file = join(folder.path, `${i}.yml`);
  experimentFile(folder.path, experiment, `${i}.yml`);
  const ended = await joulediff(['run', file, '--out', own], { env });
  if (ended.code !== 0) throw new Error(`${name}: ${ended.stderr}`);
  const text = (path: string): string => readFileSync(join(own, path), 'utf8');
  const findings = JSON.parse(text('findings.json'));
  return { ended, runs: readCsv(join(own, 'runs.csv')), findings, meters, comment: text('comment.md') };
}

beforeAll(async () => {
  const all = await Promise.all(CASES.map(async (c, i) => [c.name, await measured(c, i)] as const));
  for (const [name, result] of all) done.set(name, result);
}, 240_000);

afterAll(async () => {
  for (const meter of started) await meter.stop();
  folder.remove();
});

describe.each(CASES)('joulediff run with $name', ({ name, types, within }) => {
  const result = (): Done => done.get(name) as Done;

  it('gives the energy of every run on every channel close to the truth', () => {
    const { meters, findings } = result();
    // A block in which a busy machine missed a reading was run again. What no meter reads is computed of the others.
    const runs = result().runs.filter(({ status, channel }) => status === 'ok' && channel !== REMAINDER_CHANNEL);
    expect(runs).toHaveLength(2 * types.length);
    for (const run of runs) {
      const meter = meters[findings.meter.channels.indexOf(run.channel ?? '')] as Started;
      const [fromNs, toNs] = [BigInt(run.start_ns ?? 0), BigInt(run.end_ns ?? 0)];
      const trueJ = meter.energyJ(fromNs, toNs);
      expect(trueJ).toBeGreaterThan(1000);
      expect(Math.abs(Number(run.energy_j) - trueJ)).toBeLessThan(within * trueJ + meter.allowedJ(fromNs, toNs));
    }
    for (const meter of meters) expect(meter.late()).toBe(0);
  });

  it('says that the meter is emulated', () => {
    const { findings, ended, comment } = result();
    expect(findings.meter).toMatchObject({ type: types[0], measured: false, source: 'emulated' });
    for (const text of [ended.stdout, comment]) expect(text).toMatch(/emulat/i);
  });
});

it('tells the parts of one whole machine, which add up to its change', () => {
  const { findings, runs } = done.get(WHOLE_AND_PART) as Done;
  expect(findings.meter.channels).toEqual(['wall', 'rapl']);
  const [headline, ...others] = findings.comparisons.filter(({ contributions }) => contributions !== undefined);
  expect(others).toEqual([]);
  expect(headline?.channel).toBe('wall');
  const parts = headline?.contributions ?? [];
  expect(parts.map(({ channel, part }) => [channel, part]).sort()).toEqual([
    [REMAINDER_CHANNEL, 'everything-else'],
    ['rapl', 'package-and-dram'],
  ]);
  const energyJ = (variant: string) =>
    Number(runs.find((run) => run.channel === 'wall' && run.variant === variant && run.status === 'ok')?.energy_j);
  const sumJ = parts.reduce((sum, { difference_j }) => sum + difference_j, 0);
  expect(sumJ).toBeCloseTo(energyJ('b') - energyJ('a'), 3);
});

it('computes no parts where two meters see a whole machine: they may be two supplies of it', () => {
  const { findings } = done.get(THREE) as Done;
  expect(findings.meter.channels).toEqual(['wall', 'wall-2', 'rapl']);
  expect(findings.comparisons.map(({ channel }) => channel)).not.toContain(REMAINDER_CHANNEL);
  expect(findings.comparisons.filter(({ contributions }) => contributions?.length)).toEqual([]);
});
