import type { ObservedRun } from '../contracts/observed-run.ts';
import { batchState } from '../experiment/batches.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { mergeMetrics } from '../experiment/metrics.ts';
import { benchmarksByVariant } from '../experiment/suite.ts';
import type { Comparison } from '../findings/comparison.ts';
import type { Explanation } from '../findings/explain.ts';
import type { Findings } from '../findings/findings.ts';
import type { VariantFindings } from '../findings/variant.ts';
import { isMachine, machineOf } from '../hosts/address.ts';
import { type InterimPlan, interimPlan } from '../schedule/interims.ts';
import { type PlanProgress, planProgress } from '../schedule/plan-progress.ts';
import { median } from '../stats/quantiles.ts';
import type { StoreReader } from '../store/reader.ts';
import type { ChannelRecord, VariantRecord } from '../store/records.ts';
import { VERSION } from '../version.ts';
import { nominalLevels } from './analyze-interim.ts';
import { type Contrasts, comparisons as compare, completedBlocks } from './assemble.ts';
import { offsetUncertaintyW } from './calibrated.ts';
import { machineStatistics } from './checks/checked-runs.ts';
import { checks } from './checks.ts';
import { channelParts, contributions } from './contributions.ts';
import { variantFindings } from './describe.ts';
import { effectsFindings } from './effects.ts';
import { factorialFindings } from './factorial.ts';
import { twoByTwo } from './factorial-cells.ts';
import { fairness } from './fairness.ts';
import { withGoals } from './goals.ts';
import { measuringCost } from './measuring-cost.ts';
import { inlineNoiseFloor, type NoiseFindings, storedNoiseFloor, withNoiseChecks } from './noise-floor.ts';
import type { FoundLines } from './phases/auto.ts';
import { REMAINDER_CHANNEL, remainderRuns, wholeAndInside } from './remainder.ts';
import { withResources } from './resources.ts';
import type { Analysis, RunResult } from './results.ts';
import { runEnergies } from './run-energies.ts';
import { comparedSuite, findLastBlocks, findLooping, suiteBlocks, suiteFindings } from './suite.ts';

/** Evaluation of observed extra runs by an optional part; null: there are none. `runs`: those of the experiment, on the primary channel; `pairs`: what is compared. */
export type Explaining = (
  reader: StoreReader,
  runs: readonly RunResult[],
  pairs: readonly Pick<Comparison, 'baseline' | 'variant'>[],
  variants: readonly string[],
) => { readonly explanation: Explanation; readonly observed: readonly ObservedRun[] } | null;

/**
 * Computes the findings from the samples. The same file gives the same analysis on any machine. Without `explain`, extra runs are left out.
 */
