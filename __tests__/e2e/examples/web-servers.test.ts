// Class: world, long.
import { expect } from '@jest/globals';
import { describeExample } from './example.ts';

const CELLS = ['container/httpd', 'container/nginx', 'native/httpd', 'native/nginx'];

describeExample(
  'web-servers',
  { programs: ['nginx', 'apache2', 'ab'], ports: [18081], small: ['workload.env.REQUESTS=1000'] },
  (runs) => {
    expect(runs.map(({ variant, metric_done, metric_failed }) => [variant, metric_done, metric_failed]).sort()).toEqual(
      CELLS.map((cell) => [cell, '1000', '0']),
    );
  },
);

describeExample(
  'web-servers',
  {
    file: 'fixed-rate.yml',
    programs: ['nginx', 'apache2', 'hey'],
    ports: [18081],
    small: ['workload.env.REQUESTS=200', 'workload.env.RATE=10'],
  },
  (runs) => {
    // 20 clients, 10 times a second each, 10 requests of each.
    expect(runs.map(({ variant, metric_done }) => [variant, metric_done]).sort()).toEqual(
      CELLS.map((cell) => [cell, '200']),
    );
    for (const { metric_rate, duration_s } of runs) {
      expect(Number(metric_rate)).toBeLessThan(250);
      expect(Number(duration_s)).toBeGreaterThan(0.8);
    }
  },
);
