import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { comparisons } from '../../../src/analysis/assemble.ts';
import { analyzeCsv } from '../../../src/analysis/csv/analyze.ts';
import { variantFindings } from '../../../src/analysis/describe.ts';
import { type RunResult, recordedReason } from '../../../src/analysis/results.ts';
import type { Findings } from '../../../src/findings/findings.ts';
import { runsCsv } from '../../../src/report/csv.ts';
import { findingsJson } from '../../../src/report/findings-json.ts';
import { createPrng } from '../../../src/stats/prng.ts';
import { toldCheck } from '../../report/words/told.ts';
import { createRandom } from '../../simulate/random.ts';

const options = { file: 'runs.csv', name: 'runs', baseline: null, marginPercent: 1 };
const schema: object = JSON.parse(readFileSync(new URL('../../../docs/findings.schema.json', import.meta.url), 'utf8'));
const isFindings = new Ajv2020({ allowUnionTypes: true }).compile(schema);

/** An experiment of ours with a warm-up block, a failed block that was repeated, and a variant whose name a spreadsheet would run. */
function experiment(blocks: number): RunResult[] {
  const prng = createPrng(7);
  const runs: RunResult[] = [];
  const add = (block: number, variant: string, position: number, status: RunResult['status'], told: string | null) => {
    const energyJ = (variant === 'native' ? 250 : 257) + prng.u32() / 2 ** 32;
    const reason = recordedReason(told);
    const run = { run: runs.length + 1, block, position, variant, status, reason, energyJ, channel: 'wall' };
    const unknown = { revision: null, startNs: null, endNs: null, netEnergyJ: null, idlePowerW: null, samples: null };
    runs.push({ ...unknown, ...run, durationS: 12.5, meanPowerW: energyJ / 12.5, executions: 4 });
  };
  for (let block = 0; block <= blocks; block++) {
    prng.shuffle(['native', '-container']).forEach((variant, i) => {
      add(block, variant, i + 1, block === 0 ? 'warmup' : 'ok', null);
    });
  }
  add(2, 'native', 1, 'failed', 'exit code 1, "oops"');
  add(2, '-container', 2, 'invalid', null);
  return runs;
}

function checkOf({ quality }: Findings, name: string) {
  return quality.checks.map(toldCheck).find((check) => check.name === name);
}

