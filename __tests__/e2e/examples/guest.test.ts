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

/** The guest of an example's own programs, made of Debian's kernel. */
const inGuest = (programs: readonly string[]) => ({
  file: 'guest.yml',
  programs: ['qemu-system-x86_64', 'busybox', ...programs],
  fetch: `test -n "${GUEST}" && ./guest.sh "${GUEST}"`,
});
const emulated = ['accel=tcg', 'cpus=1', 'memory=256m', 'within=5m'].map((setting) => `variants.guest.vm.${setting}`);

describeExample(
  'redis',
  {
    ...inGuest(['redis-server', 'redis-benchmark']),
    ports: [16379],
    small: ['workload.env.REQUESTS=500', ...emulated],
  },
  (runs) => {
    expect(runs.map(({ variant }) => variant).sort()).toEqual(['guest', 'host-network', 'native']);
    for (const { metric_set, metric_get, services_cpu_s } of runs) {
      expect(Number(metric_set)).toBeGreaterThan(0);
      expect(Number(metric_get)).toBeGreaterThan(0);
      expect(services_cpu_s).not.toBe('');
    }
  },
);

describeExample(
  'fio',
  {
    ...inGuest(['fio', 'awk', '/sbin/mke2fs']),
    env: { DISK: '64M' },
    small: ['workload.env.SIZE=8m', 'workload.env.WORK=8m', ...emulated],
  },
  (runs) => {
    expect(runs.map(({ variant }) => variant).sort()).toEqual(['guest', 'native', 'volume']);
    for (const { metric_read, metric_write } of runs) {
      expect(Number(metric_read)).toBeGreaterThan(0);
      expect(Number(metric_write)).toBeGreaterThan(0);
    }
  },
);
