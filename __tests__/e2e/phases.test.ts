// Class: world, long.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OUTSIDE_PHASES } from '../../src/executors/phases/phase-lines.ts';
import type { Findings } from '../../src/findings/findings.ts';
import { busyboxContext, type CsvRow, docker, experimentFile, joulediff, readCsv, temporaryFolder } from './program.ts';

// A workload that waits and works, natively and in a container, with a marker for one and a line of its own for the other.

const folder = temporaryFolder();
const out = join(folder.path, 'out');
let findings: Findings;
let runs: CsvRow[];
let phases: CsvRow[];
let stderr: string;

const WORK = 'i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done';
const RUN = `echo ::joulediff phase wait; sleep 0.5; echo 'INFO working now'; ${WORK}; echo ::joulediff end; sleep 0.2`;

beforeAll(async () => {
  busyboxContext(join(folder.path, 'image'));
  const experiment = {
    name: 'two phases',
    workload: { run: RUN },
    variants: { native: {}, container: { build: { context: './image' } } },
    phases: { work: 'INFO working' },
    repetitions: 6,
    warmup: { runs: 1 },
    rest: '200ms',
    guard: '100ms',
    seed: 5,
    meter: 'estimate',
  };
  const file = experimentFile(folder.path, experiment);
  const ended = await joulediff(['run', file, '--out', out], { cwd: folder.path });
  if (ended.code !== 0) throw new Error(ended.stderr);
  stderr = ended.stderr;
  findings = JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8'));
  runs = readCsv(join(out, 'runs.csv'));
  phases = readCsv(join(out, 'phases.csv'));
}, 180_000);
afterAll(() => {
  const image = findings?.variants.find((v) => v.name === 'container')?.facts.image as string | undefined;
  if (image) docker('rmi', '-f', image);
  folder.remove();
});

describe('phases, from measuring to the findings', () => {
  it('fit the schema of the findings', () => {
    const schema = JSON.parse(readFileSync('docs/findings.schema.json', 'utf8'));
    const validate = new Ajv2020({ strict: false }).compile(schema);
    expect(validate(findings) || validate.errors).toBe(true);
  });

  it('are those of every variant, in their order, and add up to the run', () => {
    for (const variant of findings.variants) {
      expect(variant.phases?.map(({ phase, runs: n }) => [phase, n])).toEqual([
        ['wait', 6],
        ['work', 6],
        [OUTSIDE_PHASES, 6],
      ]);
      const sum = variant.phases!.reduce((joules, { energy_j: { mean } }) => joules + mean, 0);
      expect(sum / variant.energy_j!.mean).toBeCloseTo(1, 9);
    }
  });

  it('last as long as they did', () => {
    for (const { phases: [wait] = [] } of findings.variants) {
      // Of most runs: on a busy machine a mark may be seen late once.
      expect(wait!.duration_s.median).toBeGreaterThan(0.45);
      expect(wait!.energy_j.min).toBeGreaterThan(0);
    }
  });

  it('are compared by blocks', () => {
    const compared = findings.comparisons[0]!.phases!;
    expect(compared.map(({ phase, blocks }) => [phase, blocks])).toEqual([
      ['wait', 6],
      ['work', 6],
      [OUTSIDE_PHASES, 6],
    ]);
    expect(compared[1]!.percent.ci95).not.toBeNull();
  });

  it('stand in phases.csv, run by run', () => {
    expect(phases).toHaveLength(2 * runs.length);
    for (const { run, phase, start_s, end_s } of phases) {
      const duration = Number(runs.find((r) => r.run === run)!.duration_s);
      expect(['wait', 'work']).toContain(phase);
      expect(Number(start_s)).toBeGreaterThanOrEqual(0);
      expect(Number(end_s)).toBeLessThanOrEqual(duration);
    }
  });

  it('come with what the runs used', () => {
    for (const { variant, cpu_s, duration_s } of runs) {
      // A container's accounts may be gone before they were read, on a busy machine.
      if (variant === 'container' && cpu_s === '') continue;
      expect(Number(cpu_s)).toBeGreaterThan(0);
      expect(Number(cpu_s)).toBeLessThan(Number(duration_s) * 1.5);
    }
    expect(findings.variants[0]!.resources?.cpu_s?.mean).toBeGreaterThan(0);
  });

  it('are shown again from the database alone, to the same bytes', async () => {
    const again = join(folder.path, 'again');
    await joulediff(['report', join(out, 'experiment.db'), '--out', again]);
    for (const name of ['findings.json', 'runs.csv', 'phases.csv']) {
      expect(readFileSync(join(again, name), 'utf8')).toBe(readFileSync(join(out, name), 'utf8'));
    }
  });
});

it('a marker with a mistake is told, costs the run its phases, and nothing else', async () => {
  const wrong = join(folder.path, 'wrong');
  const experiment = {
    workload: { run: 'echo ::joulediff phase load; sleep 0.1; echo ::joulediff fase sort' },
    variants: { native: {}, again: {} },
    repetitions: 1,
    warmup: { runs: 0 },
    rest: '100ms',
    guard: '50ms',
    meter: 'estimate',
  };
  const ended = await joulediff(['run', experimentFile(folder.path, experiment, 'wrong.yml'), '--out', wrong]);
  expect(ended.code).toBe(0);
  expect(ended.stderr).toContain('"::joulediff fase sort"');
  expect(readCsv(join(wrong, 'runs.csv')).map(({ status }) => status)).toEqual(['ok', 'ok']);
  expect(existsSync(join(wrong, 'phases.csv'))).toBe(false);
  expect(stderr).not.toContain('phases of a run');
});
