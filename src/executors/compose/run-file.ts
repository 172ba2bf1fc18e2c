import { sum } from 'simple-statistics';
import { durationS } from '../../input/quantities.ts';
import { labelsOf, NAME_LABEL } from '../../processes/labels.ts';
import type { Limits } from '../../processes/limits.ts';
import type { ContainerCommand } from '../container/command.ts';
import type { FoundImage } from '../container/image.ts';
import { findVolumes, LOGGED } from '../container/options.ts';
import { type RunIdentity, runMarks } from '../environment.ts';
import type { ComposeService, Stack } from './model.ts';

const LOOPBACK = '127.0.0.1';
const NOT_LOGGED = { driver: 'none' };
const KEPT = { driver: LOGGED.Type, options: LOGGED.Config };

/** The container of the workload: what `docker compose run SERVICE COMMAND` changes of the service. */
export interface WorkloadContainer {
  readonly command: ContainerCommand;
  /** Variables in addition to those in the file. */
  readonly env: Readonly<Record<string, string>>;
  /** Working directory; null: as in the file. */
  readonly workdir: string | null;
  /** Folder that joulediff's own files need a volume for, since the root file system is read-only; absent: none. */
  readonly ownFolder?: string | undefined;
  /** Whether the engine keeps the output on its disk. */
  readonly logsOutput: boolean;
}

export interface RunFile {
  readonly stack: Stack;
  /** Images, by service. */
  readonly images: ReadonlyMap<string, Pick<FoundImage, 'id' | 'volumes'>>;
  readonly identity: RunIdentity;
  readonly limits: Limits;
  /** The workload's container; null: it isn't made yet. */
  readonly workload: WorkloadContainer | null;
  /** Parent control group of all containers, as the engine names it; absent: as in the file. */
  readonly groupParent?: string | undefined;
}

/** Name of a run's project: short, and made of characters that Compose allows. */
export function projectName(experimentId: string, runId: number): string {
  const id = experimentId.toLowerCase().replace(/[^a-z0-9]/g, '');
  return `joulediff-${id.slice(0, 12)}-${runId}`;
}

/**
 * The Compose file of one run: that of the user, resolved, with what makes it ours. Containers, networks and volumes are labeled and named by the
 * project; images stand there by their ids, so that a tag that moves changes nothing; ports are on the loopback; what ends stays
 * ended; what is printed comes here and not to the engine's disk; volumes without a name have one, by which they are found whoever removes their
 * container; and nothing takes all processes or memory of the machine.
 */
export function runFile({ stack, images, identity, limits, workload, groupParent }: RunFile): string {
  const { model } = stack;
  const labels = labelsOf(identity.experimentId, identity.runId);
  const ourOwn = <T extends object>(things: Readonly<Record<string, T>>) =>
    Object.fromEntries(
      Object.entries(things).map(([name, { name: _, labels: given, ...thing }]: [string, T & Labeled]) => [
        name,
        { ...thing, labels: { ...given, ...labels } },
      ]),
    );
  const named: Record<string, object> = { ...model.volumes };
  const services = Object.entries(model.services).map(([name, one]) => {
    const isWorkload = name === stack.workload;
    const image = images.get(name) ?? { id: '', volumes: [] };
    const own = isWorkload && workload?.ownFolder ? [{ type: 'volume', target: workload.ownFolder }] : [];
    const mounts = mountsOf(name, { ...one, volumes: [...(one.volumes ?? []), ...own] }, image);
    for (const { type, source } of mounts) if (type === 'volume' && source) named[source] ??= {};
    const ownName = { [NAME_LABEL]: `${projectName(identity.experimentId, identity.runId)}-${name}` };
    const common = ours(one, { imageId: image.id, limits, labels: { ...labels, ...ownName }, mounts, groupParent });
    const marks = mapped(runMarks(identity, isWorkload ? 'run' : 'service'), literal);
    if (!isWorkload || workload === null) return [name, { ...common, environment: { ...one.environment, ...marks } }];
    const { command, env, workdir, logsOutput } = workload;
    const { ports: _, ...others } = common;
    // With a command of the experiment the service is a client; with its own command it stays what it is in the file.
    const changed = {
      ...(stack.ownCommand ? common : { ...others, healthcheck: { disable: true } }),
      command: command.cmd.map(literal),
      ...(command.entrypoint !== null && { entrypoint: command.entrypoint.map(literal) }),
      environment: { ...one.environment, ...mapped(env, literal), ...marks },
      ...(workdir !== null && { working_dir: literal(workdir) }),
      logging: logsOutput ? KEPT : NOT_LOGGED,
    };
    return [name, changed];
  });
  return JSON.stringify({
    ...model,
    services: Object.fromEntries(services),
    networks: ourOwn(model.networks),
    volumes: ourOwn(named),
  });
}

type Mount = NonNullable<ComposeService['volumes']>[number];

