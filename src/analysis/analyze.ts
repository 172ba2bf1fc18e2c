import { RunQueue } from '../measure/queue.ts';
import type { ChannelRecord, ExperimentRecord, StoreReader, VariantRecord } from '../store/records.ts';
import { VERSION } from '../version.ts';
import { checks } from './checks.ts';
import { compare } from './compare.ts';
import { describeVariant } from './describe.ts';
import type { Analysis, Comparison, Findings, RunResult, VariantFindings } from './findings.ts';
import { runEnergies } from './run-energies.ts';

/**
 * Samples to findings. Pure but for reading: the same file gives the same analysis on any machine.
 */
export function analyzeStore(reader: StoreReader): Analysis {
  const experiment = reader.experiment();
  const variants = reader.variants();
  const channels = reader.channels();
  const primary = channels[0];
  if (!primary) throw new Error('the experiment has no channel');
  const energies = runEnergies(reader);
  const ofPrimary = energies.runs.filter((run) => run.channel === primary.channel);
  const complete = isThrough(reader);
  const findings: Findings = {
    schema: 'joulediff/findings/1',
    experiment: {
      id: experiment.id,
      name: experiment.name,
      started_at: experiment.startedAt,
      seed: experiment.seed,
      order: experiment.order,
      repetitions_planned: experiment.repetitions,
      repetitions_completed: completedBlocks(ofPrimary, variants),
      complete,
      baseline: experiment.baseline,
      margin_percent: experiment.marginPercent,
      rest_s: experiment.restS,
      guard_s: experiment.guardS,
      joulediff_version: VERSION,
    },
    meter: meterFindings(primary, channels),
    conditions: reader.sessions()[0]?.conditions ?? null,
    quality: {
      noise_floor_percent: null,
      checks: checks({ experiment, sessions: reader.sessions(), energies, complete }),
    },
    variants: variants.map((variant) => variantFindings(variant, ofPrimary)),
    comparisons: comparisons(experiment, variants, channels, energies.runs),
  };
  return { findings, runs: energies.runs, traces: energies.traces };
}

function isThrough(reader: StoreReader): boolean {
  return (
    RunQueue.ofRecords(reader.plannedRuns(), reader.runs(), (_block, _attempt, variants) => variants).next() === null
  );
}

function completedBlocks(runs: readonly RunResult[], variants: readonly VariantRecord[]): number {
  const good = runs.filter((run) => run.status === 'ok');
  return [...Map.groupBy(good, (run) => run.block).values()].filter(
    (block) => new Set(block.map((run) => run.variant)).size === variants.length,
  ).length;
}

function meterFindings(primary: ChannelRecord, channels: readonly ChannelRecord[]): Findings['meter'] {
  const { type, address, source, accuracy, identity, remarks } = primary.meter;
  return {
    type,
    address,
    measured: source === 'measured',
    source,
    sampling_period_s: primary.samplingPeriodS,
    accuracy: accuracy && { gain_percent: accuracy.gainPercent, offset_w: accuracy.offsetW },
    identity,
    remarks,
    channels: channels.map((c) => c.channel),
  };
}

function variantFindings(variant: VariantRecord, runs: readonly RunResult[]): VariantFindings {
  const own = runs.filter((run) => run.variant === variant.name);
  const good = own.filter(isGood);
  const image = { reference: variant.imageReference, id: variant.imageId, digest: variant.imageDigest };
  return {
    name: variant.name,
    kind: variant.kind,
    image: Object.values(image).some((value) => value !== null) ? image : null,
    runs: good.length,
    excluded: own
      .filter((run) => run.status === 'failed' || run.status === 'invalid')
      .map((run) => ({ run: run.run, reason: run.reason ?? run.status })),
    ...describeVariant(good),
  };
}

function comparisons(
  experiment: ExperimentRecord,
  variants: readonly VariantRecord[],
  channels: readonly ChannelRecord[],
  runs: readonly RunResult[],
): Comparison[] {
  const others = variants.filter((variant) => variant.name !== experiment.baseline);
  return channels.flatMap(({ channel }) => {
    const good = (variant: string) => runs.filter((r) => r.channel === channel && r.variant === variant).filter(isGood);
    return others.map(({ name }) =>
      compare(good(experiment.baseline), good(name), {
        baseline: experiment.baseline,
        variant: name,
        channel,
        marginPercent: experiment.marginPercent,
        seed: experiment.seed,
      }),
    );
  });
}

type GoodRun = RunResult & { readonly energyJ: number };

function isGood(run: RunResult): run is GoodRun {
  return run.status === 'ok' && run.energyJ !== null;
}
