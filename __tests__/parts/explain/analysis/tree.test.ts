// Class: unit.
import { expect, it } from '@jest/globals';
import type { Frame } from '../../../../src/contracts/observation.ts';
import { observedRuns } from '../../../../src/parts/explain/analysis/observed.ts';
import { type ProfileTree, profileTree } from '../../../../src/parts/explain/analysis/tree.ts';
import type { ObservedRecord } from '../../../../src/store/observed.ts';

const frames: readonly Frame[] = [{ name: 'main', library: '/usr/bin/server' }];

const record = (variant: string, name: string, failure: ObservedRecord['by'][number]['failure']): ObservedRecord => ({
  round: 1,
  variant,
  status: 'ok',
  reason: null,
  startNs: 0n,
  endNs: 1_000_000_000n,
  executions: 1,
  way: 'sampled',
  by: [{ name, failure }],
  counts: [],
  marks: [],
  samples: failure === null ? [{ tNs: 500_000_000n, weightNs: 400_000_000, frames }] : [],
});

const treeOf = (records: readonly ObservedRecord[]): ProfileTree | null => profileTree(observedRuns(records));

it('a variant whose sampler failed is not in the tree', () => {
  const tree = treeOf([record('native', 'perf-user', null), record('container', 'perf-user', 'place-not-seen')]);
  expect(tree?.variants).toEqual([{ name: 'native', runs: 1 }]);
});

it('a run without samples lowers no mean', () => {
  const tree = treeOf([record('native', 'perf-record', null), record('native', 'perf-record', 'overrun')]);
  expect(tree?.variants).toEqual([{ name: 'native', runs: 1 }]);
  expect(tree?.phases.map(({ root, wallS }) => [root.total, wallS])).toEqual([[[0.4], [1]]]);
});
