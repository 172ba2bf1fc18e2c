import type {
  Analysis,
  Comparison,
  Findings,
  RunResult,
  RunTrace,
  Summary,
  VariantFindings,
  Verdict,
} from '../../src/analysis/findings.ts';

/** Synthetic analyses, the same every time. The numbers are plausible, not computed by the project's statistics. */

export interface FakeVariant {
  readonly name: string;
  readonly meanJ?: number;
  readonly sdJ?: number;
  readonly durationS?: number;
  /** Energies as they are, instead of drawn ones. */
  readonly energiesJ?: readonly number[];
  readonly verdict?: Verdict;
}

export interface FakeOptions {
  readonly name?: string;
  readonly variants?: readonly FakeVariant[];
  readonly runs?: number;
  readonly source?: Findings['meter']['source'];
  readonly complete?: boolean;
  readonly checks?: Findings['quality']['checks'];
  readonly noiseFloor?: number | null;
  /** Every value that may be null is null. */
  readonly bare?: boolean;
  readonly traces?: boolean;
}

export const twoVariants: readonly FakeVariant[] = [
  { name: 'native', meanJ: 250.1, sdJ: 1.6, durationS: 12 },
  { name: 'container', meanJ: 257.9, sdJ: 1.9, durationS: 12.05, verdict: 'increase' },
];

export function fakeAnalysis(options: FakeOptions = {}): Analysis {
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
      quality: { noise_floor_percent: options.noiseFloor ?? null, checks: options.checks ?? [] },
      variants: variants.map((v, i) => variantFindings(v, energies[i]!, options.bare ?? false)),
      comparisons: variants.slice(1).map((v, i) => {
        const made = comparison(baseline, v, energies[0]!, energies[i + 1]!, options.bare ?? false);
        return { ...made, channel };
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
  cpus: 12,
  memoryBytes: 72 * 2 ** 30,
  kernel: '6.1.0-40-amd64',
  os: 'Debian GNU/Linux 12 (bookworm)',
  governor: 'performance',
  turbo: false,
  virtualization: null,
  node: 'v24.21.0',
  docker: { version: '20.10.24', storageDriver: 'overlay2', networkDriver: 'bridge', cgroup: 'v2' },
};

function meterOf({ source = 'measured', bare }: FakeOptions): Findings['meter'] {
  const modelled = source === 'modelled';
  return {
    type: modelled ? 'estimate' : source === 'unknown' ? 'csv' : 'watts-up-pro',
    address: modelled || bare ? null : '/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A600',
    measured: source === 'measured',
    source,
    sampling_period_s: bare ? null : modelled ? 0.1 : 1,
    accuracy: modelled || bare ? null : { gain_percent: 1.5, offset_w: 0.3 },
    identity: modelled || bare ? {} : { model: 'Watts up? PRO', firmware: '2.9.4' },
    remarks: modelled ? ['Power is computed from the use of the processor: 10 W idle and 6.5 W a busy core.'] : [],
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
        channel,
        samples: Math.ceil(durationS),
      });
    }
  }
  return runs;
}

function variantFindings(v: FakeVariant, energiesJ: readonly number[], bare: boolean): VariantFindings {
  const durationS = v.durationS ?? 12;
  const none = bare || energiesJ.length === 0;
  const scaled = (f: (e: number) => number): Summary | null => (none ? null : summary(energiesJ.map(f)));
  return {
    name: v.name,
    kind: v.name === 'native' ? 'native' : 'container',
    image:
      v.name === 'native' || bare
        ? null
        : { reference: 'debian-sort:latest', id: `sha256:${'ab12'.repeat(16)}`, digest: null },
    runs: energiesJ.length,
    excluded: [],
    flagged: [],
    energy_j: scaled((e) => e),
    net_energy_j: scaled((e) => e - 8 * durationS),
    duration_s: scaled(() => durationS),
    mean_power_w: scaled((e) => e / durationS),
    shapiro_wilk: none ? null : { w: 0.97, p: 0.41 },
    energy_time_pearson: none ? null : { r: 0.93, p: 0.0000002, ci95: [0.85, 0.97] },
  };
}