describe('a CSV of runs, analyzed', () => {
  it('gives the same numbers as the experiment that wrote it', () => {
    const runs = experiment(12);
    const question = { baseline: 'native', variants: ['native', '-container'], channels: ['wall'] };
    const { findings, runs: read } = analyzeCsv(runsCsv(runs), options);
    expect(read).toEqual(runs);
    expect(findings.comparisons).toEqual(comparisons(runs, { ...question, marginPercent: 1, seed: null }));
    expect(findings.variants).toEqual(
      question.variants.map((name) => variantFindings({ name, kind: 'unknown', facts: {} }, runs)),
    );
    expect(findings.comparisons[0]).toMatchObject({ blocks: 12, verdict: 'increase' });
    const [native] = findings.variants;
    expect(native!.per_execution!.energy_j).toBeCloseTo(native!.energy_j!.mean / 4, 10);
    expect(findings.experiment).toMatchObject({ name: 'runs', baseline: 'native', repetitions_completed: 12 });
    expect(isFindings(JSON.parse(findingsJson(findings)))).toBe(true);
  });

  it('lists what is excluded with its reason', () => {
    const { findings } = analyzeCsv(runsCsv(experiment(3)), options);
    expect(findings.variants.map(({ excluded }) => excluded)).toEqual([
      [{ run: 9, status: 'failed', reason: { kind: 'recorded', text: 'exit code 1, "oops"' } }],
      [{ run: 10, status: 'invalid', reason: null }],
    ]);
    expect(checkOf(findings, 'runs')).toMatchObject({
      state: 'warn',
      detail:
        '2 runs excluded (run 9 of native: exit code 1, "oops", run 10 of -container: invalid). 2 warm-up runs not compared.',
    });
  });

  it('does not claim to know the meter', () => {
    const { findings } = analyzeCsv('variant,energy_j\na,1\nb,2\n', options);
    expect(findings.meter).toMatchObject({ type: 'unknown', source: 'unknown', measured: false, channels: ['energy'] });
    expect(findings.experiment).toMatchObject({ id: null, seed: null, order: 'unknown', repetitions_completed: null });
    expect(isFindings(JSON.parse(findingsJson(findings)))).toBe(true);
  });

  it('compares without blocks where there are none', () => {
    const arm = (name: string, base: number): string =>
      Array.from({ length: 9 }, (_, i) => `${name},${base + i}`).join('\n');
    const { findings } = analyzeCsv(`variant,energy_j\n${arm('b', 100)}\n${arm('a', 120)}\n`, options);
    const [comparison] = findings.comparisons;
    expect(comparison).toMatchObject({ baseline: 'b', variant: 'a', blocks: null, n_baseline: 9, verdict: 'increase' });
    expect(comparison?.tests.wilcoxon_signed_rank).toBeNull();
    expect(comparison?.tests.mann_whitney).toMatchObject({ u: 81 });
  });

  it('takes native for the baseline, or the one that is asked for', () => {
    const text = 'variant,energy_j\nb,1\nnative,2\nc,3\n';
    const order = (baseline: string | null) => analyzeCsv(text, { ...options, baseline }).findings.comparisons;
    expect(order(null).map((c) => [c.baseline, c.variant])).toEqual([
      ['native', 'b'],
      ['native', 'c'],
    ]);
    expect(order('c')[0]?.baseline).toBe('c');
    expect(() => order('d')).toThrow('runs.csv has no variant "d" to be the baseline.');
  });

  it('analyzes every channel, the first being primary', () => {
    const lines = [1, 2, 3].flatMap((i) => [
      `a,${i},${i},wall`,
      `b,${i},${i + 3},wall`,
      `a,9,${i},dram`,
      `b,8,${i + 3},dram`,
    ]);
    const { findings } = analyzeCsv(`variant,energy_j,run,channel\n${lines.join('\n')}\n`, options);
    expect(findings.meter.channels).toEqual(['wall', 'dram']);
    expect(findings.comparisons.map((c) => c.channel)).toEqual(['wall', 'dram']);
    expect(findings.variants[0]?.energy_j?.mean).toBe(2);
  });

  it('says which blocks are not whole', () => {
    const { findings } = analyzeCsv('variant,energy_j,block\na,1,1\nb,1,1\na,1,2\nb,1,3\n', options);
    expect(checkOf(findings, 'blocks')).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('(block 2, 3)'),
    });
    expect(findings.experiment.repetitions_completed).toBe(1);
  });

  const ordered = (order: string): string =>
    `variant,energy_j,run,block\n${[...order].map((v, i) => `${v},1,${i + 1},${Math.floor(i / 2) + 1}`).join('\n')}\n`;

  it.each([
    ['abbaabbaabba', 'ok'],
    ['abababababab', 'warn'],
    ['ababababab', 'ok'],
  ])('judges the order %s', (order, state) => {
    expect(checkOf(analyzeCsv(ordered(order), options).findings, 'run order')?.state).toBe(state);
  });

  it('says that one variant was run after the other, or that the order is not told', () => {
    const text = `variant,energy_j,run\n${[...'aaaabbbb'].map((v, i) => `${v},1,${i + 1}`).join('\n')}\n`;
    const order = checkOf(analyzeCsv(text, options).findings, 'run order');
    expect(order).toMatchObject({ state: 'warn', detail: expect.stringContaining('before those of the next') });
    const unordered = analyzeCsv('variant,energy_j\na,1\nb,1\n', options).findings;
    expect(checkOf(unordered, 'run order')?.detail).toContain('does not say in which order');
  });

  describe('of an experiment that measured its noise floor within itself', () => {
    const random = createRandom(9);
    const text = (names: readonly string[], columns = OWN) => {
      const lines = Array.from({ length: 12 }, (_, block) =>
        names.map((variant, i) => {
          const joules = 100 + (variant === 'container' ? 5 : 0) + 0.3 * random.normal();
          return `${block * names.length + i + 1},${block + 1},${i + 1},"${variant}",ok,1,2,1,${joules},1,1,1`;
        }),
      );
      return `${columns}\n${lines.flat().join('\n')}\n`;
    };
    const OWN =
      'run,block,position,variant,status,start_ns,end_ns,duration_s,energy_j,net_energy_j,mean_power_w,idle_power_w';

    it('takes the second arm of the baseline for what it is, and says so', () => {
      const { findings } = analyzeCsv(text(['native', 'container', 'native (again)']), options);
      expect(findings.variants.map((v) => v.name)).toEqual(['native', 'container']);
      expect(findings.comparisons.map((c) => c.variant)).toEqual(['container']);
      expect(findings.comparisons[0]?.p_holm).toBeNull();
      expect(findings.quality.noise_floor).toMatchObject({ source: 'inline', blocks: 12, measured_at: null });
      expect(checkOf(findings, 'noise floor')?.detail).toContain('Two identical arms of native');
      expect(checkOf(findings, 'second arm')?.detail).toContain('native (again) is used as the second arm of native');
      expect(isFindings(JSON.parse(findingsJson(findings)))).toBe(true);
    });

    it('takes the longer name where a variant had the shorter one', () => {
      const names = ['native', 'native (again)', 'native (again) (again)'];
      const { findings } = analyzeCsv(text(names), options);
      expect(findings.comparisons.map((c) => c.variant)).toEqual(['native (again)']);
    });

    it('leaves a variant of that name alone in a file from elsewhere', () => {
      const { findings } = analyzeCsv(
        text(['native', 'native (again)'], OWN.replace('idle_power_w', 'other')),
        options,
      );
      expect(findings.comparisons.map((c) => c.variant)).toEqual(['native (again)']);
      expect(findings.quality.noise_floor).toBeNull();
    });
  });
});
