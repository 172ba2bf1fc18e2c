import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Findings } from '../../src/findings/findings.ts';
import { type StartedEmulator, startEmulator } from '../emulators/start.ts';
import { experimentFile, joulediff, readCsv, temporaryFolder } from './program.ts';

// Phases on a serial port: at its other end is an emulator with a known true power, that the workload steers with its phases.

const LATENCY_S = 0.4;
const folder = temporaryFolder();
const out = join(folder.path, 'out');
let meter: StartedEmulator;

beforeAll(async () => {
  meter = await startEmulator('watts-up-pro', '--idle', '40', '--load', '65', '--latency', String(LATENCY_S));
  const phase = (name: string) => `echo ::joulediff phase ${name}`;
  const experiment = {
    workload: {
      run: `${phase('wait')}; sleep 5; ${phase('work')}; echo on > ${meter.control}; sleep $LENGTH; echo off > ${meter.control}; ${phase('rest')}; sleep 4.2`,
    },
    variants: { short: { env: { LENGTH: '5.3' } }, long: { env: { LENGTH: '7.1' } } },
    repetitions: 2,
    warmup: { runs: 0 },
    rest: '6s',
    guard: '3s',
    seed: 2,
    meter: `watts-up-pro:${meter.port}`,
  };
  const ended = await joulediff(['run', experimentFile(folder.path, experiment), '--out', out]);
  if (ended.code !== 0) throw new Error(ended.stderr);
}, 180_000);
afterAll(async () => {
  await meter.stop();
  folder.remove();
});

it('the energy of each phase is right within what it states, on a meter that averages and is late', () => {
  const truth = meter.truth();
  expect(truth.late).toBe(0);
  const runs = new Map(readCsv(join(out, 'runs.csv')).map((run) => [run.run, run]));
  const phases = readCsv(join(out, 'phases.csv'));
  expect(phases.map(({ phase }) => phase)).toEqual(Array(4).fill(['wait', 'work', 'rest']).flat());
  for (const { run, start_s, end_s, energy_j, energy_u_j } of phases) {
    const at = (s: string | undefined) =>
      BigInt(runs.get(run ?? '')?.start_ns ?? 0) + BigInt(Math.round(Number(s) * 1e9));
    const trueJ = truth.energyJ(at(start_s), at(end_s));
    if (process.env.TELL) console.log(run, energy_j, trueJ, energy_u_j);
    expect(trueJ).toBeGreaterThan(150);
    expect(Math.abs(Number(energy_j) - trueJ)).toBeLessThan(Number(energy_u_j));
    expect(Number(energy_u_j)).toBeLessThan(0.12 * trueJ);
  }
});

it('the phase that got longer carries the difference', () => {
  const { comparisons } = JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8')) as Findings;
  const differences = comparisons[0]!.phases!.map(
    ({ phase, difference_j }) => [phase, Math.abs(difference_j)] as const,
  );
  const [most] = differences.toSorted(([, a], [, b]) => b - a);
  expect(most![0]).toBe('work');
});
