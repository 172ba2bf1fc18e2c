import type { Analysis } from '../../src/analysis/results.ts';
import type { Comparison } from '../../src/findings/comparison.ts';
import type { Findings } from '../../src/findings/findings.ts';

const comparison: Comparison = {
  baseline: 'native',
  variant: 'container',
  channel: 'wall',
  metric: 'energy_j',
  n_baseline: 6,
  n_variant: 6,
  n_not_positive: { baseline: 0, variant: 0 },
  blocks: 6,
  percent: {
    estimate: 2.5,
    ci95: [-0.25, 5],
    ci90: [0, 4.5],
    confidence: 0.96875,
    of_means: 2.6,
    of_medians: 2.4,
    mean_log: 2.5,
    mean_log_ci95: [0, 5],
  },
  difference: { of_means: 1e-7, welch_ci95: [0, 1], hodges_lehmann: 0.2, hodges_lehmann_ci95: [0, 1] },
  tests: {
    wilcoxon_signed_rank: { w_plus: 18, p: 0.15625, n_nonzero: 6, n_zero: 0 },
    paired_t_log: null,
    sign_flip: null,
    welch_t: null,
    mann_whitney: { u: 30, p: 0.0649, method: 'exact' },
    brunner_munzel: null,
    kruskal_wallis: null,
    tost: null,
  },
  p_holm: null,
  effect: {
    cliffs_delta: { value: 0, ci95: null, magnitude: 'negligible' },
    vargha_delaney_a: 0.5,
    vargha_delaney_a_ci95: null,
    cohens_d: null,
    hedges_g: null,
  },
  why: { log_energy: null, log_time: null, log_power: null, time_share: null, power_share: null },
  minimum_detectable_percent: null,
  sensitivity: { without_flagged: null, without_first_quarter: null, tail_effect: null },
  verdict: 'inconclusive',
  reason: 'open',
  meter_uncertainty_percent: null,
  net_energy: null,
  mean_energy_j: { baseline: 4, variant: 4.1 },
  tail: { disagreement: null, half_width: null, flags_p: null },
  p_benjamini_hochberg: null,
  undefined_because: {},
  alternatives: null,
  descriptive: null,
  family_size: 1,
};

/** Findings with one comparison, `change` laid over it. */
export function findings(change: Partial<Comparison> = {}, noiseFloorPercent: number | null = null): Findings {
  return {
    schema: 'joulediff/findings/1',
    experiment: {
      id: 'x',
      name: 'sort',
      started_at: null,
      seed: 1,
      order: 'randomized-blocks',
      repetitions_planned: 6,
      repetitions_completed: 6,
      complete: true,
      baseline: 'native',
      margin_percent: 1,
      rest_s: 1,
      guard_s: 1,
      joulediff_version: '0',
    },
    meter: {
      type: 'estimate',
      address: null,
      measured: false,
      source: 'modelled',
      part: null,
      sampling_period_s: 1,
      accuracy: null,
      identity: {},
      remarks: [],
      passport: null,
      channels: ['wall'],
    },
    conditions: null,
    quality: { noise_floor_percent: noiseFloorPercent, noise_floor: null, machine: null, checks: [] },
    variants: [],
    comparisons: [{ ...comparison, ...change }],
  };
}

export const analysis = (): Analysis => ({ findings: findings(), runs: [], traces: [] });
