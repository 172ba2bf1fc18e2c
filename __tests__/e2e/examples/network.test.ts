// Class: world, long.
import { expect } from '@jest/globals';
import { describeExample } from './example.ts';

const PLACES = ['bridge', 'host-network', 'native', 'published'];

describeExample('network', { programs: ['iperf3'], ports: [15201], small: ['workload.env.BYTES=100M'] }, (runs) => {
  expect(runs.map(({ variant }) => variant).sort()).toEqual(PLACES);
  for (const { metric_throughput } of runs) expect(Number(metric_throughput)).toBeGreaterThan(0);
});

describeExample(
  'network',
  { file: 'paper.yml', programs: ['iperf3'], ports: [15201], small: ['workload.env.BYTES=100M'] },
  (runs) => {
    const directions = ['receives', 'sends'].flatMap((direction) =>
      ['host-network', 'nat', 'native'].map((network) => `${direction}/${network}`),
    );
    expect(runs.map(({ variant }) => variant).sort()).toEqual(directions);
    for (const { metric_throughput } of runs) expect(Number(metric_throughput)).toBeGreaterThan(0);
  },
);

describeExample(
  'network',
  {
    file: 'request-response.yml',
    programs: ['sockperf'],
    ports: [15202],
    small: ['workload.env.SECONDS_LONG=1'],
  },
  (runs) => {
    expect(runs.map(({ variant }) => variant).sort()).toEqual(PLACES);
    for (const { metric_round_trips, metric_latency } of runs) {
      expect(Number(metric_round_trips)).toBeGreaterThan(0);
      expect(Number(metric_latency)).toBeGreaterThan(0);
    }
  },
);
