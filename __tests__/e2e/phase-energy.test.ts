// Class: world, truth, long.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../src/findings/findings.ts';
import { type StartedEmulator, startEmulator } from '../emulators/start.ts';
import { experimentFile, joulediff, readCsv, temporaryFolder } from './program.ts';

// Phases on a serial port: at its other end is an emulator with a known true power, that the workload steers with its phases.
// Two experiments wait side by side, at different phases of the meter's second.

const LATENCY_S = 0.4;
const folder = temporaryFolder();

interface Done {
  readonly out: string;
  readonly meter: StartedEmulator;
}

let done: Done[] = [];

async function measured(name: string, meterPhase: string): Promise<Done> {
  const out = join(folder.path, name);
  const words = ['--idle', '40', '--load', '65', '--latency', String(LATENCY_S), '--phase', meterPhase];
  const meter = await startEmulator('watts-up-pro', ...words);
  const phase = (word: string) => `echo ::joulediff phase ${word}`;
  const experiment = {
    workload: {
      run: `${phase('wait')}; sleep 5; ${phase('work')}; echo on > ${meter.control}; sleep $LENGTH; echo off > ${meter.control}; ${phase('rest')}; sleep 4.2`,
    },
    variants: { short: { env: { LENGTH: '5.3' } }, long: { env: { LENGTH: '7.1' } } },
    repetitions: 1,
    warmup: { runs: 0 },
    rest: '4s',
    guard: '3s',
    seed: 2,
    meter: `watts-up-pro:${meter.port}`,
  };
  const env = { JOULEDIFF_LOCK: `joulediff.test.${process.pid}.${name}` };
  const file = experimentFile(folder.path, experiment, `${name}.yml`);
  const ended = await joulediff(['run', file, '--out', out], { env });
  if (ended.code !== 0) throw new Error(ended.stderr);
  return { out, meter };
}

beforeAll(async () => {
  done = await Promise.all([measured('early', '0.3'), measured('late', '0.77')]);
}, 180_000);
afterAll(async () => {
  await Promise.all(done.map(({ meter }) => meter.stop()));
  folder.remove();
});

describe.each([0, 1])('experiment %i', (index) => {
  const result = (): Done => done[index] as Done;

  it('the energy of each phase is right within what it states, on a meter that averages and is late', () => {
    const { out, meter } = result();
    const truth = meter.truth();
    expect(truth.late).toBe(0);
    const runs = new Map(readCsv(join(out, 'runs.csv')).map((run) => [run.run, run]));
    const phases = readCsv(join(out, 'phases.csv'));
    expect(phases.map(({ phase }) => phase)).toEqual(Array(2).fill(['wait', 'work', 'rest']).flat());
    for (const { run, start_s, end_s, energy_j, energy_u_j } of phases) {
      const at = (s: string | undefined) =>
        BigInt(runs.get(run ?? '')?.start_ns ?? 0) + BigInt(Math.round(Number(s) * 1e9));
      const trueJ = truth.energyJ(at(start_s), at(end_s));
      expect(trueJ).toBeGreaterThan(150);
      expect(Math.abs(Number(energy_j) - trueJ)).toBeLessThan(Number(energy_u_j));
      expect(Number(energy_u_j)).toBeLessThan(0.12 * trueJ);
    }
  });

  it('the phase that got longer carries the difference', () => {
    const { comparisons } = JSON.parse(readFileSync(join(result().out, 'findings.json'), 'utf8')) as Findings;
    const differences = comparisons[0]!.phases!.map(
      ({ phase, difference_j }) => [phase, Math.abs(difference_j)] as const,
    );
    const [most] = differences.toSorted(([, a], [, b]) => b - a);
    expect(most![0]).toBe('work');
  });
});
