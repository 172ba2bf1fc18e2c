// Class: unit, long.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { analyzeStore } from '../../../../src/analysis/analyze.ts';
import { computeExplanation } from '../../../../src/parts/explain/analysis/of-store.ts';
import { profileTree } from '../../../../src/parts/explain/analysis/tree.ts';
import { type ObservedRecord, writeObserved, writeObservers } from '../../../../src/store/observed.ts';
import { withStore } from '../../../../src/store/reader.ts';
import { type SimulatedExperiment, writeSimulatedStore } from '../../../analysis/simulated-store.ts';
import { nativeAndContainer } from '../../../store/fixtures.ts';

const run = (variant: string, lengthS: number) => ({ variant, lengthS, loadW: 65 });
const AT = 1_000_000_000n;

it('a small file that would unfold into millions of parts is analyzed without them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-unfolding-'));
  const file = join(folder, 'experiment.db');
  try {
    writeSimulatedStore(file, {
      blocks: Array.from({ length: 6 }, (_, b) => [run('native', 31 + b), run('container', 33 + b)]),
    });
    const db = new Database(file);
    writeObservers(db, [{ name: 'perf-record', missing: null }]);
    // Each in another order, so that no two of them share more than a frame.
    const stacks = Array.from({ length: 60 }, (_, s) =>
      Array.from({ length: 500 }, (_, i) => ({ name: `f${(i * 7 + s * 13) % 500}`, library: '[kernel.kallsyms]' })),
    );
    for (const variant of ['native', 'container']) {
      const times = Array.from({ length: 600 }, (_, i) => AT + BigInt(i) * 1000n);
      writeObserved(db, {
        round: 1,
        variant,
        status: 'ok',
        reason: null,
        startNs: AT,
        endNs: AT + 10_000_000_000n,
        executions: 1,
        way: 'sampled',
        by: [{ name: 'perf-record', failure: null }],
        counts: [],
        marks: times.map((tNs, i) => ({ phase: `p${i}`, tNs, lateNs: 0n })),
        samples: times.map((tNs, i) => ({ tNs, weightNs: 1_000_000, frames: stacks[i % 60] ?? [] })),
      });
    }
    db.close();
    const { findings, observed = [] } = withStore(file, (reader) => analyzeStore(reader, computeExplanation));
    expect(findings.explanation?.mix.map(({ phase }) => phase)).toEqual([null, null]);
    const tree = profileTree(observed, ['native', 'container']);
    expect(tree?.phases).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const observedRun = (variant: string, round: number, more: Partial<ObservedRecord>): ObservedRecord => ({
  round,
  variant,
  status: 'ok',
  reason: null,
  startNs: AT,
  endNs: 2n * AT,
  executions: 1,
  way: 'sampled',
  by: [],
  counts: [],
  marks: [],
  samples: [],
  ...more,
});

/** Findings of an experiment of a few blocks, with these extra runs. */
function explained(
  simulated: Partial<SimulatedExperiment>,
  { observers = [], records }: { observers?: readonly string[]; records: readonly ObservedRecord[] },
) {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-explained-'));
  const file = join(folder, 'experiment.db');
  try {
    const variants = [...new Set(records.map(({ variant }) => variant))];
    writeSimulatedStore(file, { blocks: Array(6).fill(variants.map((name) => run(name, 30))), ...simulated });
    const db = new Database(file);
    writeObservers(
      db,
      observers.map((name) => ({ name, missing: null })),
    );
    for (const record of records) writeObserved(db, record);
    db.close();
    return withStore(file, (reader) => analyzeStore(reader, computeExplanation)).findings;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('the pairs that the experiment file asks for are explained, and none beside them', () => {
  const calls = { native: 10, container: 30, host: 20 };
  const variants = [...nativeAndContainer.variants, { ...nativeAndContainer.variants[1]!, name: 'host' }];
  const comparisons = [
    { baseline: 'native', variant: 'container' },
    { baseline: 'container', variant: 'host' },
  ];
  const records = (['sampled', 'traced'] as const).flatMap((way) =>
    [1, 2, 3].flatMap((round) =>
      Object.entries(calls).map(([variant, value]) => {
        const count = { fromNs: AT, toNs: 2n * AT, kind: 'syscall' as const, name: 'sendto', value, errors: null };
        return observedRun(variant, round, { way, counts: [count] });
      }),
    ),
  );
  const { explanation } = explained({ experiment: { variants, comparisons } }, { records });
  expect(explanation?.comparisons).toMatchObject(comparisons);
  const differences = [
    { against: 'native', of: 'container', difference: 20 },
    { against: 'container', of: 'host', difference: -10 },
  ];
  expect(explanation?.lines).toMatchObject(differences);
  expect(explanation?.lines).toHaveLength(2);
  expect(explanation?.traced?.lines).toMatchObject(differences);
});

const sampledRun = (name: string, variant: string, round: number, seconds: number) =>
  observedRun(variant, round, {
    by: [{ name, failure: null }],
    samples: Array.from({ length: 10 }, (_, i) => ({
      tNs: AT + BigInt(i),
      weightNs: (seconds + round / 1000) * 1e8,
      frames: [{ name: 'work', library: '/usr/bin/work' }],
    })),
  });

it('only runs with the same profilers are compared, those of the last time that more could be seen', () => {
  const of = (name: string, baseline: number, variant: number) =>
    [1, 2, 3].flatMap((round) => [
      sampledRun(name, 'native', round, baseline),
      sampledRun(name, 'container', round, variant),
    ]);
  const before = of('perf-user', 1, 1);
  const records = [...before, ...of('perf-record', 1.2, 1.6)];
  const alone = explained({}, { observers: ['perf-record'], records: records.slice(before.length) }).explanation;
  expect(alone?.comparisons[0]?.cpu_time_difference_s).toBeCloseTo(0.4, 6);
  const both = explained({}, { observers: ['perf-user', 'perf-record'], records }).explanation;
  expect(both).toEqual(alone);
  // Stopped before it could be compared anew.
  const stopped = { observers: ['perf-user', 'perf-record'] as const, records: records.slice(0, before.length + 2) };
  const old = explained({}, { observers: ['perf-user'], records: before }).explanation;
  expect(explained({}, stopped).explanation?.comparisons).toEqual(old?.comparisons);
  expect(old?.comparisons).toHaveLength(1);
  // Without rights from then on: what was seen in part replaces nothing.
  const partly = { ...stopped, records: [...stopped.records.slice(before.length), ...before] };
  expect(explained({}, partly).explanation?.comparisons).toEqual(old?.comparisons);
  // Without rights again, perf sees less than before.
  const less = explained({}, { observers: ['perf-user', 'perf-record'], records: [...records, ...before] });
  expect(less.explanation).toEqual(alone);
  const node = explained(
    {},
    { observers: ['perf-user', 'perf-record', 'node'], records: [...records, ...of('node', 2, 2.5)] },
  );
  expect(node.explanation?.comparisons).toMatchObject([
    { time: 'thread', cpu_time_difference_s: expect.closeTo(0.5, 6) },
  ]);
  expect(node.explanation?.rungs.map(({ name }) => name)).toEqual(['node']);
});
