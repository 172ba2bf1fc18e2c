// Class: unit, long.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { analyzeStore } from '../../../../src/analysis/analyze.ts';
import { computeExplanation } from '../../../../src/parts/explain/analysis/of-store.ts';
import { profileTree } from '../../../../src/parts/explain/analysis/tree.ts';
import { writeObserved, writeObservers } from '../../../../src/store/observed.ts';
import { withStore } from '../../../../src/store/reader.ts';
import { writeSimulatedStore } from '../../../analysis/simulated-store.ts';

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
