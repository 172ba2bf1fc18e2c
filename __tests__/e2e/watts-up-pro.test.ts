// Class: system, truth, long.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../src/findings/findings.ts';
import { type StartedEmulator, startEmulator } from '../emulators/start.ts';
import { type Ended, experimentFile, joulediff, readCsv, temporaryFolder } from './program.ts';

// The whole program on a serial port. At its other end is an emulator with a known true power, steered by the workload itself.

const folder = temporaryFolder();

interface Done {
  readonly out: string;
  readonly meter: StartedEmulator;
  readonly ended: Ended;
}

let done: Done[] = [];

async function measured(name: string, meterPhase: string): Promise<Done> {
  const out = join(folder.path, name);
  const words = ['--idle', '40', '--load', '65', '--latency', '0.4', '--phase', meterPhase];
  const meter = await startEmulator('watts-up-pro', ...words);
  const experiment = {
    workload: { run: `echo on > ${meter.control}; sleep $LENGTH; echo off > ${meter.control}` },
    variants: { short: { env: { LENGTH: '5' } }, long: { env: { LENGTH: '6.5' } } },
    repetitions: 1,
    warmup: { runs: 0 },
    rest: '6s',
    guard: '3s',
    seed: 2,
    meter: `watts-up-pro:${meter.port}`,
  };
  const env = { JOULEDIFF_LOCK: `joulediff.test.${process.pid}.${name}` };
  const ended = await joulediff(['run', experimentFile(folder.path, experiment, `${name}.yml`), '--out', out], { env });
  return { out, meter, ended };
}

// They wait side by side, at different phases of the meter's second.
beforeAll(async () => {
  done = await Promise.all([measured('late', '0.77'), measured('early', '0.31')]);
}, 150_000);
afterAll(async () => {
  await Promise.all(done.map(({ meter }) => meter.stop()));
  folder.remove();
});

describe.each([0, 1])('joulediff run with a Watts Up? PRO, %i', (index) => {
  const result = (): Done => done[index] as Done;

  it('gives the energy of every run within 1 % of the truth', () => {
    const { ended, meter, out } = result();
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
    const truth = meter.truth();
    expect(truth.late).toBe(0);
    const runs = readCsv(join(out, 'runs.csv'));
    expect(runs).toHaveLength(2);
    for (const run of runs) {
      const trueJ = truth.energyJ(BigInt(run.start_ns ?? 0), BigInt(run.end_ns ?? 0));
      expect(trueJ).toBeGreaterThan(300);
      expect(Math.abs(Number(run.energy_j) / trueJ - 1)).toBeLessThan(0.01);
      const netJ = trueJ - 40 * Number(run.duration_s);
      expect(Math.abs(Number(run.net_energy_j) / netJ - 1)).toBeLessThan(0.02);
    }
  });

  it('sends nothing that changes or clears the meter', () => {
    const sent = result().meter.truth().received.replaceAll('\x18', '').split(';').filter(Boolean);
    const harmless = ['#V,R,0', '#H,R,0', '#C,R,0', '#S,R,0', '#L,W,3,E,1,1', '#L,W,3,E,,1', '#L,R,0'];
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.filter((command) => !harmless.includes(command.trim()))).toEqual([]);
  });

  it('says in every output that the meter is emulated', () => {
    const { ended, out } = result();
    const findings = JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8')) as Findings;
    expect(findings.meter).toMatchObject({ type: 'watts-up-pro', measured: false, source: 'emulated' });
    expect(ended.stdout).toMatch(/emulat/i);
    for (const name of ['comment.md', 'summary.md', 'report.html']) {
      expect(readFileSync(join(out, name), 'utf8')).toMatch(/emulat/i);
    }
  });
});