interface Labeled {
  readonly name?: unknown;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Ours {
  readonly imageId: string;
  readonly limits: Limits;
  readonly labels: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly groupParent: string | undefined;
}

function ours(one: ComposeService, { imageId, limits, labels, mounts, groupParent }: Ours) {
  const { build: _build, container_name: containerName, deploy, ...others } = one;
  const { restart_policy: _, ...kept } = deploy ?? {};
  const { PidsLimit: pids, MemoryLimit: memory } = limitsIn(one);
  const has = (given: object) => Object.values(given).some((value) => value !== undefined);
  const [pidsLimit, memoryLimit] = [has(pids) ? null : limits.pids, has(memory) ? null : limits.memoryBytes];
  const { limits: deployed, ...otherResources } = kept.resources ?? {};
  // Beside limits there, Compose refuses the same limits as keys of the service.
  const added = {
    ...(pidsLimit !== null && { pids: pidsLimit }),
    ...(memoryLimit !== null && { memory: String(memoryLimit) }),
  };
  return {
    ...others,
    ...(deploy !== undefined && { deploy: kept }),
    ...(deployed && { deploy: { ...kept, resources: { ...otherResources, limits: { ...deployed, ...added } } } }),
    image: imageId,
    pull_policy: 'never',
    labels: { ...one.labels, ...labels },
    // The service is still found by the name that its container has in the file.
    ...(containerName !== undefined && one.networks && { networks: withAlias(one.networks, containerName) }),
    ...(one.ports && { ports: one.ports.map((port) => ({ ...port, host_ip: port.host_ip ?? LOOPBACK })) }),
    ...(mounts.length > 0 && { volumes: mounts.map(withoutMaking) }),
    ...(!deployed && pidsLimit !== null && { pids_limit: pidsLimit }),
    ...(!deployed && memoryLimit !== null && { mem_limit: memoryLimit }),
    ...(memoryLimit !== null && { memswap_limit: -1 }),
    ...(groupParent !== undefined && { cgroup_parent: groupParent }),
    oom_score_adj: one.oom_score_adj ?? 500,
    logging: NOT_LOGGED,
    restart: 'no',
    // Output is attached to, so there is no terminal.
    tty: false,
    stdin_open: false,
  };
}

/** Limits that the file sets for a service; undefined: not set. */
export function limitsIn(one: ComposeService) {
  const { memory, pids, cpus } = one.deploy?.resources?.limits ?? {};
  const set = (value: unknown) => (value === null || value === 0 || value === '0' ? undefined : value);
  const deployed = 'deploy.resources.limits';
  return {
    PidsLimit: { pids_limit: set(one.pids_limit), [`${deployed}.pids`]: pids },
    MemoryLimit: { mem_limit: set(one.mem_limit), [`${deployed}.memory`]: memory },
    CpuCfsQuota: { cpus: set(one.cpus), cpu_quota: set(one.cpu_quota), [`${deployed}.cpus`]: cpus },
    CPUSet: { cpuset: one.cpuset },
    CPUShares: { cpu_shares: set(one.cpu_shares) },
  };
}

function withAlias(networks: NonNullable<ComposeService['networks']>, alias: string) {
  return Object.fromEntries(
    Object.entries(networks).map(([name, one]) => [name, { ...one, aliases: [...(one?.aliases ?? []), alias] }]),
  );
}

/**
 * Mounts of a service's containers: those of the file, and the volumes that its image declares. Unnamed volumes stay unnamed where several containers
 * would otherwise share one; the engine then removes them with their container.
 */
function mountsOf(name: string, one: ComposeService, image: Pick<FoundImage, 'volumes'>): readonly Mount[] {
  const given: readonly Mount[] = one.volumes ?? [];
  if ((one.scale ?? one.deploy?.replicas ?? 1) !== 1 || (one.volumes_from ?? []).length > 0) return given;
  const tmpfs = [one.tmpfs ?? []].flat().map((mount) => mount.split(':')[0] ?? '');
  const taken = [...given.map(({ target = '' }) => target), ...tmpfs];
  const declared = findVolumes(image, taken).map((target): Mount => ({ type: 'volume', target }));
  return [...given, ...declared].map((mount, i) =>
    mount.type === 'volume' && !mount.source ? { ...mount, source: `joulediff-${name}-${i + 1}` } : mount,
  );
}

/** A mount that fails where its folder on the host is missing, instead of creating that. */
function withoutMaking(mount: Mount) {
  return mount.type === 'bind' ? { ...mount, bind: { ...(mount.bind ?? {}), create_host_path: false } } : mount;
}

/** Escapes a text, so that Compose takes it as it is. */
const literal = (text: string): string => text.replaceAll('$', '$$$$');

/** Unescapes a text, as Compose does. */
export const meant = (text: string): string => text.replaceAll('$$', '$');

function mapped(values: Readonly<Record<string, string>>, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** Longest time that the services of a stack have to end, one step after the other, seconds. Compose tells each as `1h2m3.5s`. */
export function stopTimeS({ model, steps }: Stack): number {
  const partsOf = (name: string) =>
    (model.services[name]?.stop_grace_period ?? '10s').match(/[\d.]+(?:ms|[hms])/g) ?? [];
  return sum(steps.map((step) => Math.max(...step.map((name) => sum([0, ...partsOf(name).map(durationS)])))));
}

/** Ports of this machine that a stack publishes, as far as they are known beforehand. */
export function publishedPorts({
  model,
  workload,
  ownCommand,
}: Stack): { service: string; host: number; to: number }[] {
  return Object.entries(model.services).flatMap(([service, { ports = [] }]) =>
    service === workload && !ownCommand
      ? []
      : ports.flatMap(({ published, target, protocol = 'tcp' }) =>
          protocol === 'tcp' && /^\d+$/.test(published ?? '') && Number(published) > 0
            ? [{ service, host: Number(published), to: target }]
            : [],
        ),
  );
}
