// Class: unit.
import { expect, it } from '@jest/globals';
import { openMetrics } from '../../../../../src/parts/fleet/report/export/openmetrics.ts';
import { RUNS, SAMPLES, SMALL_TABLES } from '../../../../../src/parts/fleet/report/export/tables.ts';
import type { StoreReader } from '../../../../../src/store/reader.ts';
import { syntheticAnalysis } from '../../../../report/synthetic/analysis.ts';
import { suiteAnalysis } from '../../../../report/synthetic/suite.ts';

it('says of each row where its numbers come from, where channels differ in that', () => {
  const { findings, runs } = syntheticAnalysis();
  const mixed = { ...findings, meter: { ...findings.meter, channel_sources: { model: 'modelled' as const } } };
  const [run] = runs;
  const columns = { tNs: Float64Array.of(1), powerW: Float64Array.of(5), durationS: Float64Array.of(1) };
  const reader = {
    channels: () => [{ channel: run!.channel }, { channel: 'model' }],
    sessions: () => [{ session: 1, originNs: 0n }],
    samples: () => columns,
  } as unknown as StoreReader;
  const sources = ({ columns }: { columns: readonly { name: string }[] }, rows: readonly (readonly unknown[])[]) =>
    rows.map((row) => row[columns.findIndex(({ name }) => name === 'source')]);
  const written = RUNS.rows({ findings: mixed, runs: [run!, { ...run!, channel: 'model' }] });
  expect(sources(RUNS, written)).toEqual(['measured', 'modelled']);
  expect(sources(SAMPLES, [...SAMPLES.rows(reader, mixed)].flat())).toEqual(['measured', 'modelled']);
});

it('says of how many executions the energies of a comparison are the sum', () => {
  const { findings } = syntheticAnalysis();
  const batched = findings.variants.map((variant, i) => ({ ...variant, executions_per_run: 3 + i }));
  const [comparisons] = SMALL_TABLES;
  const [row] = comparisons!.rows({ findings: { ...findings, variants: batched }, runs: [] });
  const written = Object.fromEntries(comparisons!.columns.map(({ name }, i) => [name, row![i]]));
  expect(written).toMatchObject({ baseline_executions: 3, variant_executions: 4 });
});

it('says of each row whether its processors were emulated, whatever read the meter', () => {
  const { findings, runs } = syntheticAnalysis();
  const [baseline, guest] = findings.variants.map(({ name }) => name);
  const check = { name: 'emulation', state: 'fail', reason: 'tcg', facts: { variants: [guest!] } } as const;
  const quality = { ...findings.quality, checks: [...findings.quality.checks, check] };
  const measured = runs.map((run) => ({ ...run, metrics: { requests: 5 } }));
  const said = (all: typeof findings) =>
    [RUNS, ...SMALL_TABLES].map((table) => {
      const [variant, emulated] = ['variant', 'emulated_processors'].map((name) =>
        table.columns.findIndex((column) => column.name === name),
      );
      const rows = table.rows({ findings: all, runs: measured });
      return new Set(rows.map((row) => `${table.name} ${row[variant!]}: ${row[emulated!]}`));
    });
  expect(said({ ...findings, quality })).toEqual([
    new Set([`runs ${baseline}: false`, `runs ${guest}: true`]),
    new Set([`comparisons ${guest}: true`]),
    new Set([`metrics ${baseline}: false`, `metrics ${guest}: true`]),
  ]);
  expect(said(findings).flatMap((rows) => [...rows].filter((row) => row.endsWith('true')))).toEqual([]);

  const samples = (all: typeof findings) => openMetrics([all], () => {}).split('\n');
  const ofGuest = samples({ ...findings, quality }).filter((line) => line.includes(`variant="${guest}"`));
  expect(ofGuest.length).toBeGreaterThan(0);
  for (const line of ofGuest) expect(line).toContain('emulated_processors="true"');
  const others = [...samples({ ...findings, quality }).filter((line) => !ofGuest.includes(line)), ...samples(findings)];
  expect(others.join('\n')).not.toContain('emulated_processors');
});

it('gives no number of a benchmark that failed', () => {
  const { findings } = suiteAnalysis(2, 5);
  const [one, two] = findings.suite!.benchmarks;
  const suite = { ...findings.suite!, benchmarks: [one!, { ...two!, state: 'failed' as const }] };
  const text = openMetrics([{ ...findings, suite, comparisons: [] }], () => {});
  expect(text).toContain('variant="test_bench_0/head"');
  expect(text).not.toContain('variant="test_bench_1/head"');
});
