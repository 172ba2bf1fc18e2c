// Class: unit.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { comparisons } from '../../../../../src/analysis/assemble.ts';
import { variantFindings } from '../../../../../src/analysis/describe.ts';
import { type RunResult, recordedReason } from '../../../../../src/analysis/results.ts';
import type { Findings } from '../../../../../src/findings/findings.ts';
import { analyzeCsv } from '../../../../../src/parts/fleet/analysis/csv/analyze.ts';
import { commentMarkdown } from '../../../../../src/report/comment.ts';
import { runsCsv } from '../../../../../src/report/csv.ts';
import { findingsJson } from '../../../../../src/report/findings-json.ts';
import { createPrng } from '../../../../../src/stats/prng.ts';
import { bareRun } from '../../../../analysis/bare-run.ts';
import { reportedCheck } from '../../../../report/words/reported.ts';
import { createRandom } from '../../../../simulate/random.ts';

const options = { file: 'runs.csv', name: 'runs', baseline: null, marginPercent: 1 };
const schema: object = JSON.parse(
  readFileSync(new URL('../../../../../docs/findings.schema.json', import.meta.url), 'utf8'),
);
const isFindings = new Ajv2020({ allowUnionTypes: true }).compile(schema);

/** An experiment of ours with a warm-up block, a failed block that was repeated, and a variant whose name a spreadsheet would run. */
function experiment(blocks: number): RunResult[] {
  const prng = createPrng(7);
  const runs: RunResult[] = [];
  const add = (
    block: number,
    variant: string,
    position: number,
    status: RunResult['status'],
    reported: string | null,
  ) => {
    const energyJ = (variant === 'native' ? 250 : 257) + prng.u32() / 2 ** 32;
    const reason = recordedReason(reported);
    const run = { run: runs.length + 1, block, position, variant, status, reason, energyJ };
    runs.push(bareRun({ ...run, durationS: 12.5, executions: 4 }));
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

function findCheckByName({ quality }: Findings, name: string) {
  return quality.checks.map(reportedCheck).find((check) => check.name === name);
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
    expect(findCheckByName(findings, 'runs')).toMatchObject({
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

  it('keeps the source of each channel that joulediff wrote', () => {
    const { findings: known } = analyzeCsv(runsCsv(experiment(3)), options);
    const meter = { ...known.meter, source: 'emulated', channel_sources: { dram: 'measured' } } as const;
    const both = experiment(3).flatMap((run) => [run, { ...run, channel: 'dram' }]);
    const text = runsCsv(both, { ...known, meter });
    const { findings } = analyzeCsv(text, options);
    expect(findings.meter).toMatchObject({
      source: 'emulated',
      measured: false,
      channel_sources: { dram: 'measured' },
    });
    expect(commentMarkdown(findings)).toContain('emulated meter');
    expect(findings.quality.checks.find(({ name }) => name === 'columns')?.facts).not.toMatchObject({
      names: expect.arrayContaining(['source']),
    });
    expect(isFindings(JSON.parse(findingsJson(findings)))).toBe(true);
    // One line of another source, and nobody knows.
    const mixed = analyzeCsv(text.replace(',emulated\n', ',measured\n'), options).findings.meter;
    expect(mixed).toMatchObject({ source: 'unknown', measured: false });
  });

  it('keeps which variants had emulated processors', () => {
    const { findings: known } = analyzeCsv(runsCsv(experiment(12)), options);
    const check = { name: 'emulation', state: 'fail', reason: 'tcg', facts: { variants: ['-container'] } } as const;
    const text = runsCsv(experiment(12), { ...known, quality: { ...known.quality, checks: [check] } });
    const { findings } = analyzeCsv(text, options);
    expect(findings.quality.checks).toContainEqual(check);
    expect(JSON.stringify(findings.quality.checks)).not.toContain('emulated_processors');
    expect(commentMarkdown(findings)).toContain("can't be trusted: processors were emulated");
    // Another program's column of this name may mean something else.
    const { quality } = analyzeCsv('variant,energy_j,emulated_processors\na,1,true\nb,2,true\n', options).findings;
    expect(quality.checks.map(({ name }) => name)).not.toContain('emulation');
    expect(JSON.stringify(quality.checks)).toContain('emulated_processors');
  });

  it('takes no source from a file of another program', () => {
    const { meter, quality } = analyzeCsv('variant,energy_j,source\na,1,measured\nb,2,measured\n', options).findings;
    expect(meter).toMatchObject({ source: 'unknown', measured: false });
    expect(JSON.stringify(quality.checks)).toContain('source');
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

  it('says what it read otherwise than it stands there', () => {
    const { findings } = analyzeCsv('variant;energy_wh\na;0,1\nb;0,2\n', options);
    expect(findCheckByName(findings, 'notation')?.detail).toBe(
      'Energies were read from `energy_wh` and multiplied by 3600 to get joules. The decimal sign of the file is a comma: 1,5 was read as one and a half.',
    );
    expect(findings.variants[0]?.energy_j?.mean).toBe(360);
    expect(findCheckByName(analyzeCsv('variant,energy_j\na,1\nb,2\n', options).findings, 'notation')).toBeUndefined();
  });

  it.each([
    ['block', [1e-24, 1e24]],
    ['block', [1e24, 1e-24]],
    ['note', [1e-24, 1e24]],
    ['note', [0, 1e24]],
    ['note', [-1e24, 1e-24]],
  ])('gives finite numbers at the limits, with a column %s, of %j J', (column, [x, y]) => {
    const lines = Array.from(
      { length: 9 },
      (_, i) => `a,${i},${x},1e-24\nb,${i},${i === 4 ? 1 : y},${i % 2 ? 1 : 1e24}`,
    );
    const analysis = analyzeCsv(`variant,${column},energy_j,duration_s\n${lines.join('\n')}\n`, options);
    expect(isFindings(JSON.parse(findingsJson(analysis.findings)))).toBe(true);
    expect(commentMarkdown(analysis.findings)).not.toMatch(/NaN|Infinity/);
  });

  it('says which blocks are not whole', () => {
    const { findings } = analyzeCsv('variant,energy_j,block\na,1,1\nb,1,1\na,1,2\nb,1,3\n', options);
    expect(findCheckByName(findings, 'blocks')).toMatchObject({
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
    expect(findCheckByName(analyzeCsv(ordered(order), options).findings, 'run order')?.state).toBe(state);
  });

  it.each([
    ['abababababab', 'warn'],
    ['abcabcabcabcabcabca', 'warn'],
    ['ababababab', 'ok'],
    ['abbaababbaba', 'ok'],
    ['abbabaabbaab', 'ok'],
  ])('judges the order %s of a file without blocks', (order, state) => {
    const text = `variant,energy_j,run\n${[...order].map((v, i) => `${v},1,${i + 1}`).join('\n')}\n`;
    const check = findCheckByName(analyzeCsv(text, options).findings, 'run order');
    expect(check?.state).toBe(state);
    if (state === 'warn') expect(check?.detail).toContain('take turns in the same order');
  });

  it.each([
    ['ascend', [0, 10, 20, 30], [5, 15, 25, 35], null],
    ['touch', [0, 10, 20, 30], [10, 20, 30, 40], null],
    ['contradict the numbers of the runs', [0, 20, 10, 30], [5, 25, 15, 35], 'Run 2 started after run 3'],
    ['lie in each other', [0, 10, 20, 30], [5, 21, 25, 35], 'Run 3 started before run 2 had ended'],
  ])('looks whether times %s', (_, starts, ends, reported) => {
    const lines = starts.map((start, i) => `${'abba'[i]},1,${i + 1},${start},${ends[i]}`);
    const { findings } = analyzeCsv(`variant,energy_j,run,start_ns,end_ns\n${lines.join('\n')}\n`, options);
    const check = findCheckByName(findings, 'run order');
    expect(check?.state).toBe(reported === null ? 'ok' : 'warn');
    if (reported !== null) expect(check?.detail).toContain(reported);
  });

  describe('with blocks whose runs are no neighbors', () => {
    const random = createRandom(4);
    // Thirty rounds, shuffled across the whole experiment while the machine drifts by 10 %: `block` is the repetition.
    const shuffled = createPrng(11).shuffle(Array.from({ length: 60 }, (_, i) => i));
    const cells = shuffled.map((i, place) => ({
      variant: i % 2 === 0 ? 'native' : 'container',
      block: Math.floor(i / 2) + 1,
      joules: 250 * (1 + (0.1 * place) / 59 + 0.002 * random.normal()),
    }));
    const lines = (column: (place: number) => string) =>
      cells.map(({ variant, block, joules }, place) => `${variant},${block},${joules},${column(place)}`);

    it.each([
      ['the column run', `variant,block,energy_j,run\n${lines((place) => String(place + 1)).join('\n')}\n`],
      [
        'start_ns, whatever the order of the lines',
        `variant,block,energy_j,start_ns\n${lines((place) => `${10 ** 12 + 20 * 10 ** 9 * place}`)
          .toSorted()
          .join('\n')}\n`,
      ],
    ])('does not use them, by %s, and says so', (_, text) => {
      const { findings, runs } = analyzeCsv(text, options);
      expect(findings.comparisons[0]).toMatchObject({ blocks: null, n_baseline: 30, n_variant: 30 });
      expect(findings.comparisons[0]?.tests.wilcoxon_signed_rank).toBeNull();
      expect(findings.experiment.repetitions_completed).toBeNull();
      expect(runs.every((run) => run.block === null)).toBe(true);
      expect(findCheckByName(findings, 'blocks')).toMatchObject({
        state: 'warn',
        detail: expect.stringMatching(/^The blocks were not used: in \d+ of 30, other runs lie between its own/),
      });
      expect(findCheckByName(findings, 'drift')).toMatchObject({
        state: 'fail',
        detail: expect.not.stringContaining('within blocks'),
      });
      expect(isFindings(JSON.parse(findingsJson(findings)))).toBe(true);
    });

    it('tells how to leave out a run that was repeated later', () => {
      const text = (late: string): string =>
        [
          'variant,block,energy_j,run,status',
          ...Array.from(
            { length: 24 },
            (_, i) =>
              `${i % 2 ? 'b' : 'a'},${Math.floor(i / 2) + 1},${100 + (i % 5)},${i === 7 ? 90 : i + 1},${i === 7 ? late : 'ok'}`,
          ),
        ].join('\n');
      const { findings } = analyzeCsv(text('ok'), options);
      expect(findings.comparisons[0]?.blocks).toBeNull();
      expect(findCheckByName(findings, 'blocks')?.detail).toContain('(block 4: runs 7 and 90)');
      expect(findCheckByName(findings, 'blocks')?.advice).toContain('invalid');
      expect(analyzeCsv(text('invalid'), options).findings.comparisons[0]?.blocks).toBe(11);
    });

    it('says that it trusts them where the file tells no order', () => {
      const text = `variant,energy_j,block\n${[1, 2].flatMap((b) => [`a,1,${b}`, `b,1,${b}`]).join('\n')}\n`;
      const { findings } = analyzeCsv(text, options);
      expect(findings.comparisons[0]?.blocks).toBe(2);
      expect(findCheckByName(findings, 'run order')?.detail).toContain(
        'nor whether the runs of a block were neighbors',
      );
    });
  });

  it('does not claim that blocks of one order remove drift', () => {
    const random = createRandom(5);
    const text = (order: (block: number) => readonly string[]): string =>
      [
        'variant,energy_j,run,block',
        ...Array.from({ length: 12 }, (_, b) =>
          order(b).map((v, i) => `${v},${100 + 2 * b + i + random.normal() / 10},${2 * b + i + 1},${b + 1}`),
        ).flat(),
      ].join('\n');
    const drift = (order: (block: number) => readonly string[]) =>
      findCheckByName(analyzeCsv(text(order), options).findings, 'drift');
    const mixed = drift((b) => (b % 3 === 0 ? ['a', 'b'] : ['b', 'a']));
    expect(mixed).toMatchObject({ state: 'ok', detail: expect.stringContaining('removes it from the difference') });
    const fixed = drift(() => ['a', 'b']);
    expect(fixed).toMatchObject({ state: 'warn', detail: expect.stringContaining('stays in their difference') });
  });

  it('says that one variant was run after the other, or that the order is not told', () => {
    const text = `variant,energy_j,run\n${[...'aaaabbbb'].map((v, i) => `${v},1,${i + 1}`).join('\n')}\n`;
    const order = findCheckByName(analyzeCsv(text, options).findings, 'run order');
    expect(order).toMatchObject({ state: 'warn', detail: expect.stringContaining('before those of the next') });
    const unordered = analyzeCsv('variant,energy_j\na,1\nb,1\n', options).findings;
    expect(findCheckByName(unordered, 'run order')?.detail).toContain('does not say in which order');
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
      expect(findCheckByName(findings, 'noise floor')?.detail).toContain('Two identical arms of native');
      expect(findCheckByName(findings, 'second arm')?.detail).toContain(
        'native (again) is used as the second arm of native',
      );
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
