import type { Comparison, Summary, Verdict } from '../../../src/findings/findings.ts';
import type { FakeVariant } from './variant.ts';

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

export function comparison(
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
    p_holm: null,
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
