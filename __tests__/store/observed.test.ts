// Class: unit.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { type ObservedRecord, writeObserved } from '../../src/store/observed.ts';
import { MAX_FRAMES } from '../../src/store/observed-tables.ts';
import { openStore, withStore } from '../../src/store/reader.ts';
import { StoreWriter } from '../../src/store/writer.ts';
import { conditions, nativeAndContainer } from './fixtures.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-observed-'));
  file = join(folder, 'experiment.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const AT = 9_007_199_254_740_993n;
const MAIN = { name: 'main', library: '/usr/bin/redis-server' };
const COPY = { name: 'memcpy;\n"x"', library: null };

const RUN: ObservedRecord = {
  round: 1,
  variant: 'container',
  status: 'ok',
  reason: null,
  startNs: AT,
  endNs: AT + 2_000_000_000n,
  executions: 1,
  way: 'sampled',
  marks: [{ tNs: AT + 1n, lateNs: 2n, phase: 'load' }],
  by: [
    { name: 'perf-record', failure: null },
    { name: 'perf-stat', failure: 'ended' },
  ],
  counts: [
    { fromNs: AT, toNs: AT + 50n, kind: 'syscall', name: 'write', value: 3, errors: null },
    { fromNs: AT, toNs: AT + 50n, kind: 'cpu', name: 'task-clock', value: 0.25, errors: null },
  ],
  samples: [
    { tNs: AT + 5n, weightNs: 2_004_008, frames: [MAIN, COPY] },
    { tNs: AT + 6n, weightNs: 2_004_008, frames: [MAIN] },
    { tNs: AT + 7n, weightNs: 2_004_008, frames: [MAIN, COPY] },
  ],
};

function create(): void {
  const store = StoreWriter.create(file, {
    id: 'x',
    startedAt: '2026-01-02T03:04:05.000Z',
    experiment: nativeAndContainer,
    plan: { seed: 1, order: 'randomized-blocks', runs: [] },
    facts: new Map(),
    meters: [
      {
        type: 'rapl',
        name: 'rapl',
        address: null,
        source: 'measured',
        identity: {},
        accuracy: null,
        minimumGuardS: 0,
        remarks: [],
        passport: null,
        channels: [{ channel: 'package', integration: 'counter', samplingPeriodS: 1, clock: 'host' }],
      },
    ],
    noiseFloor: null,
  });
  store.beginSession('2026-01-02T03:04:06.000Z', 0n, conditions);
  store.setObservers([{ name: 'perf-record', missing: 'no-tool' }]);
  store.setObservers([
    { name: 'perf-record', missing: null },
    { name: 'perf-stat', missing: null },
  ]);
  store.addObserved(RUN);
  store.addObserved({ ...RUN, round: 2, variant: 'native' });
  store.close('2026-01-02T03:05:00.000Z', { kind: 'complete' }, { samples: new Map(), events: [] });
}

it('an observed run comes back as it was written, and is no run of the experiment', () => {
  create();
  using reader = openStore(file);
  expect(reader.observed()).toEqual([RUN, { ...RUN, round: 2, variant: 'native' }]);
  expect(reader.runs()).toEqual([]);
  expect(reader.observers()).toEqual([
    { name: 'perf-record', missing: null },
    { name: 'perf-stat', missing: null },
  ]);
});

it('what is seen again and again is kept once', () => {
  create();
  const db = new Database(file);
  const count = (table: string) => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();
  expect([count('frame'), count('stack'), count('observed_sample')]).toEqual([2, 2, 6]);
  db.close();
});

it('of a stack that is deeper than any tree of stacks can be walked, the innermost frames are kept; a file with a deeper one is refused', () => {
  create();
  const db = new Database(file);
  const frames = Array.from({ length: 2000 }, (_, i) => ({ name: `f${i}`, library: null }));
  writeObserved(db, { ...RUN, round: 3, samples: [{ tNs: AT, weightNs: 1, frames }] });
  expect(withStore(file, (reader) => reader.observed().at(-1)?.samples[0]?.frames)).toEqual(frames.slice(-MAX_FRAMES));
  db.exec(`UPDATE stack SET frames = '[${Array.from({ length: MAX_FRAMES + 1 }, () => 1).join(',')}]' WHERE stack = 1`);
  db.close();
  expect(() => withStore(file, (reader) => reader.observed())).toThrow(/stack/);
});

it('a stack of frames that are not there is refused', () => {
  create();
  const db = new Database(file);
  db.exec("UPDATE stack SET frames = '[1, 99]' WHERE stack = 1");
  db.close();
  expect(() => withStore(file, (reader) => reader.observed())).toThrow(/its stack 1 names a frame that is not there/);
});

it('a frame that there is no room for is unknown', () => {
  create();
  const db = new Database(file);
  const frame = (i: number) => ({ name: `f${i}`, library: null });
  const deep = (last: number) => [...Array.from({ length: 9 }, (_, i) => frame(i)), frame(last)];
  const samples = [{ tNs: AT, weightNs: 1, frames: deep(20) }];
  // Two frames are there.
  writeObserved(db, { ...RUN, round: 3, samples }, { rows: 3, bytes: 2 ** 20 });
  db.close();
  using reader = openStore(file);
  const seen = reader
    .observed()
    .at(-1)
    ?.samples.map(({ frames }) => frames);
  const unknown = { name: '[unknown]', library: null };
  expect(seen?.[0]).toEqual([frame(0), ...Array.from({ length: 9 }, () => unknown)]);
});

it('stacks that there is no room for are kept by their innermost frames, and then by one', () => {
  create();
  const db = new Database(file);
  const frame = (i: number) => ({ name: `f${i}`, library: null });
  const stacks = Array.from({ length: 100 }, (_, i) => [
    frame(i % 4),
    frame(i >> 2),
    ...Array.from({ length: 7 }, () => frame(i >> 2)),
    frame(i % 7),
  ]);
  const samples = stacks.map((frames, i) => ({ tNs: AT + BigInt(i), weightNs: 1, frames }));
  writeObserved(db, { ...RUN, round: 3, samples }, { rows: 40, bytes: 1000 });
  db.close();
  using reader = openStore(file);
  const seen =
    reader
      .observed()
      .at(-1)
      ?.samples.map(({ frames }) => frames) ?? [];
  expect(seen[0]).toEqual(stacks[0]);
  expect(seen.map((frames) => frames.at(-1))).toEqual(stacks.map((frames) => frames.at(-1)));
  expect(new Set(seen.map((frames) => frames.length))).toEqual(new Set([10, 8, 1]));
});
