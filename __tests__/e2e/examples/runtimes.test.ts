// Class: world, long.
import { expect } from '@jest/globals';
import { describeExample } from './example.ts';

describeExample('javac', { programs: ['java'], small: ['workload.env.CLASSES=2'] }, (runs) => {
  expect(runs.map((run) => [run.variant, run.metric_classes]).sort()).toEqual([
    ['container', '2'],
    ['container-1g', '2'],
    ['native', '2'],
  ]);
});

const ONE_VALUE = ['BENCHMARKS=nbody', 'LOOPS=1', 'VALUES=1'].map((size) => `workload.env.${size}`);
describeExample(
  'pyperformance',
  { programs: ['/usr/bin/python3'], fetch: './packages.sh', small: ONE_VALUE },
  (runs) => {
    expect(runs.map(({ variant }) => variant).sort()).toEqual(['container', 'native']);
    for (const run of runs) expect(Number(run.metric_nbody)).toBeGreaterThan(0);
  },
);
