import { basename } from 'node:path';
import { OWN_COMMAND, type Workload } from '../contracts/variant.ts';
import { LOG_LIMITS } from '../executors/output-limit.ts';
import { isFindPhases } from '../executors/phases/phase-lines.ts';
import { resolvePlace, selectKind, type Variant } from '../executors/registry.ts';
import { loopsItself } from '../executors/repeat.ts';
import { isMachine } from '../hosts/address.ts';
import { label } from '../input/leaves.ts';
import { CALIBRATING_BLOCKS } from './batches.ts';
import type { Experiment, OnNoise } from './experiment.ts';
import { resolveGoals } from './goals.ts';
import { resolveHooks } from './hooks.ts';
import { factorialDesign, type GivenVariant, givenVariants, type Written } from './matrix.ts';
import { resolveMetrics } from './metrics.ts';
import { withSecondBaseline } from './noise.ts';
import { resolvePins } from './pins.ts';
import { resolveProfiles } from './profiles.ts';
import type { CheckedFile } from './schema.ts';
import { resolveServices } from './services.ts';
import { givenBenchmarks, loops, toListing, withBenchmarks } from './suite.ts';
import type { VariantFile } from './variant-schema.ts';

/**
 * Converts a checked file without conflicts to the experiment: fills in defaults, makes paths absolute, and gives each variant its workload. An
 * experiment without a name is named after its folder, or `folderName`.
 */
export function resolveExperiment(
  file: CheckedFile,
  directory: string,
  written: Written,
  folderName: string = basename(directory),
): Experiment {
  const { order } = written;
  const named = givenVariants(file, written);
  const { pins } = resolvePins(file);
  const variants = named.map(({ name, variant }) => {
    const resolved = resolveVariant(name, variant, file.workload, directory);
    const { workload } = resolved;
    return pins?.workload === undefined ? resolved : { ...resolved, workload: { ...workload, pin: pins.workload } };
  });
  const baseline = file.baseline ?? defaultBaseline(file, named) ?? '';
  const suite = resolveSuite(file, variants, baseline, written);
  const batch = resolveBatch(isOpenSuite(file, written) ? SUITE_BATCH : file.batch);
  const factorial = file.matrix ? factorialDesign(file.matrix, written, baseline) : null;
  return {
    name: file.name ?? (label.safeParse(folderName).success ? folderName : 'experiment'),
    directory,
    variants: file.noise === 'inline' ? withSecondBaseline(variants, baseline) : variants,
    baseline,
    ...resolveComparisons(file, named, baseline),
    ...suite,
    ...(factorial && { factorial }),
    ...resolveRepetitions(file.repetitions),
    warmup: { runs: warmupBlocks(file, written, batch, variants) },
    ...resolvePauses(file),
    ...batch,
    seed: file.seed ?? null,
    marginPercent: file.margin,
    meters: meterNames(file.meter),
    ...(file.host !== undefined && { host: file.host }),
    ...resolveClient(file.workload),
    ...(file['pass-env']?.length ? { passEnv: [...new Set(file['pass-env'])] } : {}),
    ...(pins && { pins }),
    ...resolvePhases(file.phases),
    ...resolveServices(file.services, order),
    ...resolveMetrics(file.metrics),
    ...resolveHooks(file.hooks),
    ...(file.window === 'service' && { window: 'service' as const }),
    ...(file.output === 'file' && { output: 'file' as const }),
    ...resolveLogs(file.logs),
    ...(file.explain.when !== 'never' && { explain: file.explain.when }),
    ...(file.explain.trace !== undefined && { trace: file.explain.trace }),
    ...resolveProfiles(file),
    ...resolveQuiet(file),
    ...resolveGoals(file),
    ...resolveHistory(file.history),
  };
}

/** The pairs to compare. `all`: each variant with the baseline and with every variant named before it. */
function resolveComparisons(
  { comparisons }: CheckedFile,
  named: readonly GivenVariant[],
  baseline: string,
): Pick<Experiment, 'comparisons'> {
  if (comparisons === undefined) return {};
  if (comparisons !== 'all') {
    return { comparisons: comparisons.map(([variant, to]) => ({ baseline: to, variant })) };
  }
  const names = [baseline, ...named.map(({ name }) => name).filter((name) => name !== baseline)];
  return { comparisons: names.flatMap((to, i) => names.slice(i + 1).map((variant) => ({ baseline: to, variant }))) };
}

