import { comparisons } from '../../src/analysis/assemble.ts';
import { machineStatistics } from '../../src/analysis/checks/checked-runs.ts';
import { variantFindings } from '../../src/analysis/describe.ts';
import { type Goals, withGoals } from '../../src/analysis/goals.ts';
import type { Analysis, RunResult } from '../../src/analysis/results.ts';
import type { RunUncertainty } from '../../src/analysis/uncertainty.ts';
import type { Check } from '../../src/findings/checks.ts';
import type { Findings } from '../../src/findings/findings.ts';
import type { Passport } from '../../src/findings/passport.ts';
import { fourVariants, withFactors } from './fake/factorial.ts';
import { drawn, gaussian } from './fake/random.ts';
import { traces } from './fake/traces.ts';
import type { FakeVariant } from './fake/variant.ts';

/** Synthetic runs, the same every time, with what the analysis makes of them. */

export interface FakeOptions {
  readonly name?: string;
  readonly variants?: readonly FakeVariant[];
  readonly runs?: number;
  readonly source?: Findings['meter']['source'];
  readonly complete?: boolean;
  readonly checks?: Findings['quality']['checks'];
  /** Costs and thresholds that were asked for. */
  readonly goals?: Goals;
  readonly noiseFloor?: Findings['quality']['noise_floor'];
  /** Every value that may be null is null. */
  readonly bare?: boolean;
  readonly traces?: boolean;
}

export const twoVariants: readonly FakeVariant[] = [
  { name: 'native', meanJ: 250.1, sdJ: 1.6, durationS: 12 },
  { name: 'container', meanJ: 257.9, sdJ: 1.9, durationS: 12.05 },
];

export function fakeAnalysis(options: FakeOptions = {}): Analysis {
  const made = plainAnalysis(options);
  return options.goals ? { ...made, findings: withGoals(made.findings, made.runs, options.goals) } : made;
}

function plainAnalysis(options: FakeOptions): Analysis {
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

const storedFloor: Findings['quality']['noise_floor'] = {
  percent: 0.4,
  ci95: [-0.25, 0.4],
  blocks: 30,
  source: 'stored',
  measured_at: '2026-11-02T09:00:00.000Z',
};

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
  schema: 'joulediff/passport/1',
  when: '2026-01-15T09:30:00.000Z',
  host: 'metal',
  type: 'watts-up-pro',
  address: '/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A600',
  source: 'measured',
  identity: { model: 'Watts up? PRO', firmware: '2.9.4' },
  channel: 'wall',
  duration_s: 130,
  readings: 130,
  gaps: 0,
  period_s: 1.0001,
  nominal_period_s: 1,
  jitter_s: 0.0031,
  longest_interval_s: 1.012,
  resolution_w: 0.1,
  latency: { mean_s: 0.42, sd_s: 0.05, max_s: 0.51, edges: 10 },
  guard_needed_s: 1.6,
  step: { idle_w: 41.2, busy_w: 66.4, step_w: 25.2, sd_w: 0.2, made: 5, judged: 5, seen: 5 },
  passed: true,
  checks: [],
};

/** A wall meter of 1.5 % and 0.3 W, and some noise. */
function uncertaintyOf(energyJ: number, durationS: number): RunUncertainty {
  const parts = { idleJ: 0.4, driftJ: 0.2, quantizationJ: 0.1, edgesJ: 0 };
  const gross = { gainJ: (0.015 * energyJ) / Math.sqrt(3), offsetJ: (0.3 * durationS) / Math.sqrt(3), ...parts };
  return { gross, net: { ...gross, offsetJ: 0 } };
}

