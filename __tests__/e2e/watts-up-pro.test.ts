import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../src/findings/findings.ts';
import { type StartedEmulator, startEmulator } from '../emulators/start.ts';
import { type Ended, experimentFile, joulediff, readCsv, temporaryFolder } from './program.ts';

// The whole program on a serial port. At its other end is an emulator with a known true power, steered by the workload itself.

const folder = temporaryFolder();
const out = join(folder.path, 'out');
let meter: StartedEmulator;
let ended: Ended;

beforeAll(async () => {
  meter = await startEmulator('watts-up-pro', '--idle', '40', '--load', '65', '--latency', '0.4', '--phase', '0.77');
  const experiment = {
    workload: { run: `echo on > ${meter.control}; sleep $LENGTH; echo off > ${meter.control}` },
    variants: { short: { env: { LENGTH: '5' } }, long: { env: { LENGTH: '6.5' } } },
    repetitions: 2,
    warmup: { runs: 0 },
    rest: '6s',
    guard: '3s',
    seed: 2,
    meter: `watts-up-pro:${meter.port}`,
  };
  ended = await joulediff(['run', experimentFile(folder.path, experiment), '--out', out]);
}, 150_000);
afterAll(async () => {
  await meter.stop();
  folder.remove();
});

describe('joulediff run with a Watts Up? PRO', () => {
  it('gives the energy of every run within 1 % of the truth', () => {
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
    const truth = meter.truth();
    expect(truth.late).toBe(0);
    const runs = readCsv(join(out, 'runs.csv'));
    expect(runs).toHaveLength(4);
    for (const run of runs) {
      const trueJ = truth.energyJ(BigInt(run.start_ns ?? 0), BigInt(run.end_ns ?? 0));
      expect(trueJ).toBeGreaterThan(300);
      expect(Math.abs(Number(run.energy_j) / trueJ - 1)).toBeLessThan(0.01);
      const netJ = trueJ - 40 * Number(run.duration_s);
      expect(Math.abs(Number(run.net_energy_j) / netJ - 1)).toBeLessThan(0.02);
    }
  });

  it('sends nothing that changes or clears the meter', () => {
    const sent = meter.truth().received.replaceAll('\x18', '').split(';').filter(Boolean);
    const harmless = ['#V,R,0', '#H,R,0', '#C,R,0', '#S,R,0', '#L,W,3,E,1,1', '#L,W,3,E,,1', '#L,R,0'];
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.filter((command) => !harmless.includes(command.trim()))).toEqual([]);
  });

  it('says in every output that the meter is emulated', () => {
    const findings = JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8')) as Findings;
    expect(findings.meter).toMatchObject({ type: 'watts-up-pro', measured: false, source: 'emulated' });
    expect(ended.stdout).toMatch(/emulat/i);
    for (const name of ['comment.md', 'summary.md', 'report.html']) {
      expect(readFileSync(join(out, name), 'utf8')).toMatch(/emulat/i);
    }
  });
});
