// Class: world, long.
import { expect } from '@jest/globals';
import { describeExample } from './example.ts';

describeExample(
  'mariadb',
  {
    programs: ['mariadbd', 'sysbench'],
    ports: [15306],
    small: ['TABLES=1', 'ROWS=500', 'TRANSACTIONS=50', 'BUFFER=16M', 'LOG=8M'].map(
      (setting) => `workload.env.${setting}`,
    ),
  },
  (runs) => {
    expect(runs.map(({ variant, metric_done }) => [variant, metric_done]).sort()).toEqual(
      ['layer', 'layer-bridge', 'native', 'volume', 'volume-bridge', 'volume-published-port'].map((variant) => [
        variant,
        '50',
      ]),
    );
    for (const { metric_latency_95 } of runs) expect(Number(metric_latency_95)).toBeGreaterThan(0);
  },
);