function meterOf({ source = 'measured', bare }: FakeOptions): Findings['meter'] {
  const modelled = source === 'modelled';
  return {
    type: modelled ? 'estimate' : source === 'unknown' ? 'csv' : 'watts-up-pro',
    address: modelled || bare ? null : '/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A600',
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

function channelOf({ source }: FakeOptions): string {
  return source === 'modelled' ? 'cpu-model' : 'wall';
}

function runResults(
  variants: readonly FakeVariant[],
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

function placeOf(name: string, { bare }: FakeOptions) {
  if (name === 'native') return { kind: 'native', facts: {} };
  const facts = { image: 'debian-sort:latest', image_id: `sha256:${'ab12'.repeat(16)}`, image_digest: null };
  return { kind: 'container', facts: bare ? {} : facts };
}

const images = (count: number): FakeVariant[] =>
  Array.from({ length: count }, (_, i) => ({
    name: i === 0 ? 'native' : `image-${i}`,
    meanJ: 250 + 3 * i * (i % 2 === 1 ? 1 : -0.6),
    sdJ: 1.5 + 0.3 * i,
    durationS: 12 + 0.4 * i,
  }));

/** Names that attack a document. */
export const hostileNames = [
  'a|b`c`',
  '<img src=x onerror=alert(1)>',
  '<!-- joulediff key=x run=999 -->',
  '@octocat and #123, see GH-7',
  'https://evil.example www.evil.example :smile:',
  'line\nend\r\n## heading',
  '\u202egnp.exe\u2066',
  '```\n~~~\n</details></script><script>alert(1)</script>',
  '=HYPERLINK("http://evil.example")',
  '$x^2$ **bold** [link](http://evil.example) ![i](x)',
  '\u001b[31mred\u0007\u009b2J',
  '\ud800 lone',
] as const;

export const cost: Goals['cost'] = {
  price: { perKwh: 0.3, currency: 'EUR' },
  intensityGPerKwh: 380,
  task: { name: '10^9 queries', runs: 2000 / 3 },
};

const threshold = { direction: 'above', variant: null, channel: null, evenIfInconclusive: false } as const;

export const limits: NonNullable<Goals['failOn']> = [
  { ...threshold, text: '2%', metric: 'percent', limit: 2 },
  { ...threshold, text: '20 J', metric: 'joules', limit: 20 },
];

/** A check with a name from outside in its facts. */
export function checkNaming(name: string, state: Check['state']): Check {
  return { name: 'second arm', state, reason: 'taken', facts: { baseline: name, again: name } };
}

/** One of each kind that a report must live with. */
export function everyAnalysis(): Record<string, Analysis> {
  const g = gaussian(7);
  const draw = (mean: number, sd: number): number[] => Array.from({ length: 30 }, () => mean + sd * g());
  const partial: Check = {
    name: 'competing load',
    state: 'fail',
    reason: 'always',
    facts: { usual: 3.2, most: 4, busy_runs: 11, runs: 11 },
  };
  const two = (mean: number, sd: number, other: number) => [
    { name: 'native', energiesJ: draw(mean, sd) },
    { name: 'container', energiesJ: draw(other, sd) },
  ];
  // Drawn now, in this order, whichever of them is asked for first.
  const [apart, alike, close] = [two(250, 3, 250.2), two(250, 1, 250.1), two(250, 1, 250.1)];
  return whenAsked({
    measured: () => fakeAnalysis(),
    modelled: () => fakeAnalysis({ source: 'modelled', variants: images(6) }),
    costs: () => fakeAnalysis({ goals: { cost } }),
    modelledCosts: () => fakeAnalysis({ source: 'modelled', goals: { cost, failOn: limits } }),
    crossed: () => fakeAnalysis({ goals: { cost, failOn: limits }, noiseFloor: storedFloor }),
    gates: () => fakeAnalysis({ variants: images(12), goals: { cost, failOn: limits } }),
    emulated: () => fakeAnalysis({ source: 'emulated', noiseFloor: storedFloor }),
    factors: () => withFactors(fakeAnalysis({ variants: fourVariants() })),
    unknown: () => fakeAnalysis({ source: 'unknown' }),
    partial: () => fakeAnalysis({ runs: 11, complete: false, checks: [partial] }),
    inconclusive: () =>
      fakeAnalysis({
        variants: apart,
      }),
    equivalent: () =>
      fakeAnalysis({
        variants: alike,
      }),
    constant: () =>
      fakeAnalysis({
        variants: [
          { name: 'native', energiesJ: Array(30).fill(250) },
          { name: 'container', energiesJ: Array(30).fill(250) },
        ],
      }),
    few: () => fakeAnalysis({ runs: 5 }),
    single: () => fakeAnalysis({ runs: 1 }),
    lone: () => fakeAnalysis({ variants: [{ name: 'native' }] }),
    twelve: () => fakeAnalysis({ variants: images(12) }),
    hostile: () =>
      fakeAnalysis({
        name: hostileNames.join(' '),
        variants: [{ name: 'native' }, ...hostileNames.map((name, i) => ({ name, meanJ: 251 + i }))],
        checks: hostileNames.map((text) => checkNaming(text, 'warn')),
      }),
    bare: () =>
      fakeAnalysis({
        bare: true,
        traces: false,
        source: 'unknown',
        variants: [
          { name: 'native', energiesJ: [] },
          { name: 'container', energiesJ: [] },
        ],
      }),
    nothing: () => ({ ...fakeAnalysis({ variants: [] }), traces: [] }),
    kept: () =>
      fakeAnalysis({
        goals: { failOn: [{ ...limits[0]!, text: '5%', limit: 5 }, limits[1]!] },
        variants: close,
      }),
  });
}

/** Each is computed once, when it is first looked at: most tests need a few of them. */
function whenAsked<T>(all: Readonly<Record<string, () => T>>): Record<string, T> {
  const lazy: Record<string, T> = {};
  for (const [name, make] of Object.entries(all)) {
    let made: { readonly value: T } | null = null;
    const get = (): T => {
      made ??= { value: make() };
      return made.value;
    };
    Object.defineProperty(lazy, name, { enumerable: true, get });
  }
  return lazy;
}
