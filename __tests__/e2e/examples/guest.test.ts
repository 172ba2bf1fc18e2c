// Class: world, long.
import { expect } from '@jest/globals';
import { GUEST } from '../../executors/vm/guest-system.ts';
import { describeExample } from './example.ts';

const small = [
  'workload.env.MEGABYTES=2',
  'variants.guest.vm.accel=tcg',
  'variants.guest.vm.cpus=1',
  'variants.guest.vm.within=5m',
];

// Emulated: whether KVM works is another machine's matter, and how a guest is told of is not.
describeExample(
  'guest',
  { programs: ['qemu-system-x86_64', 'busybox'], fetch: `test -n "${GUEST}" && ./guest.sh "${GUEST}"`, small },
  (runs) => {
    expect(runs.map(({ variant }) => variant).sort()).toEqual(['container', 'guest', 'native']);
    for (const run of runs) expect(run).toMatchObject({ status: 'ok', metric_hashed: '2' });
  },
);