export function analyzeStore(reader: StoreReader, explain?: Explaining): Analysis {
  const experiment = reader.experiment();
  const variants = reader.variants();
  const channels = reader.channels();
  const primary = channels[0];
  if (!primary) throw new Error('the experiment has no channel');
  const energies = runEnergies(reader);
  const runs = [...energies.runs, ...remainderRuns(energies.runs, channels)];
  const ofPrimary = runs.filter((run) => run.channel === primary.channel);
  const definition = reader.definition();
  const progress = planProgress({
    benchmarks: benchmarksByVariant(definition.suite),
    planned: reader.plannedRuns(),
    runs: reader.runs(),
    looks: reader.looks(),
    repetitions: experiment.repetitions,
  });
  const compared =
    definition.suite && comparedSuite(definition.suite, ofPrimary, primary, progress.dropped, findLooping(reader));
  const pairs = compared?.pairs ?? definition.comparisons;
  const cells = compared && new Set(compared.pairs.flatMap(({ baseline, variant }) => [baseline, variant]));
  const ofCompared = cells === undefined ? ofPrimary : ofPrimary.filter(({ variant }) => cells.has(variant));
  const interims = interimPlan(definition, experiment.repetitions);
  const { blocks: through, stoppedBecause } = progress;
  const looks = interims && { ...interims, through, stoppedBecause, lastBlocks: findLastBlocks(reader) };
  const shown = variants.filter(({ hidden }) => !hidden);
  const workloads = new Map(definition.variants.map(({ name, workload }) => [name, workload]));
  const printedBy = (variant: string) => mergeMetrics(definition, workloads.get(variant) ?? {});
  const noise = findNoise(reader, ofPrimary);
  const checked = {
    experiment,
    energies,
    ...progress,
    sessions: reader.sessions(),
    incidents: reader.incidents(),
    quietInspections: reader.quietInspections(),
    asksForStarts: definition.batchStarts === true,
    batch: batchState(definition),
    pairs,
    cells,
    meter: primary.meter,
    ...summarizeRests(ofPrimary, definition),
  };
  const question: Contrasts = {
    baseline: experiment.baseline,
    variants: shown.map(({ name }) => name),
    channels: [...new Set([...channels, ...runs].map(({ channel }) => channel))],
    marginPercent: experiment.marginPercent,
    seed: experiment.seed,
    ...(looks && { looks }),
    offsetW: offsets(channels),
    metricsFor: printedBy,
    pairs,
  };
  const comparisons = withResources(withParts(runs, primary, channels, question), runs, primary.channel);
  const hasFailed = !progress.complete && reader.sessions().at(-1)?.end?.kind === 'failed';
  const pairsOfPrimary = comparisons.filter(({ channel }) => channel === primary.channel);
  const explained = explain?.(reader, ofPrimary, pairsOfPrimary, question.variants);
  const findings: Findings = {
    schema: 'joulediff/findings/1',
    experiment: {
      id: experiment.id,
      name: experiment.name,
      started_at: experiment.startedAt,
      ...commitOf(reader, shown),
      seed: experiment.seed,
      order: experiment.orderRule,
      repetitions_planned: experiment.repetitions,
      warmup_blocks: definition.warmup.runs,
      repetitions_completed: compared ? suiteBlocks(compared, ofCompared) : completedBlocks(ofPrimary, variants.length),
      complete: progress.complete,
      ...(interims && { looks: interimFindings(reader, interims, progress) }),
      ...(energies.foundPhases?.lines && { phase_lines: phaseLines(energies.foundPhases.lines) }),
      baseline: experiment.baseline,
      margin_percent: experiment.marginPercent,
      rest_s: experiment.restS,
      guard_s: experiment.guardS,
      ...(checked.rests && { rests: checked.rests }),
      ...servicesOf(definition),
      joulediff_version: VERSION,
    },
    meter: meterFindings(primary, channels),
    conditions: reader.sessions()[0]?.conditions ?? null,
    quality: {
      noise_floor_percent: noise.floor?.percent ?? null,
      noise_floor: noise.floor,
      machine: machineStatistics(runs, primary.channel, experiment.baseline),
      checks: checks({ ...checked, variants }),
    },
    variants: shown.map((variant) => variantFindings(describedAs(variant), ofPrimary, printedBy(variant.name))),
    comparisons: hasFailed ? comparisons.map(asFailed) : comparisons,
    ...(compared && { suite: suiteFindings(compared, ofPrimary, experiment.marginPercent, looks) }),
    ...computeFairness(reader, comparisons),
    ...(explained && { explanation: explained.explanation }),
    ...ofMatrix(runs, definition.factorial, question, hasFailed),
  };
  const reported = withGoals(withNoiseChecks(findings, noise), runs, definition, looks);
  const cost = measuringCost(reported, energies.channels);
  return {
    findings: { ...reported, cost },
    runs,
    traces: energies.traces,
    ...(explained && { observed: explained.observed }),
  };
}

/** Rests whose length depended on the machine's settling. */
function summarizeRests(
  runs: readonly RunResult[],
  { restUpToS }: Pick<Experiment, 'restUpToS'>,
): Pick<Findings['experiment'], 'rests'> {
  const rests = runs.flatMap(({ status, rest }) => ((status === 'ok' || status === 'warmup') && rest ? [rest] : []));
  if (restUpToS === undefined || rests.length === 0) return {};
  const seconds = rests.map(({ s }) => s);
  return {
    rests: {
      up_to_s: restUpToS,
      median_s: median(seconds),
      least_s: Math.min(...seconds),
      most_s: Math.max(...seconds),
      longest: rests.filter(({ end }) => end === 'longest').length,
      runs: rests.length,
    },
  };
}

