import { resolve } from 'node:path';
import type { Conflict } from '../../input/conflict.ts';
import { type Path, quote, showGiven } from '../../input/words.ts';
import { engineName, engineNameProblem } from '../engine-key.ts';
import { concealEach, type GivenKeys, type GivenPlace, type PlaceKind } from '../kind.ts';
import type { Ulimit } from './ulimits.ts';
import { networkPath } from './userland-proxy.ts';
import {
  type ContainerKeys,
  type ContainerVariant,
  containerKeys,
  hostFolders,
  type ImageBuild,
  parsePort,
  recordedKeys,
} from './variant.ts';

/** A container of Docker's engine, or of one that speaks as it does, made anew for every run. */
export const containerKind: PlaceKind<ContainerVariant, ContainerKeys> = {
  name: 'container',
  holdsPins: true,
  runsHooks: true,
  plural: 'containers',
  where: 'in a container',
  keys: containerKeys,
  selectedBy: ['image', 'build'],
  advice: 'give an image',
  conflicts,
  resolve: (common, file, directory) => ({
    kind: 'container',
    ...common,
    image: file.image ?? null,
    build: file.build === undefined ? null : resolveBuild(file.build, directory),
    pull: file.pull ?? 'missing',
    ...(file['image-timeout'] !== undefined && { imageTimeoutS: file['image-timeout'] }),
    volumes: (file.volumes ?? []).map((volume) => withHostPath(volume, (path) => resolve(directory, path))),
    network: file.network ?? null,
    ...(file.ports?.length && { ports: file.ports }),
    user: file.user ?? null,
    ...(file.pids !== undefined && { pids: file.pids }),
    ...(file.capabilities?.length && { capabilities: file.capabilities }),
    ...(file['new-privileges'] && { newPrivileges: true as const }),
    cpuset: file.cpuset ?? null,
    cpus: file.cpus ?? null,
    memoryBytes: file.memory ?? null,
    entrypoint: file.entrypoint ?? null,
    runtime: file.runtime ?? null,
    ...(file.tmpfs?.length && { tmpfs: file.tmpfs }),
    ...(file.ulimits && Object.keys(file.ulimits).length > 0 && { ulimits: file.ulimits as Record<string, Ulimit> }),
    ...(file['read-only'] && { readOnly: true as const }),
    ...(file.security?.length && { security: file.security }),
    ...(file.platform !== undefined && { platform: file.platform }),
    ...engineOf(file),
  }),
  relocate(variant, moved) {
    const { build, volumes } = variant;
    return {
      ...variant,
      build: build && {
        ...build,
        context: moved(build.context),
        dockerfile: moved(build.dockerfile),
        // The path of a checkout differs each time, and would leave an image for each.
        tagBy: [build.context, build.dockerfile].join('\0'),
      },
      volumes: volumes.map((volume) => withHostPath(volume, moved)),
    };
  },
  recorded: recordedKeys,
  conceal(variant, conceal) {
    const args = (build: ImageBuild) => concealEach(build.args, (value, name) => conceal(value, 'args', name));
    return { ...variant, build: variant.build && { ...variant.build, args: args(variant.build) } };
  },
  usesFiles: ({ build, volumes }) => build !== null || volumes.length > 0,
  exposes: ({ volumes }) => hostFolders(volumes),
  hostPorts({ network, ports = [] }, listened) {
    const published = ports.map(parsePort).filter(({ protocol }) => protocol === 'tcp');
    return network === 'host' ? listened : published.map(({ host }) => host);
  },
  network({ network, ports = [] }, facts) {
    const [isPodman, isRootless] = [facts.engine === 'podman', facts.engine_rights === 'rootless'];
    const other = isPodman || isRootless ? { isPodman, isRootless } : null;
    // Without root, Podman has another default network, which depends on its version.
    return networkPath(network ?? (isPodman && isRootless ? 'default' : 'bridge'), ports.length, other);
  },
  mounts: ({ volumes }) => volumes.map((volume) => volume.split(':')[1] ?? ''),
  async foresee(variant) {
    const { foreseeContainer } = await import('./foresee.ts');
    return foreseeContainer(variant);
  },
  async makeExecutor(variant, environment) {
    if (environment.host !== undefined) {
      const { makeRemoteContainerExecutor } = await import('./remote.ts');
      return makeRemoteContainerExecutor(variant, environment, environment.host);
    }
    const { makeContainerExecutor } = await import('./executor.ts');
    return makeContainerExecutor(variant, environment);
  },
  async removeLeft(isAbandoned, needed) {
    const { removeLabeled } = await import('./labeled.ts');
    const { removeOldImages } = await import('./old-images.ts');
    const { endLeftServices } = await import('./engines/podman.ts');
    const { removeFromUsed } = await import('./engines/used.ts');
    return [
      ...(await removeLabeled(isAbandoned)),
      ...(await endLeftServices(isAbandoned)),
      ...(await removeFromUsed(isAbandoned)),
      ...(await removeOldImages({ needed })),
    ];
  },
};