/** Default for suites: short benchmarks are repeated until the window is long enough for the meter. */
const SUITE_BATCH = { executions: 'auto', starts: false, window: 1 } as const;

/** Whether benchmarks are repeated by default: not if the file has keys that exclude several executions in a window. */
const isOpenSuite = (file: CheckedFile, { given }: Written): boolean =>
  file.suite !== undefined &&
  given(['batch']) === undefined &&
  file.warmup.runs > 0 &&
  !isFindPhases(file.phases) &&
  file.host === undefined;

/** The given number of warm-up blocks; else as many as it takes to find the executions of a command that repeats itself, if there is one. */
function warmupBlocks(
  file: CheckedFile,
  written: Written,
  { batch }: Pick<Experiment, 'batch'>,
  own: readonly Variant[],
) {
  const isLooping = file.suite ? loops(file.suite).includes(true) : own.some((one) => loopsItself(one.workload.run));
  const isCalibrated = batch === 'auto' && isLooping && written.given(['warmup']) === undefined;
  return isCalibrated ? CALIBRATING_BLOCKS : file.warmup.runs;
}

/** Variants and benchmarks of a suite. Benchmarks that a command lists are known only when the experiment begins. */
function resolveSuite(file: CheckedFile, all: readonly Variant[], baseline: string, { order }: Written) {
  if (file.suite === undefined) return {};
  const variants = [baseline, ...all.map(({ name }) => name).filter((name) => name !== baseline)];
  const listing = toListing(file.suite);
  if (listing !== null) {
    // Until the benchmarks are known, each variant's command is the listing.
    const listed = all.map((one) => ({ ...one, workload: { ...one.workload, run: listing.list } }));
    return { variants: listed, suite: { listing, variants, benchmarks: [] } };
  }
  const given = givenBenchmarks(file.suite, order(['suite']));
  const benchmarks = given.map(({ name }) => ({ name, on: variants }));
  const workloads = new Map(given.map(({ name, workload }) => [name, workload]));
  return withBenchmarks(all, { variants, benchmarks }, (name) => workloads.get(name)!);
}

/** Default baseline: the variant on the host, if one is written out; for a matrix, its first cell. */
export function defaultBaseline(file: CheckedFile, named: readonly GivenVariant[]): string | undefined {
  const own = named.slice(0, Object.keys(file.variants ?? {}).length);
  const onHost = own.find(({ variant }) => selectKind(variant).selectedBy.length === 0);
  return (onHost ?? named[file.matrix ? own.length : 0])?.name;
}

function resolveClient({ place, 'service-host': serviceHost }: CheckedFile['workload']): Pick<Experiment, 'client'> {
  return isMachine(place) ? { client: { address: place, serviceHost: serviceHost ?? null } } : {};
}

/** Guard if the experiment file gives none, seconds. */
export const USUAL_GUARD_S = 3;
/** With `rest: auto`: shortest rest until the meter is known, and longest rest with any meter, seconds. */
const USUAL_REST_S = 7;
const MAX_REST_S = 60;

function resolvePauses({
  rest,
  guard,
}: CheckedFile): Pick<Experiment, 'restS' | 'restUpToS' | 'guardS' | 'guardByMeter'> {
  const guardS = guard ?? USUAL_GUARD_S;
  if (rest !== 'auto') return { restS: rest, guardS };
  const byMeter = guard === undefined && { guardByMeter: true as const };
  return { restS: Math.max(USUAL_REST_S, guardS), restUpToS: Math.max(MAX_REST_S, guardS), guardS, ...byMeter };
}

function resolveBatch(given: CheckedFile['batch']): Pick<Experiment, 'batch' | 'batchWindowS' | 'batchStarts'> {
  if (typeof given !== 'object') return { batch: given };
  return {
    batch: given.executions,
    ...(given.window !== undefined && { batchWindowS: given.window }),
    ...(given.starts && { batchStarts: true }),
  };
}

/** Maximum wait for a quiet machine, if none is given, seconds. */
const NOISE_WAIT_S = 600;
const BUSY_WAIT_S = 7200;

function resolveQuiet(file: CheckedFile): Pick<Experiment, 'quiet' | 'onNoise' | 'waitForMachineS'> {
  const noise = file['on-noise'] ?? null;
  const busy = file['on-busy'];
  return {
    ...(file.quiet !== undefined && { quiet: file.quiet }),
    ...(noise !== null && { onNoise: resolveNoise(noise) }),
    ...(busy !== 'fail' && { waitForMachineS: busy === 'wait' ? BUSY_WAIT_S : busy.wait }),
  };
}

