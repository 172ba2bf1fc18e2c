import type { MeterInfo } from '../../src/contracts/reading.ts';
import type { Workload } from '../../src/contracts/variant.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import type { Conditions } from '../../src/findings/conditions.ts';

export const workload: Workload = { run: 'true', prepare: null, cleanup: null, env: {}, workdir: null, timeoutS: null };

export const nativeAndContainer: Experiment = {
  name: 'sort',
  directory: '/',
  variants: [
    { kind: 'native', name: 'native', workload },
    {
      kind: 'container',
      name: 'container',
      workload,
      image: 'debian',
      build: null,
      pull: 'missing',
      volumes: [],
      network: null,
      user: null,
      cpuset: null,
      cpus: null,
      memoryBytes: null,
      entrypoint: null,
      runtime: null,
    },
  ],
  baseline: 'native',
  repetitions: 1,
  warmup: { runs: 0 },
  restS: 20,
  guardS: 3,
  batch: 1,
  seed: null,
  marginPercent: 1,
  meters: ['auto'],
};

/** As it is named on a command line. */
export const WALL_METER = 'watts-up-pro:/dev/serial/by-id/x';

export const wallMeter: MeterInfo = {
  type: 'watts-up-pro',
  address: '/dev/serial/by-id/x',
  source: 'measured',
  identity: { model: 'PRO' },
  accuracy: { gainPercent: 1.5, offsetW: 0.3 },
  minimumGuardS: 3,
  channels: [{ channel: 'wall', part: 'machine', integration: 'guard', samplingPeriodS: 1, clock: 'meter' }],
  remarks: [],
};

export const conditions: Conditions = {
  hostname: 'metal',
  machine: null,
  cpu: 'Test CPU',
  cpu_count: 4,
  memory_bytes: 8e9,
  kernel: '6.1',
  os: null,
  governor: 'performance',
  turbo: false,
  virtualization: null,
  node: 'v24.0.0',
  docker: null,
};
