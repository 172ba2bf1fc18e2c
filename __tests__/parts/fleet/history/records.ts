import { createHash } from 'node:crypto';
import type { HistoryRecord, HistoryVariant } from '../../../../src/parts/fleet/history/record.ts';
import { createRandom } from '../../../simulate/random.ts';

/** Records that could have been kept, the same every time. */

export interface LineOptions {
  readonly count: number;
  readonly seed?: number;
  readonly experiment?: string;
  readonly hostname?: string;
  readonly source?: HistoryRecord['meter']['source'];
  readonly address?: string;
  /** Percent, by the index of the first experiment behind it, on every variant. */
  readonly steps?: Readonly<Record<number, number>>;
  /** Indices at which the container's image has another digest. */
  readonly rebuilt?: readonly number[];
  readonly variants?: Readonly<Record<string, number>>;
}

const hex = (number: number, length: number): string => number.toString(16).padStart(length, '0').slice(-length);

const digits = (text: string): string => createHash('sha256').update(text).digest('hex');

export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${hex(number, 12)}`;
}

export function record(changes: Partial<HistoryRecord> = {}): HistoryRecord {
  return { ...line({ count: 1 })[0]!, ...changes };
}

/** The same experiment, ended by a failure of these variants. */
export function failed(of: HistoryRecord, ...names: string[]): HistoryRecord {
  return { ...of, variants: [], comparisons: [], failed: names };
}

/** Experiments an hour apart. */
export function line(options: LineOptions): HistoryRecord[] {
  const {
    count,
    seed = 1,
    experiment = 'sort',
    hostname = 'bench-01',
    source = 'measured',
    steps = {},
    rebuilt = [],
  } = options;
  const random = createRandom(seed);
  const variants = options.variants ?? { native: 250, container: 258 };
  let level = 1;
  let digest = 1;
  return Array.from({ length: count }, (_, i): HistoryRecord => {
    level *= 1 + (steps[i] ?? 0) / 100;
    if (rebuilt.includes(i)) digest += 1;
    const energies = Object.values(variants).map((mean) => mean * level * (1 + 0.004 * random.normal()));
    return {
      schema: 'joulediff/history/1',
      id: uuid(seed * 1_000_000 + i),
      experiment,
      started_at: new Date(Date.UTC(2026, 0, 5, 8) + i * 3_600_000).toISOString(),
      joulediff_version: '0.1.0',
      repository: 'https://github.com/octo/demo',
      commit: digits(`commit ${seed} ${i}`).slice(0, 40),
      branch: 'main',
      report: `https://github.com/octo/demo/actions/runs/${1000 + i}`,
      machine: {
        hostname,
        model: 'Dell PowerEdge R710',
        cpu: 'Intel(R) Xeon(R) CPU X5670 @ 2.93GHz',
        cpus: 12,
        virtualization: 'none',
      },
      conditions: { kernel: '6.1.0-40-amd64', governor: 'performance', turbo: false, docker: '20.10.24' },
      meter: {
        type: source === 'modelled' ? 'estimate' : 'watts-up-pro',
        address: options.address ?? (source === 'modelled' ? null : '/dev/serial/by-id/usb-FTDI_A600'),
        source,
        identity: '0123456789abcdef',
        channel: source === 'modelled' ? 'cpu-model' : 'wall',
      },
      variants: Object.keys(variants).map((name, k): HistoryVariant => {
        const energy = energies[k]!;
        const container = name !== 'native';
        return {
          name,
          kind: container ? 'container' : 'native',
          n: 30,
          energy_j: energy,
          ci95: [energy * 0.997, energy * 1.003],
          facts: container
            ? {
                image: 'debian:12',
                image_digest: `debian@sha256:${digits(`image ${digest}`)}`,
                image_id: `sha256:${digits(`image ${digest}`)}`,
              }
            : {},
        };
      }),
      failed: [],
      failed_checks: [],
      comparisons: Object.keys(variants)
        .slice(1)
        .map((name, k) => {
          const percent = 100 * (energies[k + 1]! / energies[0]! - 1);
          return {
            baseline: 'native',
            variant: name,
            percent,
            ci95: [percent - 0.5, percent + 0.5],
            verdict: 'increase',
          };
        }),
    };
  });
}
