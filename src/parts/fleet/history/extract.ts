import { createHash } from 'node:crypto';
import { interval95 } from '../../../analysis/comparison/percent.ts';
import { InputError } from '../../../errors.ts';
import type { Findings } from '../../../findings/findings.ts';
import type { BenchmarkState } from '../../../findings/suite.ts';
import type { VariantFindings } from '../../../findings/variant.ts';
import { identityOf } from '../../../meters/registry.ts';
import { failedChecks } from '../../../report/verdict.ts';
import { benchmarkStates } from '../report/benchmark-states.ts';
import { type HistoryRecord, type HistoryVariant, RECORD_SCHEMA, readRecord } from './record.ts';

/** Origin of an experiment; null: unknown. */
export interface Origin {
  /** Web address of the repository. */
  readonly repository: string | null;
  readonly commit: string | null;
  readonly branch: string | null;
  /** Web address of the page where the report is. */
  readonly report: string | null;
}

export const NOWHERE: Origin = { repository: null, commit: null, branch: null, report: null };

/**
 * What the history keeps of an experiment: its primary channel, energies of one execution.
 * Throws InputError for findings that have no place in a line: unfinished ones, and such whose machine, meter or time is not known.
 */
export function extractRecord(findings: Findings, origin: Origin): HistoryRecord {
  const { experiment, meter, conditions } = findings;
  const { id, started_at: startedAt } = experiment;
  const channel = meter.channels[0];
  if (id === null || startedAt === null || conditions === null || meter.source === 'unknown' || channel === undefined) {
    throw new InputError(
      'These findings do not say which machine and meter they come from, so they cannot be added to a history.',
      { advice: 'Give the experiment.db or the findings.json of an experiment that joulediff measured.' },
    );
  }
  const ending = failedVariants(findings);
  const hasEnergies = ending.length === 0;
  if (!experiment.complete && hasEnergies) {
    throw new InputError('The experiment is not complete. A history keeps complete and failed ones.', {
      advice: 'To finish it, give the command that began it again, with --resume.',
    });
  }
  const stateOf = benchmarkStates(findings);
  const inState = (state: BenchmarkState) => findings.variants.filter(({ name }) => stateOf(name) === state);
  const failed = hasEnergies ? namesOfFailed(inState('failed')) : ending;
  const variants = hasEnergies ? inState('compared').flatMap(variantOf) : [];
  if (variants.length + failed.length === 0) {
    throw new InputError('No variant has a run that counts, so there is nothing to keep.');
  }
  const record: HistoryRecord = {
    schema: RECORD_SCHEMA,
    id,
    experiment: experiment.name,
    started_at: startedAt,
    joulediff_version: experiment.joulediff_version,
    ...origin,
    machine: {
      hostname: conditions.hostname,
      model: conditions.machine,
      cpu: conditions.cpu,
      cpus: conditions.cpu_count,
      virtualization: conditions.virtualization,
    },
    conditions: {
      kernel: conditions.kernel,
      governor: conditions.governor,
      turbo: conditions.turbo,
      docker: conditions.docker?.version ?? null,
    },
    meter: {
      type: meter.type,
      address: meter.address,
      source: meter.source,
      identity: createHash('sha256')
        .update(identityOf({ ...meter, source: meter.source }))
        .digest('hex')
        .slice(0, 16),
      channel,
    },
    variants,
    failed,
    failed_checks: failedChecks(findings).map(({ name }) => name),
    comparisons: (hasEnergies ? findings.comparisons : [])
      .filter((comparison) => comparison.channel === channel)
      .map(({ baseline, variant, percent, verdict }) => {
        const interval = interval95(percent);
        return { baseline, variant, percent: percent.estimate, ci95: interval && [...interval], verdict };
      }),
  };
  return readRecord(record, 'The extract of these findings');
}

/** Names of the variants whose failed runs ended the experiment. Empty if it was completed, stopped, or ended by something else, such as a lost meter. */
export function failedVariants({ quality, variants }: Findings): string[] {
  if (!quality.checks.some((check) => check.name === 'plan' && check.facts.ended === 'failed')) return [];
  return namesOfFailed(variants);
}

const namesOfFailed = (variants: readonly VariantFindings[]): string[] =>
  variants.filter(({ excluded }) => excluded.some(({ status }) => status === 'failed')).map(({ name }) => name);

/** Energies per execution, since the number of executions may differ between experiments. */
function variantOf(of: VariantFindings): HistoryVariant[] {
  const { name, kind, runs: n, facts, revision, energy_j: energy } = of;
  if (energy === null || !(energy.mean > 0)) return [];
  const each = (joules: number): number => joules / (of.executions_per_run ?? 1);
  const ci95 = energy.mean_ci95 && ([each(energy.mean_ci95[0]), each(energy.mean_ci95[1])] satisfies [number, number]);
  return [{ name, kind, ...(revision && { revision: revision.commit }), n, energy_j: each(energy.mean), ci95, facts }];
}
