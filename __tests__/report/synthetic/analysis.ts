import { comparisons } from '../../../src/analysis/assemble.ts';
import { machineStatistics } from '../../../src/analysis/checks/checked-runs.ts';
import { variantFindings } from '../../../src/analysis/describe.ts';
import { type Goals, withGoals } from '../../../src/analysis/goals.ts';
import type { Analysis, RunResult, RunTrace } from '../../../src/analysis/results.ts';
import type { RunUncertainty } from '../../../src/analysis/uncertainty.ts';
import type { Findings } from '../../../src/findings/findings.ts';
import type { Passport } from '../../../src/findings/passport.ts';
import { passport as anyPassport } from '../../findings/passport.ts';
import { drawn, gaussian } from './random.ts';

export interface SyntheticVariant {
  readonly name: string;
  readonly meanJ?: number;
  readonly sdJ?: number;
  readonly durationS?: number;
  /** Energies as they are, instead of drawn ones. */
  readonly energiesJ?: readonly number[];
}

export interface SyntheticOptions {
  readonly name?: string;
  readonly variants?: readonly SyntheticVariant[];
  readonly runs?: number;
  readonly source?: Findings['meter']['source'];
  readonly complete?: boolean;
  readonly checks?: Findings['quality']['checks'];
  /** Costs and thresholds that were asked for. */
  readonly goals?: Goals;
  readonly noiseFloor?: Findings['quality']['noise_floor'];
  /** Every value that may be null is null. */
  readonly bare?: boolean;
  /** Whether files differed from the commit. */
  readonly dirty?: boolean;
  readonly traces?: boolean;
}

export const twoVariants: readonly SyntheticVariant[] = [
  { name: 'native', meanJ: 250.1, sdJ: 1.6, durationS: 12 },
  { name: 'container', meanJ: 257.9, sdJ: 1.9, durationS: 12.05 },
];

/** Runs drawn from a seed, the same every time, and what the product's own analysis makes of them. */
export function syntheticAnalysis(options: SyntheticOptions = {}): Analysis {
  const made = plainAnalysis(options);
  return options.goals ? { ...made, findings: withGoals(made.findings, made.runs, options.goals) } : made;
}

function plainAnalysis(options: SyntheticOptions): Analysis {
  const variants = options.variants ?? twoVariants;
  const random = gaussian(42);
  const count = options.runs ?? 30;
  const energies = variants.map((v) => v.energiesJ ?? drawn(random, count, v.meanJ ?? 250, v.sdJ ?? 2));
  const channel = channelOf(options);
  const runs = runResults(variants, energies, channel);
  const baseline = variants[0]?.name ?? 'native';
  return {
    findings: {
      schema: 'joulediff/findings/1',
      experiment: {
        id: options.bare ? null : '01JD2V7Q8N',
        name: options.name ?? 'sort',
        started_at: options.bare ? null : '2026-11-20T14:03:11.000Z',
        ...(!options.bare && {
          commit: { sha: '4f2a9c1d0b7e83a65c2f19d4708be6a35f1c0d92', dirty: options.dirty ?? false },
        }),
        seed: options.bare ? null : 20261120,
        order: options.bare ? 'unknown' : 'randomized-blocks',
        repetitions_planned: options.bare ? null : 30,
        repetitions_completed: options.bare ? null : Math.min(count, 30),
        complete: options.complete ?? true,
        baseline,
        margin_percent: 1,
        rest_s: options.bare ? null : 20,
        guard_s: options.bare ? null : 3,
        joulediff_version: '0.1.0',
      },
      meter: meterOf(options),
      conditions: options.bare ? null : conditions,
      quality: {
        noise_floor_percent: options.noiseFloor?.percent ?? null,
        noise_floor: options.noiseFloor ?? null,
        machine: machineStatistics(runs, channel, baseline),
        checks: options.checks ?? [],
      },
      variants: variants.map(({ name }) => variantFindings({ name, ...placeOf(name, options) }, runs)),
      comparisons: comparisons(runs, {
        baseline,
        variants: variants.map(({ name }) => name),
        channels: [channel],
        marginPercent: 1,
        seed: 20261120,
        // Beside the verdict of so many stands more than a test waits for.
        verdictOnly: variants.length > 8,
      }),
    },
    runs,
    traces: options.traces === false ? [] : traces(variants, count, random, options.source === 'modelled' ? 0.1 : 1),
  };
}

const conditions: Findings['conditions'] = {
  hostname: 'bench-01',
  machine: 'Dell PowerEdge R710',
  cpu: 'Intel(R) Xeon(R) CPU X5670 @ 2.93GHz',
  cpu_count: 12,
  memory_bytes: 72 * 2 ** 30,
  kernel: '6.1.0-40-amd64',
  os: 'Debian GNU/Linux 12 (bookworm)',
  governor: 'performance',
  turbo: false,
  virtualization: null,
  node: 'v24.21.0',
  docker: { version: '20.10.24', storage_driver: 'overlay2', network_driver: 'bridge', cgroup: 'v2' },
};

