import { expect } from '@jest/globals';
import { describeExample } from './example.ts';

const REQUESTS = 'workload.env.REQUESTS=2000';

describeExample(
  'redis',
  { programs: ['redis-server', 'redis-benchmark'], ports: [16379], small: [REQUESTS] },
  (runs) => {
    expect(runs.map(({ variant }) => variant).sort()).toEqual(['bridge', 'host-network', 'native']);
    for (const { metric_set, metric_get } of runs) {
      expect(Number(metric_set)).toBeGreaterThan(0);
      expect(Number(metric_get)).toBeGreaterThan(0);
    }
  },
);

describeExample('nginx', { programs: ['nginx', 'ab'], ports: [18080], small: [REQUESTS] }, (runs) => {
  expect(runs.map(({ metric_done, metric_failed }) => [metric_done, metric_failed])).toEqual([
    ...[
      ['2000', '0'],
      ['2000', '0'],
      ['2000', '0'],
    ],
  ]);
});