export function summary(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const mean = values.reduce((s, v) => s + v, 0) / values.length;
  const sd = Math.sqrt(values.reduce((s, v) => s + (v - mean) ** 2, 0) / Math.max(1, values.length - 1));
  const at = (q: number): number => sorted[Math.round((sorted.length - 1) * q)]!;
  const half = (2.05 * sd) / Math.sqrt(values.length);
  return {
    mean,
    sd: values.length > 1 ? sd : null,
    median: at(0.5),
    mad: 0.67 * sd,
    q1: at(0.25),
    q3: at(0.75),
    min: sorted[0]!,
    max: sorted.at(-1)!,
    mean_ci95: values.length > 1 ? [mean - half, mean + half] : null,
  };
}

function comparison(
  baseline: string,
  v: FakeVariant,
  base: readonly number[],
  other: readonly number[],
  bare: boolean,
): Comparison {
  const none = bare || base.length === 0 || other.length === 0;
  const [a, b] = none ? [null, null] : [summary(base), summary(other)];
  const ratio = a === null || b === null ? 1 : b.mean / a.mean;
  const halfLog =
    a === null || b === null
      ? 0
      : (2.05 * Math.hypot((a.sd ?? 0) / a.mean, (b.sd ?? 0) / b.mean)) / Math.sqrt(base.length);
  const estimate = 100 * (ratio - 1);
  const half = 100 * halfLog;
  const few = none || base.length < 6;
  const shown = Math.abs(estimate) < half ? 'inconclusive' : estimate > 0 ? 'increase' : 'decrease';
  const verdict = few ? 'inconclusive' : (v.verdict ?? shown);
  const timeLog = 0.1 * Math.log(ratio);
  const difference = a === null || b === null ? 0 : b.mean - a.mean;
  const clear = verdict === 'increase' || verdict === 'decrease';
  return {
    baseline,
    variant: v.name,
    channel: 'wall',
    metric: 'energy_j',
    n_baseline: base.length,
    n_variant: other.length,
    blocks: bare ? null : Math.min(base.length, other.length),
    percent: {
      estimate: none ? null : estimate,
      ci95: none || base.length < 4 ? null : [estimate - half, estimate + half],
      ci90: few ? null : [estimate - 0.83 * half, estimate + 0.83 * half],
      confidence: none || base.length < 4 ? null : few ? 0.9375 : 0.9507,
      of_means: none ? null : estimate,
      of_medians: none ? null : estimate * 0.98,
      mean_log: none ? null : estimate * 1.01,
      mean_log_ci95: none ? null : [estimate - 1.1 * half, estimate + 1.1 * half],
    },
    difference: {
      of_means: none ? null : difference,
      welch_ci95: none ? null : [difference - 2.05, difference + 2.05],
      hodges_lehmann: none ? null : difference * 0.99,
      hodges_lehmann_ci95: none ? null : [difference - 2.1, difference + 2.1],
    },
    tests: {
      wilcoxon_signed_rank: none
        ? null
        : { w_plus: 451, p: clear ? 0.0000031 : 0.34, n_nonzero: base.length, n_zero: 0 },
      paired_t_log: none ? null : { t: 8.2, df: 29, p: clear ? 0.0000012 : 0.31 },
      sign_flip: none ? null : { p: clear ? 0.00001 : 0.33 },
      welch_t: none ? null : { t: 7.9, df: 56.4, p: clear ? 0.000002 : 0.3 },
      mann_whitney: none ? null : { u: 814, p: clear ? 0.0000022 : 0.37, method: 'exact' },
      brunner_munzel: none ? null : { w: 12.1, p: clear ? 0.000001 : 0.35 },
      kruskal_wallis: null,
      tost: none ? null : { margin_percent: 1, p: clear ? 0.99 : 0.2 },
    },
    effect: {
      cliffs_delta: none
        ? null
        : {
            value: clear ? 0.81 * Math.sign(estimate) : 0.12,
            ci95: [0.6, 0.92],
            magnitude: clear ? 'large' : 'negligible',
          },
      vargha_delaney_a: none ? null : 0.9,
      cohens_d: none ? null : { value: 1.95, ci95: [1.3, 2.6] },
      hedges_g: none ? null : { value: 1.93, ci95: [1.29, 2.57], magnitude: 'large' },
    },
    why: {
      log_energy: none ? null : { mean: Math.log(ratio), ci95: [Math.log(ratio) - halfLog, Math.log(ratio) + halfLog] },
      log_time: none ? null : { mean: timeLog, ci95: [timeLog - halfLog, timeLog + halfLog] },
      log_power: none ? null : { mean: Math.log(ratio) - timeLog, ci95: null },
      time_share: clear ? 0.1 : null,
      power_share: clear ? 0.9 : null,
    },
    minimum_detectable_percent: few ? null : 1.6 * half,
    sensitivity: { without_flagged: null, without_first_quarter: null, tail_effect: none ? null : false },
    verdict,
    sentence: sentence(v.name, baseline, verdict, estimate, half, a === null || b === null ? null : [a.mean, b.mean]),
  };
}

