import { expect, it } from '@jest/globals';
import { EXPORT_TABLES } from '../../../src/report/export/tables.ts';
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
  const exported = { findings: mixed, measured: { runs: [run!, { ...run!, channel: 'model' }], reader } };
  for (const name of ['runs', 'samples']) {
    const table = EXPORT_TABLES.find((one) => one.name === name)!;
    const at = table.columns.findIndex((column) => column.name === 'source');
    expect([...table.rows(exported)].flat().map((row) => row[at])).toEqual(['measured', 'modelled']);
  }
});
