// Class: system.
import { describe, expect, it } from '@jest/globals';
import type { Findings } from '../../../../src/findings/findings.ts';
import { extractRecord, NOWHERE } from '../../../../src/parts/fleet/history/extract.ts';
import { readRecord } from '../../../../src/parts/fleet/history/record.ts';
import { syntheticAnalysis } from '../../../report/synthetic/analysis.ts';
import { suiteAnalysis } from '../../../report/synthetic/suite.ts';
import { record } from './records.ts';

const measured = (changes: Partial<Findings> = {}): Findings => ({ ...syntheticAnalysis().findings, ...changes });

describe('what is kept of an experiment', () => {
  it('holds where it was measured, its energies and its verdict', () => {
    const findings = measured();
    const origin = { ...NOWHERE, repository: 'https://github.com/octo/demo', commit: 'a'.repeat(40), branch: 'main' };
    const kept = extractRecord(findings, origin);
    const [native] = findings.variants;
    const [comparison] = findings.comparisons;
    expect(kept).toMatchObject({
      schema: 'joulediff/history/1',
      id: findings.experiment.id,
      ...origin,
      machine: { hostname: 'bench-01', cpus: 12 },
      meter: { type: 'watts-up-pro', source: 'measured', channel: findings.meter.channels[0] },
      comparisons: [
        { percent: comparison!.percent.estimate, ci95: comparison!.percent.ci95, verdict: comparison!.verdict },
      ],
    });
    expect(kept.variants[0]).toMatchObject({
      name: 'native',
      n: native!.runs,
      energy_j: native!.energy_j!.mean,
      ci95: native!.energy_j!.mean_ci95,
    });
    expect(JSON.stringify(kept).length).toBeLessThan(4000);
  });

  it('holds no interval with less than 95 %', () => {
    const findings = measured();
    const few = findings.comparisons.map((c) => ({ ...c, percent: { ...c.percent, confidence: 0.9375 } }));
    expect(extractRecord({ ...findings, comparisons: few }, NOWHERE).comparisons[0]!.ci95).toBeNull();
  });

  it('is of one execution, so that another batch makes no step', () => {
    const findings = measured();
    const batched = { ...findings, variants: findings.variants.map((v) => ({ ...v, executions_per_run: 50 })) };
    const [one] = extractRecord(findings, NOWHERE).variants;
    const [fifty] = extractRecord(batched, NOWHERE).variants;
    expect(fifty!.energy_j).toBeCloseTo(one!.energy_j / 50, 12);
    expect(fifty!.ci95![1]).toBeCloseTo(one!.ci95![1] / 50, 12);
  });

  it('holds every benchmark of a large suite', () => {
    const findings = measured();
    const names = Array.from({ length: 200 }, (_, i) => `benchmark ${i}`);
    const suite: Findings = {
      ...findings,
      variants: names.flatMap((of) => findings.variants.map((v) => ({ ...v, name: `${of} · ${v.name}` }))),
      comparisons: names.flatMap((of) =>
        findings.comparisons.map((c) => ({ ...c, baseline: `${of} · ${c.baseline}`, variant: `${of} · ${c.variant}` })),
      ),
    };
    const kept = extractRecord(suite, NOWHERE);
    expect([kept.variants.length, kept.comparisons.length]).toEqual([400, 200]);
  });

  it('holds of a failed benchmark which variants failed, and no energy of it or of one that is too short', () => {
    const { findings } = suiteAnalysis(3, 5);
    const states = ['compared', 'failed', 'too-short'] as const;
    const benchmarks = findings.suite!.benchmarks.map((one, i) => ({ ...one, state: states[i]! }));
    const excluded = [{ run: 9, status: 'failed' as const, reason: null }];
    const kept = extractRecord(
      {
        ...findings,
        suite: { ...findings.suite!, benchmarks },
        variants: findings.variants.map((one) => (/[12]\/head$/.test(one.name) ? { ...one, excluded } : one)),
        comparisons: findings.comparisons.filter(({ benchmark }) => benchmark === 'test_bench_0'),
      },
      NOWHERE,
    );
    expect(kept.variants.map(({ name }) => name)).toEqual(['test_bench_0/base', 'test_bench_0/head']);
    expect(kept).toMatchObject({ failed: ['test_bench_1/head'], comparisons: [{ variant: 'test_bench_0/head' }] });
  });

  it('holds all comparisons of forty variants', () => {
    const findings = measured();
    const [first] = findings.comparisons;
    const names = Array.from({ length: 40 }, (_, i) => `image ${i}`);
    const pairs = names.flatMap((baseline, i) =>
      names.slice(i + 1).map((variant) => ({ ...first!, baseline, variant })),
    );
    const variants = names.map((name) => ({ ...findings.variants[0]!, name }));
    expect(extractRecord({ ...findings, variants, comparisons: pairs }, NOWHERE).comparisons).toHaveLength(780);
  });

  it('is refused where machine or meter are not known, and of what is not through', () => {
    expect(() => extractRecord(syntheticAnalysis({ source: 'unknown' }).findings, NOWHERE)).toThrow(
      /do not say which machine and meter/,
    );
    expect(() => extractRecord(syntheticAnalysis({ bare: true }).findings, NOWHERE)).toThrow(
      /do not say which machine and meter/,
    );
    expect(() => extractRecord(syntheticAnalysis({ complete: false }).findings, NOWHERE)).toThrow(/is not complete/);
  });
});

