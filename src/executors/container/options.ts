import { posix } from 'node:path';
import type Docker from 'dockerode';
import { labelsOf, named } from '../../processes/labels.ts';
import type { Limits } from '../../processes/limits.ts';
import { type RunIdentity, runMarks, type Stage, serviceHostMark } from '../environment.ts';
import type { RunContext } from '../executor.ts';
import { MAX_OUTPUT_BYTES } from '../output-limit.ts';
import { NO_PIN, sharesOf } from '../pins.ts';
import type { ContainerCommand } from './command.ts';
import type { FoundImage } from './image.ts';
import { CALLER, type ContainerVariant, parsePort } from './variant.ts';

/** What one container starts, and how much it may have. */
export interface StartedWith {
  readonly command: ContainerCommand;
  readonly limits: Limits;
  /** Whether the engine keeps the output on its disk. */
  readonly logsOutput: boolean;
  /** Stage in its marks; absent: a run. */
  readonly stage?: Stage;
  readonly serviceHost?: RunContext['serviceHost'];
  /** Parent control group, as the engine names it; absent: the engine's own. */
  readonly groupParent?: string | undefined;
  /** Folder of joulediff's own files that is a volume; absent: none. */
  readonly ownFolder?: string | undefined;
  /** Labels in addition to those of all containers of an experiment. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * The engine's own default, named so that a machine's configuration neither sends the output elsewhere nor drops part of it. Two files: when
 * both are full, the older half goes.
 */
export const LOGGED = { Type: 'json-file', Config: { 'max-size': String(MAX_OUTPUT_BYTES), 'max-file': '2' } };
const NOT_LOGGED = { Type: 'none', Config: {} };

/** What the engine is asked to create for one run; as `docker run` would, plus labels. */
export function containerOptions(
  variant: ContainerVariant,
  image: Pick<FoundImage, 'id' | 'volumes'>,
  identity: RunIdentity,
  { command, limits, logsOutput, stage = 'run', serviceHost, groupParent, labels: more, ownFolder }: StartedWith,
): Docker.ContainerCreateOptions {
  const { workload } = variant;
  const { nice } = workload.pin ?? NO_PIN;
  const labels = { ...labelsOf(identity.experimentId, identity.runId), ...more };
  // Only what the experiment file gives or passes by name: nothing else of the host's environment gets into a container.
  const env = { ...workload.env, ...runMarks(identity, stage), ...serviceHostMark(serviceHost) };
  return {
    ...(variant.platform !== undefined && { platform: variant.platform }),
    Image: image.id,
    Entrypoint: command.entrypoint === null ? undefined : [...command.entrypoint],
    Cmd: [...command.cmd],
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    WorkingDir: workload.workdir ?? undefined,
    User: containerUser(variant),
    ...named(labels),
    ExposedPorts: Object.fromEntries(Object.keys(bindings(variant.ports)).map((port) => [port, {}])),
    HostConfig: {
      ...volumeOptions(variant, image, labels, ownFolder === undefined ? [] : [ownFolder]),
      NetworkMode: variant.network ?? undefined,
      PortBindings: bindings(variant.ports),
      ...(groupParent !== undefined && { CgroupParent: groupParent }),
      CpusetCpus: variant.cpuset ?? workload.pin?.cpus ?? undefined,
      // The weight of nice value 0 is every group's, which runtimes convert each in their own way for version 2 of control groups.
      CpuShares: nice === null || nice === 0 ? undefined : sharesOf(nice),
      NanoCpus: variant.cpus === null ? undefined : Math.round(variant.cpus * 1e9),
      Memory: limits.memoryBytes ?? undefined,
      // Swap stays unlimited, as on the host, unless the variant sets a memory limit: then it is the engine's usual.
      MemorySwap: variant.memoryBytes === null && limits.memoryBytes !== null ? -1 : undefined,
      Runtime: variant.runtime ?? undefined,
      PidsLimit: limits.pids ?? undefined,
      CapAdd: [...(variant.capabilities ?? [])],
      SecurityOpt: [...(variant.newPrivileges ? [] : ['no-new-privileges']), ...(variant.security ?? [])],
      ...rootOptions(variant),
      // When memory runs out, the kernel should end the workload, not joulediff or the engine.
      OomScoreAdj: 500,
      LogConfig: logsOutput ? LOGGED : NOT_LOGGED,
    },
  };
}

/** Options for where it may write, and for the limits of its processes. */
function rootOptions({ readOnly, tmpfs = [], ulimits = {} }: ContainerVariant) {
  const numberOf = (limit: number | 'unlimited'): number => (limit === 'unlimited' ? -1 : limit);
  return {
    ReadonlyRootfs: readOnly ?? false,
    Tmpfs: Object.fromEntries(
      tmpfs.map((given) => [given.split(':')[0] ?? '', given.includes(':') ? given.slice(given.indexOf(':') + 1) : '']),
    ),
    Ulimits: Object.entries(ulimits).map(([NAME, { soft, hard }]) => ({
      Name: NAME,
      Soft: numberOf(soft),
      Hard: numberOf(hard),
    })),
  };
}

/**
 * Host folders go as mounts where they can: for a folder that isn't there the engine then says so, instead of making an
 * empty one as root. Other options than ro and rw only exist for binds. The volumes that the image declares are asked for, as the engine would make them
 * by itself, so that they have labels: whoever removes the container by hand leaves them.
 */
function volumeOptions(
  variant: ContainerVariant,
  image: Pick<FoundImage, 'volumes'>,
  labels: Record<string, string>,
  own: readonly string[],
): { Binds: string[]; Mounts: Docker.MountConfig } {
  const { volumes, tmpfs = [] } = variant;
  const binds: string[] = [];
  const mounts: Docker.MountSettings[] = [];
  for (const volume of volumes) {
    const [source = '', target = '', options = 'rw', ...more] = volume.split(':');
    if (source.startsWith('/') && ['ro', 'rw'].includes(options) && more.length === 0) {
      mounts.push({ Type: 'bind', Source: source, Target: target, ReadOnly: options === 'ro' });
    } else {
      binds.push(volume);
    }
  }
  const taken = [
    ...volumes.map((volume) => volume.split(':')[1] ?? ''),
    ...tmpfs.map((given) => given.split(':')[0] ?? ''),
  ];
  for (const target of [...findVolumes(image, taken), ...own]) {
    // The types require a driver, which the engine takes as given.
    const VOLUME_OPTIONS = { Labels: labels } as Docker.MountSettings['VolumeOptions'];
    mounts.push({ Type: 'volume', Source: '', Target: target, VolumeOptions: VOLUME_OPTIONS });
  }
  return { Binds: binds, Mounts: mounts };
}

/**
 * Folders of an image's own volumes that nothing else is mounted on. A path that is relative or the root is left to the engine, which takes neither for
 * a mount that is asked for.
 */
export function findVolumes({ volumes }: Pick<FoundImage, 'volumes'>, taken: readonly string[]): string[] {
  const clean = (path: string): string => posix.resolve('/', path);
  const others = new Set(taken.map(clean));
  const paths = volumes.filter((path) => path.startsWith('/')).map(clean);
  return [...new Set(paths)].filter((path) => path !== '/' && !others.has(path));
}

/** Published ports in the engine's form: ports of the host by those of the container. */
function bindings(ports: readonly string[] = []): Record<string, { HostIp: string; HostPort: string }[]> {
  const given = Map.groupBy(ports.map(parsePort), ({ container, protocol }) => `${container}/${protocol}`);
  return Object.fromEntries(
    [...given].map(([port, list]) => [
      port,
      list.map(({ address, host }) => ({ HostIp: address, HostPort: String(host) })),
    ]),
  );
}

/** Names of the named volumes among a variant's volumes. */
export function namedVolumes(volumes: readonly string[]): string[] {
  return volumes
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((source) => source !== '' && !source.startsWith('/'));
}

/** `user: caller` is the user who started joulediff, by its number: the image need not know it. */
export function containerUser({ user }: Pick<ContainerVariant, 'user'>): string | undefined {
  return user === CALLER ? `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}` : (user ?? undefined);
}