function resolveNoise(given: NonNullable<CheckedFile['on-noise']>): OnNoise {
  if (given === 'warn' || given === 'fail') return { react: given };
  return { react: 'wait', limitS: given === 'wait' ? NOISE_WAIT_S : given.wait };
}

function resolvePhases(given: CheckedFile['phases']): Pick<Experiment, 'phases'> {
  if (isFindPhases(given)) {
    return { phases: given === 'auto' || given.lines === undefined ? 'auto' : { auto: true, lines: given.lines } };
  }
  const lines = Object.entries(given ?? {}).map(([phase, pattern]) => ({ phase, pattern }));
  return lines.length === 0 ? {} : { phases: lines };
}

function resolveLogs(given: CheckedFile['logs']): Pick<Experiment, 'logs'> {
  if (given?.run === undefined && given?.all === undefined) return {};
  return { logs: { runBytes: given.run ?? LOG_LIMITS.runBytes, allBytes: given.all ?? LOG_LIMITS.allBytes } };
}

function resolveHistory(given: CheckedFile['history']): Pick<Experiment, 'history'> {
  if (given === undefined) return {};
  const { file = null, branch = null, track = null, alert } = given;
  return { history: { file, branch, track, ...(alert !== undefined && { alert }) } };
}

/** Default number of blocks before the first interim analysis, and default maximum. */
const LEAST_BLOCKS = 10;
const MOST_BLOCKS = 60;
/** Default maximum number of blocks if a wanted width or a time limit ends the experiment. */
export const MAX_BLOCKS_WITHIN = 500;

function resolveRepetitions(given: CheckedFile['repetitions']): Pick<Experiment, 'repetitions' | 'looks' | 'auto'> {
  if (typeof given === 'number') return { repetitions: given };
  const { looks, least, most, want, within } = given === 'auto' ? ({} as Exclude<typeof given, string>) : given;
  if (looks !== undefined) return { repetitions: Math.max(...looks), looks };
  const isOpen = want !== undefined || within !== undefined;
  const repetitions = most ?? Math.max(least ?? 0, isOpen ? MAX_BLOCKS_WITHIN : MOST_BLOCKS);
  return {
    repetitions,
    auto: {
      least: Math.min(least ?? LEAST_BLOCKS, repetitions),
      ...(want !== undefined && { wantPercent: want }),
      ...(within !== undefined && { withinS: within }),
    },
  };
}

/** Meter names, also several in one text: commas separate them, since no name has one. */
function meterNames(given: string | readonly string[]): string[] {
  const names = (typeof given === 'string' ? [given] : given).flatMap((text) => text.split(','));
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

function resolveVariant(name: string, file: VariantFile, common: CheckedFile['workload'], directory: string): Variant {
  const revision = file.revision === undefined ? {} : { revision: { name: file.revision, commit: null } };
  return resolvePlace({ name, ...revision, workload: resolveWorkload(file, common) }, file, directory);
}

/** Time limit of a command. One that idles for a given time gets at least a minute more. */
function resolveTimeout(
  run: Workload['run'] | { readonly idle: number },
  timeout: CheckedFile['workload']['timeout'],
): number | null {
  if (timeout === 'none' || timeout === null) return null;
  return typeof run === 'object' && 'idle' in run ? Math.max(timeout, run.idle + 60) : timeout;
}

function resolveWorkload(variant: VariantFile, common: CheckedFile['workload']): Workload {
  // Only variants whose place has its own command can lack one here: the checks refuse others.
  const run = variant.run ?? common.run ?? OWN_COMMAND;
  const version = (variant.version === undefined ? common.version : variant.version) ?? null;
  const idle = typeof run === 'object' && 'idle' in run ? { run: `exec sleep ${run.idle}`, idleS: run.idle } : { run };
  return {
    ...idle,
    prepare: (variant.prepare === undefined ? common.prepare : variant.prepare) ?? null,
    cleanup: (variant.cleanup === undefined ? common.cleanup : variant.cleanup) ?? null,
    env: { ...common.env, ...variant.env },
    workdir: (variant.workdir === undefined ? common.workdir : variant.workdir) ?? null,
    timeoutS: resolveTimeout(run, common.timeout),
    ...(version !== null && { version }),
    ...(common.place === 'host' && { place: 'host' as const }),
    ...(common.place !== 'variant' && common.workdir && { hostWorkdir: common.workdir }),
  };
}
