// Class: system.
import { expect, it } from '@jest/globals';
import { LIMITS } from '../../../../src/findings/read-findings.ts';
import { MAX_BYTES, readSources } from '../../../../src/parts/fleet/action/gathered.ts';
import { findingsJson } from '../../../../src/report/findings-json.ts';
import { syntheticAnalysis } from '../../../report/synthetic/analysis.ts';

it('Results that would fill the memory together are not taken, and the others are', async () => {
  const small = findingsJson(syntheticAnalysis({ name: 'sort', traces: false }).findings);
  const large = Buffer.from(small.padEnd(LIMITS.bytes, ' '));
  const fit = MAX_BYTES / LIMITS.bytes;
  const source = (name: string, bytes: Uint8Array | null) => ({ name, open: async () => bytes });
  const { results, refused, others } = await readSources([
    ...Array.from({ length: fit + 1 }, (_, i) => source(`large-${i + 1}`, large)),
    source('none', null),
  ]);
  expect(results.map(({ name }) => name)).toEqual(['large-1', 'large-2', 'large-3', 'large-4']);
  expect(refused).toEqual([{ name: 'large-5', reason: 'all results together have more than 32 MiB' }]);
  expect(others).toEqual(['none']);
});
