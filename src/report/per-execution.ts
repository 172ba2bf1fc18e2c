import type { Analysis, RunResult } from '../analysis/results.ts';
import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import type { Counter, Resource } from '../findings/resources.ts';
import type { VariantFindings } from '../findings/variant.ts';

/** Executions of the command in each run, the largest number of all variants. Compared runs always have equal numbers. */
export const executionsPerRun = ({ variants }: Pick<Findings, 'variants'>): number =>
  Math.max(1, ...variants.map(({ executions_per_run: count }) => count ?? 1));

/** Unit of work that shown energies, durations and amounts refer to. */
export const unitOfWork = (findings: Pick<Findings, 'variants'>): 'run' | 'execution' =>
  executionsPerRun(findings) === 1 ? 'run' : 'execution';

/** Resources that are not divided by the executions of a run: peaks, frequencies and temperatures. */
const STATES: ReadonlySet<Resource | Counter> = new Set<Resource>([
  'peak_memory_bytes',
  'services_peak_memory_bytes',
  'mean_frequency_hz',
  'frequency_after_hz',
  'temperature_after_c',
]);

/**
 * Findings with energies (joules), durations (seconds) and amounts per execution instead of per run.
 * Files keep the measured values per run.
 */
export function perExecution(findings: Findings): Findings {
  if (executionsPerRun(findings) === 1) return findings;
  const shareOf = sharesOf(findings);
  const { checks } = findings.quality;
  // A check's values about several variants have one unit.
  const share = findings.suite === undefined ? 1 / executionsPerRun(findings) : 1;
  return {
    ...findings,
    variants: findings.variants.map((variant) => variantShare(variant, shareOf(variant.name))),
    comparisons: findings.comparisons.map((comparison) => comparisonShare(comparison, shareOf(comparison.variant))),
    quality: {
      ...findings.quality,
      checks: checks.map((check) =>
        check.name === 'counter' || check.name === 'scale' ? scaledKeys(check, share, JOULES) : check,
      ),
    },
    ...(findings.factorial && {
      factorial: {
        ...findings.factorial,
        simple: [
          comparisonShare(findings.factorial.simple[0], share),
          comparisonShare(findings.factorial.simple[1], share),
        ],
      },
    }),
  };
}

/** The analysis for tables and charts, per execution. Traces of power stay those of the window. The result is cached, since every chart uses it. */
export function analysisPerExecution<T extends Pick<Analysis, 'findings' | 'runs'>>(analysis: T): T {
  if (executionsPerRun(analysis.findings) === 1) return analysis;
  const made = known.get(analysis) ?? scaledAnalysis(analysis);
  known.set(analysis, made);
  return made as T;
}

const known = new WeakMap<object, object>();

/** The analysis with numbers per execution. Getters are copied unevaluated, since a page unpacks its readings only on access. */
function scaledAnalysis(analysis: Pick<Analysis, 'findings' | 'runs'>): object {
  // A run of the warm-up may hold fewer executions than the compared ones.
  const runs = analysis.runs.map((run) => runShare(run, 1 / (run.executions ?? 1)));
  const own = { findings: perExecution(analysis.findings), runs };
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(analysis), ...Object.getOwnPropertyDescriptors(own) },
  );
}

/** Factor from a run to one execution, by variant. */
function sharesOf(findings: Findings): (variant: string) => number {
  const counts = new Map(findings.variants.map(({ name, executions_per_run: count }) => [name, count]));
  return (variant) => 1 / (counts.get(variant) ?? executionsPerRun(findings));
}

const JOULES = /(?:^|_)(?:j|joules)$/;
const AMOUNTS = /(?:^|_)(?:j|s|joules)$/;

function variantShare(variant: VariantFindings, share: number): VariantFindings {
  const { counters } = variant;
  return {
    ...variant,
    ...scaled(
      { energy_j: variant.energy_j, net_energy_j: variant.net_energy_j, duration_s: variant.duration_s },
      share,
    ),
    energy_uncertainty_j: scaled(variant.energy_uncertainty_j, share, ['coverage_factor']),
    net_energy_uncertainty_j: scaled(variant.net_energy_uncertainty_j, share, ['coverage_factor']),
    resources: scaled(variant.resources, share, ['peak_memory_bytes']),
    distribution: scaled(variant.distribution, share, ['cv', 'skewness', 'excess_kurtosis', 'median_confidence']),
    ...(counters && {
      counters: counters.map((one) =>
        STATES.has(one.counter) ? one : { ...one, value: one.value && scaled(one.value, share) },
      ),
    }),
    ...(variant.phases && { phases: variant.phases.map((phase) => scaledKeys(phase, share, AMOUNTS)) }),
  };
}

function comparisonShare(comparison: Comparison, share: number): Comparison {
  const { joules, typical, net_energy: net, alternatives, descriptive, resources, contributions, phases } = comparison;
  return {
    ...comparison,
    ...(joules && { joules: scaled(joules, share) }),
    ...(typical && {
      typical: {
        ...typical,
        energy_j: scaled(typical.energy_j, share, ['percent']),
        duration_s: scaled(typical.duration_s, share, ['percent']),
      },
    }),
    difference: scaled(comparison.difference, share),
    net_energy: net && scaledKeys(net, share, JOULES),
    mean_energy_j: scaled(comparison.mean_energy_j, share),
    coarse: comparison.coarse && scaledKeys(comparison.coarse, share, JOULES),
    tail: scaledKeys(comparison.tail, share, JOULES),
    alternatives: alternatives && {
      ...alternatives,
      shift_joules: scaledKeys(alternatives.shift_joules, share, /^interval$/),
    },
    descriptive: descriptive && {
      ...descriptive,
      paired_t_joules: scaledKeys(descriptive.paired_t_joules, share, /^(?:mean|ci95)$/),
    },
    ...(contributions && { contributions: scaledKeys(contributions, share, /^(?:difference_j|ci95)$/) }),
    ...(phases && { phases: phases.map((phase) => scaledKeys(phase, share, JOULES)) }),
    ...(resources && {
      resources: resources.map((one) =>
        STATES.has(one.resource)
          ? one
          : scaledKeys(one, share, /^(?:baseline_mean|variant_mean|difference|ci95|open)$/),
      ),
    }),
  };
}

function runShare(run: RunResult, share: number): RunResult {
  const { energyJ, netEnergyJ, durationS, uncertaintyJ, netUncertaintyJ, resources, counters } = run;
  return {
    ...run,
    ...scaled({ energyJ, netEnergyJ, durationS, uncertaintyJ, netUncertaintyJ }, share),
    resources: scaled(resources, share, ['peakMemoryBytes']),
    ...(counters && {
      counters: counters.map((one) =>
        one.value === null || STATES.has(one.counter) ? one : { ...one, value: one.value * share },
      ),
    }),
  };
}

/** A copy in which every number is multiplied by `share`, except below the keys of `kept`. */
function scaled<T>(value: T, share: number, kept: readonly string[] = []): T {
  if (typeof value === 'number') return (value * share) as T;
  if (Array.isArray(value)) return value.map((one) => scaled(one, share, kept)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, kept.includes(key) ? one : scaled(one, share, kept)]),
  ) as T;
}

/** A copy in which every number below a key that matches `keys`, at any depth, is multiplied by `share`. */
function scaledKeys<T>(value: T, share: number, keys: RegExp): T {
  if (Array.isArray(value)) return value.map((one) => scaledKeys(one, share, keys)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      keys.test(key) ? scaled(one, share) : scaledKeys(one, share, keys),
    ]),
  ) as T;
}