describe('what is kept of an experiment that failed', () => {
  const { findings } = syntheticAnalysis({ complete: false });
  const endedBy = (ended: 'failed' | 'stopped' | 'died', failing: number): Findings => ({
    ...findings,
    variants: findings.variants.map((v, i) =>
      i === failing ? { ...v, excluded: [{ run: 9, status: 'failed', reason: null }] } : v,
    ),
    quality: {
      ...findings.quality,
      checks: [
        ...findings.quality.checks,
        {
          name: 'plan',
          state: 'warn',
          reason: 'incomplete',
          facts: { blocks: null, ended, signal: null, message: null },
        },
      ],
    },
  });

  it('is which variants failed, and no number of what it never completed', () => {
    const kept = extractRecord(endedBy('failed', 1), NOWHERE);
    expect(kept).toMatchObject({ failed: [findings.variants[1]!.name], variants: [], comparisons: [] });
  });

  it.each([
    ['somebody stopped it after a run that failed once', endedBy('stopped', 1)],
    ['it died after a run that failed once', endedBy('died', 1)],
    ['no run failed, such as where the meter was lost', endedBy('failed', -1)],
  ])('is nothing where %s', (_, given) => {
    expect(() => extractRecord(given, NOWHERE)).toThrow(/is not complete/);
  });
});

describe('a record that was read', () => {
  it.each([
    ['an address that is no web page', { report: 'javascript:alert(1)' }],
    ['an address with a quote', { repository: 'https://x"onclick="alert(1)/a' }],
    ['a commit that is a path', { commit: '../../x' }],
    ['an id that is a path', { id: '../x' }],
    ['a text without end', { experiment: 'x'.repeat(501) }],
    ['no energy', { variants: [{ ...record().variants[0], energy_j: 0 }] }],
    ['an endless energy', { variants: [{ ...record().variants[0], energy_j: 1e300 }] }],
    ['a source that nobody knows', { meter: { ...record().meter, source: 'unknown' } }],
    ['neither a variant nor a failure', { variants: [] }],
    ['no date', { started_at: 'yesterday' }],
  ])('is refused with %s', (_, changes) => {
    expect(() => readRecord({ ...record(), ...changes }, 'It')).toThrow(/^It is not a history record \(at /);
  });

  it('keeps what it knows of one with more', () => {
    expect(readRecord({ ...record(), later: 1 }, 'It')).toEqual(record());
  });
});
