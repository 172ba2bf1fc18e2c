import { expect, it } from '@jest/globals';
import { RUNS, SAMPLES } from '../../../src/report/export/tables.ts';
import type { StoreReader } from '../../../src/store/records.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

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
