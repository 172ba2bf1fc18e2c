// Class: unit.
import { expect, it } from '@jest/globals';
import type { RunResult } from '../../../../src/analysis/results.ts';
import { compareTraced } from '../../../../src/parts/explain/analysis/traced.ts';
import type { ObservedRecord } from '../../../../src/store/observed.ts';

/** A traced run of a second: calls by name, as [calls, errors, seconds]. */
function traced(variant: string, round: number, calls: Record<string, readonly [number, number, number]>) {
  const stretch = { fromNs: 0n, toNs: 1_000_000_000n };
  const record: ObservedRecord = {
    round,
    variant,
    status: 'ok',
    reason: null,
    way: 'traced',
    executions: 1,
    startNs: 0n,
    endNs: 1_000_000_000n,
    marks: [],
    samples: [],
    by: [{ name: 'strace', failure: null }],
    counts: Object.entries(calls).flatMap(([name, [value, errors, seconds]]) => [
      { ...stretch, kind: 'syscall' as const, name, value, errors },
      { ...stretch, kind: 'stretched' as const, name, value: seconds, errors: null },
    ]),
  };
  return record;
}

const ask = (records: readonly ObservedRecord[]) =>
  compareTraced({ records, runs: [], pairs: [{ baseline: 'a', variant: 'b' }], variants: ['a', 'b'] });

it('tells the calls, errors and seconds that differ by more than runs of one variant do', () => {
  const records = [1, 2, 3].flatMap((round) => [
    traced('a', round, { openat: [41, 19, 0.01 + round / 1000], read: [100 + round, 0, 0.5] }),
    traced('b', round, { openat: [81, 59, 0.4 + round / 1000], read: [103 - round, 0, 0.5], statx: [7, 0, 0.001] }),
  ]);
  const found = ask(records);
  expect(found?.runs).toEqual([
    { of: 'a', runs: 3, factor: null },
    { of: 'b', runs: 3, factor: null },
  ]);
  expect(found?.lines.map(({ name, amount }) => `${name} ${amount}`)).toEqual([
    ...['openat calls', 'statx calls'],
    ...['openat errors'],
    ...['openat seconds', 'statx seconds'],
  ]);
  expect(found?.lines[0]).toMatchObject({ of: 'b', baseline: 41, variant: 81, difference: 40 });
});

it('says nothing of too few runs, of those that went wrong, and where none was traced', () => {
  const one = [traced('a', 1, { read: [1, 0, 0] }), traced('b', 1, { read: [9, 0, 0] })];
  expect(ask(one)?.lines).toEqual([]);
  const bad = [1, 2, 3].map((round) => ({ ...traced('b', round, { read: [9, 0, 0] }), status: 'failed' as const }));
  expect(ask([...one, traced('a', 2, { read: [1, 0, 0] }), ...bad])?.lines).toEqual([]);
  expect(ask([{ ...traced('a', 1, {}), way: 'sampled' }])).toBeNull();
});

it('takes runs that agree to the microsecond for no more certain than strace tells', () => {
  const seconds = (variant: string, s: number) =>
    [1, 2, 3].map((round) => traced(variant, round, { getuid: [1, 0, s] }));
  expect(ask([...seconds('a', 5e-6), ...seconds('b', 6e-6)])?.lines).toEqual([]);
  expect(ask([...seconds('a', 5e-6), ...seconds('b', 5e-3)])?.lines).toMatchObject([{ amount: 'seconds' }]);
});

it('compares calls of libraries among themselves, and tells how much longer each phase took', () => {
  const uftraced = (variant: string, round: number, calls: number): ObservedRecord => ({
    ...traced(variant, round, {}),
    way: 'uftraced',
    marks: [{ phase: 'load', tNs: 500_000_000n, lateNs: 0n }],
    counts: [
      { fromNs: 0n, toNs: 1n, kind: 'call', name: 'read', value: calls, errors: null },
      { fromNs: 0n, toNs: 1n, kind: 'stretched', name: 'read', value: calls / 1e6, errors: null },
    ],
  });
  const records = [1, 2, 3].flatMap((round) => [
    ...[uftraced('a', round, 1000), uftraced('b', round, 9000)],
    ...[traced('a', round, { read: [5, 0, 0.5] }), traced('b', round, { read: [5, 0, 0.5] })],
  ]);
  const phase = { phase: 'load', startS: 0, endS: 0.1, energyJ: 1, uncertaintyJ: 0 };
  const run = { status: 'ok', variant: 'a', durationS: 0.2, phases: [phase] } as unknown as RunResult;
  const found = compareTraced({ records, runs: [run], pairs: [{ baseline: 'a', variant: 'b' }], variants: ['a', 'b'] });
  expect(found?.runs).toEqual([
    { of: 'a', runs: 3, factor: 5 },
    { of: 'b', runs: 3, factor: null },
    { of: 'a', tracer: 'uftrace', runs: 3, factor: 5, phases: [{ phase: 'load', factor: 5 }] },
    { of: 'b', tracer: 'uftrace', runs: 3, factor: null },
  ]);
  expect(found?.lines.map(({ tracer, name, amount, difference }) => [tracer, name, amount, difference])).toEqual([
    ['uftrace', 'read', 'calls', 8000],
    ['uftrace', 'read', 'seconds', expect.closeTo(0.008, 6)],
  ]);
});
