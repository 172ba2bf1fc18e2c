import { basename, resolve as resolvePath } from 'node:path';
import { label } from '../input/leaves.ts';
import type { Path } from '../input/words.ts';
import type { ContainerVariant, Experiment, ImageBuild, NativeVariant, Variant, Workload } from './experiment.ts';
import { cellsOf, factorialDesign, written } from './factors.ts';
import { resolveGoals } from './goals.ts';
import { withSecondBaseline } from './noise.ts';
import type { CheckedFile } from './schema.ts';
import type { VariantFile } from './variant-schema.ts';

/** A checked file without conflicts becomes the experiment: defaults filled in, paths absolute, workload given to each variant. */
export function resolveExperiment(
  file: CheckedFile,
  directory: string,
  order: (path: Path) => readonly string[],
): Experiment {
  const given = file.variants ?? {};
  const named =
    file.factors === undefined
      ? written(Object.keys(given), order(['variants'])).map((name) => ({ name, variant: given[name] ?? {} }))
      : cellsOf(file.factors, order);
  const variants = named.map(({ name, variant }) => resolveVariant(name, variant, file.workload, directory));
  const firstNative = file.factors ? undefined : variants.find((variant) => variant.kind === 'native');
  const baseline = file.baseline ?? (firstNative ?? variants[0])?.name ?? '';
  return {
    name: file.name ?? nameOf(directory),
    directory,
    variants: file.noise === 'inline' ? withSecondBaseline(variants, baseline) : variants,
    baseline,
    ...(file.factors && { factorial: factorialDesign(file.factors, order, baseline) }),
    ...resolveRepetitions(file.repetitions),
    warmup: { runs: file.warmup.runs },
    restS: file.rest,
    guardS: file.guard,
    batch: file.batch,
    seed: file.seed ?? null,
    marginPercent: file.margin,
    meters: meterNames(file.meter),
    ...resolvePhases(file.phases),
    ...resolveGoals(file),
    ...resolveHistory(file.history),
  };
}

function resolvePhases(given: CheckedFile['phases']): Pick<Experiment, 'phases'> {
  const lines = Object.entries(given ?? {}).map(([phase, pattern]) => ({ phase, pattern }));
  return lines.length === 0 ? {} : { phases: lines };
}

function resolveHistory(given: CheckedFile['history']): Pick<Experiment, 'history'> {
  if (given === undefined) return {};
  return { history: { file: given.file ?? null, branch: given.branch ?? null, track: given.track ?? null } };
}

function resolveRepetitions(given: CheckedFile['repetitions']): Pick<Experiment, 'repetitions' | 'looks'> {
  if (typeof given === 'number') return { repetitions: given };
  return { repetitions: Math.max(...given.looks), looks: given.looks };
}

function nameOf(directory: string): string {
  const name = basename(directory);
  return label.safeParse(name).success ? name : 'experiment';
}

/** No meter name holds a comma, so commas separate. */
function meterNames(given: string | readonly string[]): string[] {
  const names = (typeof given === 'string' ? [given] : given).flatMap((text) => text.split(','));
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

function resolveVariant(
  name: string,
  variant: VariantFile,
  common: CheckedFile['workload'],
  directory: string,
): Variant {
  const workload = resolveWorkload(variant, common);
  const revision = variant.revision === undefined ? {} : { revision: { name: variant.revision, commit: null } };
  if (variant.image === undefined && variant.build === undefined) {
    const workdir = workload.workdir === null ? null : resolvePath(directory, workload.workdir);
    return { kind: 'native', name, ...revision, workload: { ...workload, workdir } } satisfies NativeVariant;
  }
  return {
    kind: 'container',
    name,
    ...revision,
    workload,
    image: variant.image ?? null,
    build: variant.build === undefined ? null : resolveBuild(variant.build, directory),
    pull: variant.pull ?? 'missing',
    volumes: (variant.volumes ?? []).map((volume) => resolveVolume(volume, directory)),
    network: variant.network ?? null,
    user: variant.user ?? null,
    cpuset: variant.cpuset ?? null,
    cpus: variant.cpus ?? null,
    memoryBytes: variant.memory ?? null,
    entrypoint: variant.entrypoint ?? null,
    runtime: variant.runtime ?? null,
  } satisfies ContainerVariant;
}

function resolveWorkload(variant: VariantFile, common: CheckedFile['workload']): Workload {
  const run = variant.run ?? common.run;
  if (run === undefined) throw new Error('a variant without a command came through the checks');
  return {
    run,
    prepare: (variant.prepare === undefined ? common.prepare : variant.prepare) ?? null,
    cleanup: (variant.cleanup === undefined ? common.cleanup : variant.cleanup) ?? null,
    env: { ...common.env, ...variant.env },
    workdir: (variant.workdir === undefined ? common.workdir : variant.workdir) ?? null,
    timeoutS: common.timeout ?? null,
  };
}

/** As Compose has it: the context starts at the file, the Dockerfile at the context. */
function resolveBuild(build: NonNullable<VariantFile['build']>, directory: string): ImageBuild {
  const context = resolvePath(directory, build.context);
  const dockerfile = resolvePath(context, build.dockerfile);
  return { context, dockerfile, target: build.target ?? null, args: { ...build.args } };
}

function resolveVolume(volume: string, directory: string): string {
  const colon = volume.indexOf(':');
  return resolvePath(directory, volume.slice(0, colon)) + volume.slice(colon);
}