/** Files of the first session. A check reports where those of a resumed one differ. */
function commitOf(reader: StoreReader, shown: readonly VariantRecord[]): Pick<Findings['experiment'], 'commit'> {
  const { commit, changes } = reader.sessions()[0]?.files ?? { commit: null, changes: null };
  if (commit === null || shown.every(({ revision }) => revision !== null)) return {};
  return { commit: { sha: commit, dirty: changes !== null } };
}

function computeFairness(reader: StoreReader, compared: readonly Comparison[]): Pick<Findings, 'fairness'> {
  const pairs = [...new Map(compared.map((of) => [JSON.stringify([of.baseline, of.variant]), of])).values()];
  const found = fairness(reader.variants(), pairs, reader.sessions()[0]?.conditions.memory_bytes ?? null);
  return found === null ? {} : { fairness: found };
}

function phaseLines({ common, used, printedAt, merged, slices }: FoundLines) {
  if (used === 0) return { common, used, slices };
  return { common, used, printed_at: printedAt, ...(merged.length > 0 && { merged }) };
}

/** Services beside the workload, and whether the window is theirs. */
function servicesOf(
  experiment: Experiment,
): Pick<Findings['experiment'], 'services' | 'window' | 'client_place' | 'client_machine'> {
  const { services, window } = experiment;
  const place = clientPlace(experiment);
  if (services === undefined) return place;
  const named = services.map(({ name, place, lifetime }) => ({
    name,
    ...(isMachine(place) ? { place: 'machine' as const, machine: machineOf(place) } : { place }),
    lifetime,
  }));
  return { ...place, window: window ?? 'workload', services: named };
}

function clientPlace({
  client,
  variants,
}: Experiment): Pick<Findings['experiment'], 'client_place' | 'client_machine'> {
  if (client !== undefined) return { client_place: 'machine', client_machine: machineOf(client.address) };
  return variants.some(({ workload }) => workload.place === 'host') ? { client_place: 'host' } : {};
}

/** Findings of a factorial design: contrasts for a 2 × 2 design, else effects. */
function ofMatrix(
  runs: readonly RunResult[],
  matrix: Experiment['factorial'],
  question: Contrasts,
  hasFailed: boolean,
): Pick<Findings, 'factorial' | 'effects'> {
  if (matrix === undefined) return {};
  const failed = { verdict: 'failed', reason: 'failed' } as const;
  const design = twoByTwo(matrix);
  if (design === null) {
    const effects = effectsFindings(runs, matrix, {
      channel: question.channels[0] ?? '',
      seed: (question.seed ?? 0) >>> 0,
      looks: question.looks ?? null,
    });
    const tested = effects.tested.map((effect) => ({ ...effect, verdict: 'inconclusive', reason: 'failed' }) as const);
    return { effects: hasFailed ? { ...effects, tested } : effects };
  }
  const factorial = factorialFindings(runs, design, question);
  if (!hasFailed) return { factorial };
  const { main, interaction, simple } = factorial;
  return {
    factorial: {
      ...factorial,
      main: [
        { ...main[0], ...failed },
        { ...main[1], ...failed },
      ],
      interaction: { ...interaction, ...failed },
      simple: [asFailed(simple[0]), asFailed(simple[1])],
    },
  };
}

/** Marks a comparison as failed: an experiment that could not be completed has no valid result. */
function asFailed({ to_settle: _, ...comparison }: Comparison): Comparison {
  return { ...comparison, verdict: 'failed', reason: 'failed' };
}

/** The comparisons; those on the primary channel get the contributions of its parts to the difference. */
function withParts(
  runs: readonly RunResult[],
  primary: ChannelRecord,
  channels: readonly ChannelRecord[],
  question: Contrasts,
): Comparison[] {
  const parts = channelParts(primary, channels);
  return compare(runs, question).map((comparison) => {
    const isShared = comparison.channel === primary.channel && parts.length > 0;
    const carried = isShared && contributions(runs, comparison, parts);
    return carried ? { ...comparison, contributions: carried } : comparison;
  });
}

