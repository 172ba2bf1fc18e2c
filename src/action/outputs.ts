import { setOutput } from '@actions/core';
import { interval95 } from '../analysis/comparison/percent.ts';
import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import { perExecution } from '../report/per-execution.ts';
import { byInterest, failedChecks, failing, isChanged, primaryComparisons } from '../report/verdict.ts';

/** The outputs of the action, as action.yml declares them. */
export const OUTPUT_NAMES = [
  'verdict',
  'failed-checks',
  'delta-percent',
  'delta-joules',
  'ci-low',
  'ci-high',
  'p-value',
  'cliffs-delta',
  'hedges-g',
  'noise-floor-percent',
  'threshold-crossed',
  'changed',
  'worst',
  'report-path',
  'database-path',
  'comment-url',
  'artifact-url',
  'report-url',
] as const;

export type OutputName = (typeof OUTPUT_NAMES)[number];

type Value = string | number | null | undefined;

/** Locations of the result's parts; null: there is none. */
export interface ResultLocations {
  readonly reportPath: string | null;
  readonly databasePath: string | null;
  readonly commentUrl: string | null;
  readonly artifactUrl: string | null;
  readonly reportUrl: string | null;
}

/**
 * The outputs of the action, by name, from the first comparison. Numbers as JSON writes them; empty where there is none.
 * `ci-low` and `ci-high` bound `delta-percent` at 95 %, and are empty where so few blocks don't reach it; `delta-joules` is the same change in joules of one execution.
 * `all`: every experiment that thresholds and suites are looked up in.
 */
export function outputsOf(
  findings: Findings | null,
  locations: ResultLocations,
  all: readonly Findings[] = findings === null ? [] : [findings],
): Record<OutputName, string> {
  const first = findings && perExecution(findings).comparisons[0];
  const interval = first && interval95(first.percent);
  const values: Record<OutputName, Value> = {
    verdict: first?.verdict,
    'failed-checks':
      findings &&
      failedChecks(findings)
        .map(({ name }) => name)
        .join(', '),
    'delta-percent': first?.percent.estimate,
    'delta-joules': first?.joules?.estimate ?? first?.difference.of_means,
    'ci-low': interval?.[0],
    'ci-high': interval?.[1],
    'p-value': first && decidingP(first),
    'cliffs-delta': first?.effect.cliffs_delta?.value,
    'hedges-g': first?.effect.hedges_g?.value,
    'noise-floor-percent': findings?.quality.noise_floor_percent,
    'threshold-crossed': all.some(({ thresholds }) => thresholds)
      ? String(all.some((one) => failing(one).length > 0))
      : null,
    ...suiteOutputs(all),
    'report-path': locations.reportPath,
    'database-path': locations.databasePath,
    'comment-url': locations.commentUrl,
    'artifact-url': locations.artifactUrl,
    'report-url': locations.reportUrl,
  };
  const texts = Object.entries(values).map(([name, value]) => [name, format(value)]);
  return Object.fromEntries(texts) as Record<OutputName, string>;
}

/** Outputs of suites: the changed benchmarks, and the one with the largest increase; empty without a suite. */
function suiteOutputs(all: readonly Findings[]): Record<'changed' | 'worst', Value> {
  const suites = all.filter(({ suite }) => suite !== undefined);
  const changed = byInterest(suites.flatMap(primaryComparisons)).filter(isChanged);
  const names = new Set(changed.map(({ variant }) => variant));
  return { changed: [...names].join('\n'), worst: changed.find(({ verdict }) => verdict === 'increase')?.variant };
}

/** Throws where the runner's output file can't be written. */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(outputs)) {
    setOutput(name, value);
  }
}

function format(value: Value): string {
  const missing = value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value));
  return missing ? '' : String(value);
}

/** The p by which the verdict is decided: adjusted for the interim analyses, and for the other comparisons. */
function decidingP({
  benchmark,
  p_benjamini_hochberg: rate,
  p_holm: pHolm,
  look,
  tests,
}: Comparison): number | undefined {
  const adjusted = benchmark === undefined ? pHolm : rate;
  return adjusted ?? look?.repeated_p ?? (tests.wilcoxon_signed_rank ?? tests.mann_whitney)?.p;
}