const passport: Passport = {
  ...anyPassport,
  when: '2026-01-15T09:30:00.000Z',
  type: 'watts-up-pro',
  address: '/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A600',
  identity: { model: 'Watts up? PRO', firmware: '2.9.4' },
  guard_needed_s: 1.6,
  latency: { mean_s: 0.42, sd_s: 0.05, max_s: 0.51, edges: 10 },
  checks: [],
};

/** A wall meter of 1.5 % and 0.3 W, and some noise. */
function uncertaintyOf(energyJ: number, durationS: number): RunUncertainty {
  const parts = { idleJ: 0.4, driftJ: 0.2, quantizationJ: 0.1, edgesJ: 0 };
  const gross = { gainJ: (0.015 * energyJ) / Math.sqrt(3), offsetJ: (0.3 * durationS) / Math.sqrt(3), ...parts };
  return { gross, net: { ...gross, offsetJ: 0 } };
}

function meterOf({ source = 'measured', bare }: SyntheticOptions): Findings['meter'] {
  const modelled = source === 'modelled';
  const type = modelled ? 'estimate' : source === 'unknown' ? 'unknown' : 'watts-up-pro';
  const address = modelled || bare ? null : '/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A600';
  return {
    type,
    address,
    name: source === 'unknown' ? null : [type, address].filter(Boolean).join(':'),
    measured: source === 'measured',
    source,
    part: modelled || source === 'unknown' ? null : 'machine',
    sampling_period_s: bare ? null : modelled ? 0.1 : 1,
    accuracy: modelled || bare ? null : { gain_percent: 1.5, offset_w: 0.3 },
    identity: modelled || bare ? {} : { model: 'Watts up? PRO', firmware: '2.9.4' },
    remarks: modelled ? ['Power is computed from the use of the processor: 10 W idle and 6.5 W a busy core.'] : [],
    passport: source === 'measured' && !bare ? passport : null,
    channels: bare ? [] : [channelOf({ source })],
  };
}

function channelOf({ source }: SyntheticOptions): string {
  return source === 'modelled' ? 'cpu-model' : 'wall';
}

function runResults(
  variants: readonly SyntheticVariant[],
  energies: readonly (readonly number[])[],
  channel: string,
): RunResult[] {
  const runs: RunResult[] = [];
  for (let block = 1; block <= Math.max(0, ...energies.map((e) => e.length)); block++) {
    for (const [i, v] of variants.entries()) {
      const energyJ = energies[i]![block - 1];
      if (energyJ === undefined) continue;
      const durationS = v.durationS ?? 12;
      const startNs = 1_000_000_000_000n + BigInt(runs.length) * 40_000_000_000n;
      runs.push({
        run: runs.length + 1,
        block,
        position: i + 1,
        variant: v.name,
        revision: null,
        status: 'ok',
        reason: null,
        startNs,
        endNs: startNs + BigInt(Math.round(durationS * 1e9)),
        durationS,
        energyJ,
        netEnergyJ: energyJ - 8 * durationS,
        meanPowerW: energyJ / durationS,
        idlePowerW: 8,
        uncertaintyJ: null,
        netUncertaintyJ: null,
        channel,
        samples: Math.ceil(durationS),
        uncertainty: channel === 'wall' ? uncertaintyOf(energyJ, durationS) : null,
        resources: null,
        machine: null,
      });
    }
  }
  return runs;
}

function placeOf(name: string, { bare }: SyntheticOptions) {
  if (name === 'native') return { kind: 'native', facts: {} };
  const facts = { image: 'debian-sort:latest', image_id: `sha256:${'ab12'.repeat(16)}`, image_digest: null };
  return { kind: 'container', facts: bare ? {} : facts };
}

function traces(
  variants: readonly SyntheticVariant[],
  count: number,
  random: () => number,
  period: number,
): RunTrace[] {
  const list: RunTrace[] = [];
  for (let i = 0; i < count; i++) {
    for (const [k, v] of variants.entries()) {
      const durationS = (v.durationS ?? 12) * (1 + 0.02 * random());
      const level = (v.energiesJ?.[0] ?? v.meanJ ?? 250) / (v.durationS ?? 12);
      const offset = ((i * 37 + k * 11) % 100) / 100;
      const tS: number[] = [];
      for (let t = (offset - 0.5) * period; t < durationS + 0.5 * period; t += period) tS.push(t);
      const shape = (t: number): number =>
        8 + (level - 8) * (t < 0 || t > durationS ? 0 : 1 + 0.15 * Math.sin(t / 1.7) - (t > 7 ? 0.1 : 0));
      list.push({
        run: list.length + 1,
        variant: v.name,
        durationS,
        tS: Float64Array.from(tS),
        powerW: Float64Array.from(
          tS,
          (t) => (shape(t - 0.45 * period) + shape(t) + shape(t + 0.45 * period)) / 3 + 0.3 * random(),
        ),
      });
    }
  }
  return list;
}