/** The noise floor measured within the experiment; if there is none, the stored one from before. */
function findNoise(reader: StoreReader, ofPrimary: readonly RunResult[]): NoiseFindings {
  const { baseline, startedAt } = reader.experiment();
  const again = reader.variants().find(({ hidden }) => hidden);
  const inline = again ? inlineNoiseFloor(ofPrimary, { baseline, again: again.name, startedAt }) : null;
  const stored = reader.noiseFloor();
  if (inline && (inline.floor || !stored)) return inline;
  return { floor: stored && storedNoiseFloor(stored), check: null };
}

function offsets(channels: readonly ChannelRecord[]): Map<string, number> {
  const known = channels.flatMap(({ channel, meter, calibration }) => {
    // Converted to the limit of a rectangular distribution, as meter classes have it.
    const line = calibration && offsetUncertaintyW(calibration);
    const offsetW = calibration ? line && Math.sqrt(3) * line : (meter.accuracy?.offsetW ?? null);
    return typeof offsetW === 'number' ? [[channel, offsetW] as const] : [];
  });
  return new Map(known);
}

function interimFindings(reader: StoreReader, plan: InterimPlan, { blocks, stoppedAt, stoppedBecause }: PlanProgress) {
  const { planned, spending, wantPercent } = plan;
  return {
    planned,
    used: planned.filter((look) => look <= blocks).length,
    nominal_p: nominalLevels(plan),
    spending,
    ...(wantPercent !== undefined && { want_percent: wantPercent }),
    p: reader.looks().map(({ p }) => p),
    stopped_at: stoppedAt,
    stopped_because: stoppedBecause,
  };
}

function meterFindings(primary: ChannelRecord, channels: readonly ChannelRecord[]): Findings['meter'] {
  const { type, address, name, source, accuracy, identity, remarks, passport } = primary.meter;
  return {
    type,
    address,
    name,
    measured: source === 'measured',
    source,
    part: primary.part ?? null,
    sampling_period_s: primary.samplingPeriodS,
    accuracy: accuracy && { gain_percent: accuracy.gainPercent, offset_w: accuracy.offsetW },
    identity,
    remarks: [...remarks, ...remarksOfOthers(primary, channels)],
    passport,
    channels: channels.map((c) => c.channel),
    ...besides(primary, channels),
    ...otherSources(primary, channels),
  };
}

/** Remarks of the other meters, with their types: their numbers are in the result too. */
function remarksOfOthers(primary: ChannelRecord, channels: readonly ChannelRecord[]): string[] {
  const others = new Map(channels.map(({ meter }) => [meter.name, meter]));
  others.delete(primary.meter.name);
  return [...others.values()].flatMap(({ type, remarks }) => remarks.map((remark) => `${type}: ${remark}`));
}

/** Names of the other meters, so that a model beside an instrument can be recognized. */
function besides(primary: ChannelRecord, channels: readonly ChannelRecord[]): Pick<Findings['meter'], 'other_meters'> {
  const names = [...new Set(channels.map(({ meter }) => meter.name))].filter((name) => name !== primary.meter.name);
  return names.length === 0 ? {} : { other_meters: names };
}

function otherSources(
  primary: ChannelRecord,
  channels: readonly ChannelRecord[],
): Pick<Findings['meter'], 'channel_sources'> {
  const computed = wholeAndInside(channels)?.whole;
  const all = [...channels, ...(computed ? [{ ...computed, channel: REMAINDER_CHANNEL }] : [])];
  const others = all.filter(({ meter }) => meter.source !== primary.meter.source);
  if (others.length === 0) return {};
  return { channel_sources: Object.fromEntries(others.map(({ channel, meter }) => [channel, meter.source])) };
}

function describedAs(
  variant: VariantRecord,
): Pick<VariantFindings, 'name' | 'kind' | 'facts' | 'command' | 'revision'> {
  const { name, kind, facts, revision, definition } = variant;
  return { name, kind, facts, command: definition.workload.run, ...(revision && { revision }) };
}
