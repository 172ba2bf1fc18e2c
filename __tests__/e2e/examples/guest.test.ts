// Class: world, long.
import { expect } from '@jest/globals';
import { GUEST } from '../../executors/vm/guest-system.ts';
import { describeExample, type Needs } from './example.ts';

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

const emulated = ['accel=tcg', 'cpus=1', 'memory=256m', 'within=5m'].map((setting) => `variants.guest.vm.${setting}`);

interface Place {
  readonly needs: Partial<Needs> & Pick<Needs, 'programs'>;
  readonly sizes: readonly string[];
  /** Beside natively and in the guest. */
  readonly third: string;
  readonly metrics: readonly string[];
}

const PLACES: Readonly<Record<string, Place>> = {
  redis: {
    needs: { programs: ['redis-server', 'redis-benchmark'], ports: [16379] },
    sizes: ['REQUESTS=500'],
    third: 'host-network',
    metrics: ['metric_set', 'metric_get'],
  },
  network: {
    needs: { programs: ['iperf3', 'sockperf'], ports: [15201] },
    sizes: ['BYTES=20M'],
    third: 'published',
    metrics: ['metric_throughput'],
  },
  mariadb: {
    needs: { programs: ['mariadbd', 'sysbench'], ports: [15306] },
    sizes: [
      'TABLES=1',
      'ROWS=200',
      'TRANSACTIONS=10',
      'BUFFER=16M',
      'LOG=8M',
      `DATA=/dev/shm/joulediff-${process.pid}`,
    ],
    third: 'container',
    metrics: ['metric_done', 'metric_latency_95'],
  },
  fio: {
    needs: { programs: ['fio', 'awk', '/sbin/mke2fs'], env: { DISK: '64M' } },
    sizes: ['SIZE=8m', 'WORK=8m'],
    third: 'volume',
    metrics: ['metric_read', 'metric_write'],
  },
  hpcc: {
    needs: { programs: ['hpcc', 'mpirun', 'awk'] },
    sizes: ['ORDER=100'],
    third: 'container',
    metrics: ['metric_linpack', 'metric_stream_triad', 'metric_random_access', 'metric_passed'],
  },
};

// The guest of an example's own programs, made of Debian's kernel.
for (const [name, { needs, sizes, third, metrics }] of Object.entries(PLACES)) {
  describeExample(
    name,
    {
      ...needs,
      file: 'guest.yml',
      programs: ['qemu-system-x86_64', 'busybox', ...needs.programs],
      fetch: `test -n "${GUEST}" && ./guest.sh "${GUEST}"`,
      small: [...sizes.map((size) => `workload.env.${size}`), ...emulated],
    },
    (runs) => {
      expect(runs.map(({ variant }) => variant).sort()).toEqual(['guest', 'native', third].sort());
      for (const run of runs) {
        const zero = metrics.filter((metric) => !(Number(run[metric]) > 0));
        expect({ run, zero }).toMatchObject({ zero: [] });
        if (needs.ports) expect(run.services_cpu_s).not.toBe('');
      }
    },
  );
}
