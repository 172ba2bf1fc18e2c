// Class: world, long.
import { expect } from '@jest/globals';
import { describeExample } from './example.ts';

describeExample(
  'fio',
  { programs: ['fio', 'awk'], small: ['workload.env.SIZE=8m', 'workload.env.WORK=8m'] },
  (runs) => {
    expect(runs.map(({ variant }) => variant).sort()).toEqual(['layer', 'native', 'tmpfs', 'volume', 'volume-cached']);
    for (const { metric_read, metric_write } of runs) {
      expect(Number(metric_read)).toBeGreaterThan(0);
      expect(Number(metric_write)).toBeGreaterThan(0);
    }
  },
);
