// Class: world, long.
import { expect } from '@jest/globals';
import { describeExample } from './example.ts';

const REQUESTS = 'workload.env.REQUESTS=2000';

describeExample(
  'redis',
  {
    programs: ['redis-server', 'redis-benchmark'],
    ports: [16379],
    small: ['workload.env.REQUESTS=8000', 'repetitions=2'],
  },
  async (runs, again) => {
    const all = [...runs];
    /** The best of all runs: what else goes on here makes a throughput smaller, never larger. */
    const best = (variant: string, metric: string): number => {
      const values = all.filter((run) => run.variant === variant).map((run) => Number(run[metric]));
      expect(values.length).toBeGreaterThan(0);
      return Math.max(...values);
    };
    const isShown = (): boolean =>
      ['metric_set', 'metric_get'].every(
        (metric) =>
          best('host-network', metric) > 1.2 * best('published-port', metric) &&
          best('bridge', metric) > best('published-port', metric),
      );
    // On a machine that does something else too, it may take more runs to show.
    for (let more = 0; more < 8 && !isShown(); more++) all.push(...(await again.run()));
    expect(all.filter(({ metric_set, metric_get }) => !(Number(metric_set) > 0 && Number(metric_get) > 0))).toEqual([]);
    expect({ proxyCosts: isShown(), all }).toMatchObject({ proxyCosts: true });
  },
);

describeExample('nginx', { programs: ['nginx', 'ab'], ports: [18080], small: [REQUESTS] }, (runs) => {
  expect(runs.map(({ metric_done, metric_failed }) => [metric_done, metric_failed])).toEqual([
    ...[
      ['2000', '0'],
      ['2000', '0'],
      ['2000', '0'],
      ['2000', '0'],
    ],
  ]);
});

const FEW = ['CLIENTS=5', 'TRANSACTIONS=8'].map((size) => `workload.env.${size}`);
describeExample(
  'postgresql',
  { programs: ['/usr/lib/postgresql/*/bin/postgres', 'pgbench', 'openssl', 'setpriv'], ports: [15432], small: FEW },
  (runs) => {
    for (const run of runs) {
      expect(Number(run.metric_rate)).toBeGreaterThan(0);
      expect(run.metric_failed).toBe('0');
    }
    // Each transaction shakes hands anew, and the server takes nobody who doesn't.
    const processorTime = (variant: string) => Number(runs.find((run) => run.variant === variant)?.cpu_s);
    for (const place of ['native', 'bridge', 'published-port', 'host-network']) {
      expect(processorTime(`tls/${place}`)).toBeGreaterThan(processorTime(`plain/${place}`));
    }
  },
);

describeExample(
  'redis',
  {
    file: 'memcached.yml',
    programs: ['memcached', 'memcslap', 'redis-server'],
    ports: [16381],
    small: ['workload.env.REQUESTS=20'],
  },
  (runs) => {
    for (const { metric_time } of runs) expect(Number(metric_time)).toBeGreaterThan(0);
  },
);

const PAPER = ['CLIENTS=5', 'TRANSACTIONS=30'].map((size) => `workload.env.${size}`);
describeExample(
  'postgresql',
  {
    file: 'paper.yml',
    programs: ['/usr/lib/postgresql/*/bin/postgres', 'pgbench', 'openssl', 'setpriv'],
    ports: [15432],
    small: PAPER,
  },
  (runs) => {
    for (const { metric_failed } of runs) expect(metric_failed).toBe('0');
  },
);