function engineOf({ engine }: GivenKeys<ContainerKeys>): Pick<ContainerVariant, 'engine'> {
  const name = engine === undefined ? null : engineName(engine);
  return name === null ? {} : { engine: name };
}

/** Resolves paths as Compose does: the context relative to the file, the Dockerfile relative to the context. */
function resolveBuild(build: NonNullable<GivenKeys<ContainerKeys>['build']>, directory: string): ImageBuild {
  const context = resolve(directory, build.context);
  const dockerfile = resolve(context, build.dockerfile);
  return { context, dockerfile, target: build.target ?? null, args: { ...build.args } };
}

function withHostPath(volume: string, moved: (path: string) => string): string {
  const colon = volume.indexOf(':');
  return moved(volume.slice(0, colon)) + volume.slice(colon);
}

function conflicts({ name, file, who, workdir, pathOf, given }: GivenPlace<ContainerKeys>): Conflict[] {
  const selection: Path[] = [pathOf('image'), pathOf('build')];
  const found: Conflict[] = [];
  const add = (path: Path, detail: string, follows: Path[], part: 'key' | 'value' = 'key') => {
    found.push({ path, part, detail, follows: [pathOf(), ...follows] });
  };
  const engine = file.engine === undefined ? null : engineNameProblem(file.engine);
  if (engine !== null) add(pathOf('engine'), engine, [pathOf('engine')]);
  if (file.image !== undefined && file.build !== undefined) {
    add(pathOf('build'), 'image and build were both given; keep the one that the image comes from', selection);
  }
  if (file.build !== undefined && file.pull !== undefined) {
    add(pathOf('pull'), `pull is for an image, and ${who} builds its own; leave pull out`, selection);
  }
  if (typeof workdir.value === 'string' && !workdir.value.startsWith('/')) {
    const where = workdir.isOwn ? 'in a container' : `for the container ${quote(name)}`;
    const otherwise = workdir.isOwn ? '' : ', or that variant needs a workdir of its own';
    const detail = `${quote(workdir.value)} was given; ${where} it must start with "/"${otherwise}`;
    add(workdir.path, detail, [workdir.path, ...selection], 'value');
  }
  if (file.ports?.length && /^(?:host|none|container:.*)$/.test(file.network ?? '')) {
    const detail = `ports are published from a network of the container's own, and network is ${quote(file.network ?? '')}; leave one of them out`;
    add(pathOf('ports'), detail, [pathOf('network')]);
  }
  const mounts = [
    ...(file.volumes ?? []).map((volume, i) => ({ target: volume.split(':')[1] ?? '', keys: ['volumes', i] })),
    ...(file.tmpfs ?? []).map((given, i) => ({ target: given.split(':')[0] ?? '', keys: ['tmpfs', i] })),
  ];
  for (const [i, { target, keys }] of mounts.entries()) {
    if (mounts.findIndex((other) => other.target === target) === i) continue;
    const path = pathOf(...keys);
    const detail = `${showGiven(given(path))} was given, and ${quote(target)} in the container is taken already`;
    add(path, detail, [pathOf('volumes'), pathOf('tmpfs')], 'value');
  }
  return found;
}
