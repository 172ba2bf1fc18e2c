// Class: world, long.
import { existsSync } from 'node:fs';
import { expect } from '@jest/globals';
import { describeExample } from './example.ts';

/** Podman's own default, crun, refuses machines with control groups of both versions. */
const runtime = existsSync('/sys/fs/cgroup/unified') ? ['variants.podman.runtime=runc'] : [];

describeExample(
  'engines',
  { programs: ['podman', 'stress-ng', 'busybox'], small: ['workload.env.OPERATIONS=2', ...runtime] },
  (runs) => {
    expect(runs.map(({ variant }) => variant).sort()).toEqual(['docker', 'podman']);
  },
);

describeExample('engines', { file: 'start.yml', programs: ['stress-ng'], small: ['batch.executions=2'] }, (runs) => {
  expect(runs.map(({ variant, executions }) => [variant, executions]).sort()).toEqual([
    ['docker', '2'],
    ['native', '2'],
  ]);
});
