// Class: world, long.
import { expect } from '@jest/globals';
import { describeExample } from './example.ts';

const BOTH = ['container', 'native'];

describeExample('hpcc', { programs: ['hpcc'], small: ['workload.env.ORDER=200'] }, (runs) => {
  expect(runs.map(({ variant }) => variant).sort()).toEqual(BOTH);
  for (const run of runs) {
    expect(run.metric_passed).toBe('1');
    for (const metric of ['metric_linpack', 'metric_stream_triad', 'metric_random_access']) {
      expect(Number(run[metric])).toBeGreaterThan(0);
    }
  }
});

const OPERATIONS = ['PIPES=10000', 'FORKS=50', 'EXECS=20'].map((size) => `workload.env.${size}`);
describeExample('unixbench', { programs: ['stress-ng', 'setpriv'], small: OPERATIONS }, (runs) => {
  expect(runs.map(({ variant }) => variant).sort()).toEqual(BOTH);
  for (const run of runs) {
    for (const metric of ['metric_pipe', 'metric_fork', 'metric_exec']) {
      expect(Number(run[metric])).toBeGreaterThan(0);
    }
  }
});

describeExample(
  'unixbench',
  { file: 'shell.yml', programs: ['stress-ng'], small: ['workload.env.ROUNDS=3'] },
  (runs) => {
    expect(runs.map(({ variant }) => variant).sort()).toEqual(['busybox', 'gnu']);
  },
);
