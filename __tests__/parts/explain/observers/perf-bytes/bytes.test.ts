// Class: system.
import { expect, it } from '@jest/globals';
import { ByteStretches } from '../../../../../src/parts/explain/observers/perf-bytes/bytes.ts';

const MS = 1_000_000n;
const WINDOW = { startNs: 1000n * MS, endNs: 2000n * MS };

const sumOf = (stretches: ByteStretches, name: string): number =>
  stretches.counts().reduce((sum, count) => (count.name === name ? sum + count.value : sum), 0);

it('bytes keep the moment at which they moved, and those outside of the window are not counted', () => {
  const stretches = new ByteStretches(WINDOW);
  for (const [tMs, bytes] of [
    [999n, 1],
    [1000n, 10],
    [1500n, 100],
    [2000n, 1000],
  ] as const)
    stretches.add('a', tMs * MS, bytes);
  expect(stretches.counts()).toEqual([
    { fromNs: 1000n * MS, toNs: 1000n * MS + 1n, kind: 'bytes', name: 'a', value: 10, errors: null },
    { fromNs: 1500n * MS, toNs: 1500n * MS + 1n, kind: 'bytes', name: 'a', value: 100, errors: null },
  ]);
});

it('of more stretches than can be kept some become longer, and no byte is lost', () => {
  const stretches = new ByteStretches(WINDOW, 100);
  for (let i = 0n; i < 5000n; i++) stretches.add(i % 2n === 0n ? 'a' : 'b', WINDOW.startNs + (i * MS) / 5n, 3);
  const counts = stretches.counts();
  expect(counts.length).toBeLessThanOrEqual(100);
  expect([sumOf(stretches, 'a'), sumOf(stretches, 'b')]).toEqual([7500, 7500]);
  for (const { fromNs, toNs } of counts) expect(toNs).toBeGreaterThan(fromNs);
});
