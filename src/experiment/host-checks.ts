import { OWN } from '../executors/container/variant.ts';
import { selectKind } from '../executors/registry.ts';
import { type Conflict, type Refuse, refusals } from '../input/conflict.ts';
import type { GivenVariant } from './matrix.ts';
import type { CheckedFile } from './schema.ts';

/** Keys that would act on this machine, and so can't be used when another machine is measured. */
const ONLY_HERE = ['services', 'hooks', 'phases', 'cpus', 'nice', 'quiet', 'on-noise', 'allow'] as const;
const NATIVE_ONLY_HERE = ['user', 'pids', 'memory', 'engine'] as const;

/** Refuses what can't be done on another machine, instead of doing it here or ignoring it. */
export function hostConflicts(file: CheckedFile, variants: readonly GivenVariant[]): Conflict[] {
  if (file.host === undefined) return [];
  const { found, refuse } = refusals(['host']);
  for (const key of ONLY_HERE) {
    const given = file[key] ?? null;
    if (given !== null) refuse([key], `${key} does not work with host yet; leave one of them out`);
  }
  if (file.explain.when !== 'never') {
    refuse(['explain'], 'runs on another machine can’t be observed yet; leave it or host out');
  }
  if (file.output === 'file') {
    refuse(['output'], 'with host, output is kept in the memory of that machine; leave it out');
  }
  if (file.workload.place !== 'variant') {
    const given = JSON.stringify(file.workload.place);
    refuse(['workload', 'place'], `${given} was given, and with host everything runs on that machine; leave it out`);
  }
  const meters = typeof file.meter === 'string' ? [file.meter] : file.meter;
  if (meters.some((name) => name.trim() === 'auto')) {
    const detail =
      'auto would choose among what is connected to this machine, and joulediff can’t know which meter measures the other machine; name it';
    refuse(['meter'], detail);
  }
  for (const { variant, name, pathOf } of variants) {
    const kind = selectKind(variant);
    if (kind.name === 'container') {
      refuseInContainer({ file, variant, pathOf }, refuse);
      continue;
    }
    const [selector] = kind.selectedBy.filter((key) => variant[key as keyof typeof variant] !== undefined);
    if (selector !== undefined) {
      const detail = `${JSON.stringify(name)} runs ${kind.where}, which can’t be measured on another machine yet; with host, variants run natively or in a container with image`;
      refuse(pathOf(selector), detail, pathOf());
      continue;
    }
    for (const key of NATIVE_ONLY_HERE) {
      if (variant[key] !== undefined) refuse(pathOf(key), `${key} does not work with host yet; leave it out`, pathOf());
    }
  }
  return found;
}

/** Keys of a container that would act on this machine. */
const CONTAINER_ONLY_HERE = ['volumes', 'ports', 'pids', 'engine'] as const;

function refuseInContainer(
  { file, variant, pathOf }: Pick<GivenVariant, 'variant' | 'pathOf'> & { readonly file: CheckedFile },
  refuse: Refuse,
): void {
  for (const key of CONTAINER_ONLY_HERE) {
    const given = variant[key];
    if (given !== undefined && given !== null && (!Array.isArray(given) || given.length > 0)) {
      refuse(pathOf(key), `${key} of a container does not work with host yet; leave it out`, pathOf());
    }
  }
  if (variant.network === OWN || /^container:/.test(variant.network ?? '')) {
    refuse(
      pathOf('network'),
      `network: ${variant.network} does not work with host yet; name one that is there`,
      pathOf(),
    );
  }
  for (const stage of ['prepare', 'cleanup'] as const) {
    const isOwn = variant[stage] !== undefined;
    if (((isOwn ? variant[stage] : file.workload[stage]) ?? null) === null) continue;
    const detail = `${stage} of a container does not work with host yet; do it in the image`;
    refuse(isOwn ? pathOf(stage) : ['workload', stage], detail, pathOf());
  }
  if (file.batch !== undefined && file.batch !== 1) {
    refuse(['batch'], 'batch does not work with containers on another machine yet; leave it out', pathOf());
  }
}