/** In the manner of the analysis: the verdict with its evidence, then what else is to be said. */
function sentence(
  name: string,
  baseline: string,
  verdict: Verdict,
  estimate: number,
  half: number,
  means: readonly [number, number] | null,
): string {
  if (means === null) return `Inconclusive: there is no valid run of ${baseline} and of ${name}.`;
  const [low, high] = [(estimate - half).toFixed(1), (estimate + half).toFixed(1)];
  const change = `${Math.abs(estimate).toFixed(1)} % ${estimate < 0 ? 'less' : 'more'}`;
  const run = `Mean run: ${means[0].toFixed(1)} J → ${means[1].toFixed(1)} J`;
  if (verdict === 'inconclusive') {
    return `Inconclusive: ${name} used between ${low} and ${high} % more energy than ${baseline} (95 % CI; 30 blocks, exact signed-rank p = 0.34). With this noise these blocks would reliably show a change of ${(1.6 * half).toFixed(1)} % or more; more blocks or a quieter machine would show less.`;
  }
  if (verdict === 'equivalent') {
    return `${name} and ${baseline} are equivalent within ±1 % (90 % CI ${low} … ${high} %; 30 blocks). ${run}.`;
  }
  return `${name} used ${change} energy than ${baseline} (95 % CI ${low} … ${high} %; 30 blocks, exact signed-rank p < 0.001). ${run}; ${estimate < 0 ? 'less' : 'more'} in 29 of 30 blocks.`;
}

function traces(variants: readonly FakeVariant[], count: number, random: () => number, period: number): RunTrace[] {
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

function drawn(random: () => number, count: number, mean: number, sd: number): number[] {
  return Array.from({ length: count }, () => mean + sd * random());
}

/** Standard normal numbers: mulberry32 and Box-Muller. */
export function gaussian(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
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

/** One of each kind that a report must live with. */
export function everyAnalysis(): Record<string, Analysis> {
  const g = gaussian(7);
  const draw = (mean: number, sd: number): number[] => Array.from({ length: 30 }, () => mean + sd * g());
  const partial = {
    name: 'load',
    state: 'fail',
    detail: 'load average 3.2 before block 4',
    advice: 'Stop other work.',
  } as const;
  return {
    measured: fakeAnalysis(),
    modelled: fakeAnalysis({ source: 'modelled', variants: images(6) }),
    emulated: fakeAnalysis({ source: 'emulated', noiseFloor: 0.4 }),
    unknown: fakeAnalysis({ source: 'unknown' }),
    partial: fakeAnalysis({ runs: 11, complete: false, checks: [partial] }),
    inconclusive: fakeAnalysis({
      variants: [
        { name: 'native', energiesJ: draw(250, 3) },
        { name: 'container', energiesJ: draw(250.2, 3), verdict: 'inconclusive' },
      ],
    }),
    equivalent: fakeAnalysis({
      variants: [
        { name: 'native', energiesJ: draw(250, 1) },
        { name: 'container', energiesJ: draw(250.1, 1), verdict: 'equivalent' },
      ],
    }),
    constant: fakeAnalysis({
      variants: [
        { name: 'native', energiesJ: Array(30).fill(250) },
        { name: 'container', energiesJ: Array(30).fill(250) },
      ],
    }),
    few: fakeAnalysis({ runs: 5 }),
    single: fakeAnalysis({ runs: 1 }),
    lone: fakeAnalysis({ variants: [{ name: 'native' }] }),
    twelve: fakeAnalysis({ variants: images(12) }),
    hostile: fakeAnalysis({
      name: hostileNames.join(' '),
      variants: [{ name: 'native' }, ...hostileNames.map((name, i) => ({ name, meanJ: 251 + i }))],
      checks: hostileNames.map((text) => ({ name: text, state: 'warn', detail: text, advice: text })),
    }),
    bare: fakeAnalysis({
      bare: true,
      traces: false,
      source: 'unknown',
      variants: [
        { name: 'native', energiesJ: [] },
        { name: 'container', energiesJ: [] },
      ],
    }),
    nothing: { ...fakeAnalysis({ variants: [] }), traces: [] },
  };
}
