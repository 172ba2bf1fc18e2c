import * as z from 'zod';
import type { VariantBase } from '../../contracts/variant.ts';
import { environment, hostPath, map, text, timeLimit, user, words } from '../../input/leaves.ts';
import { limitKeys } from '../../processes/limits.ts';
import { type EngineName, engineKey, recordedEngineName } from '../engine-key.ts';
import { recordedUlimits, type Ulimit, ulimits } from './ulimits.ts';

// The grammar of github.com/distribution/reference: [host[:port]/]path[:tag][@digest].
const HOST = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::[0-9]+)?';
const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const TAG = '(?::[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127})?';
const DIGEST = '(?:@[a-z0-9]+(?:[-_+.][a-z0-9]+)*:[0-9a-f]{32,})?';
const REFERENCE = new RegExp(`^(?:${HOST}/)?${PART}(?:/${PART})*${TAG}${DIGEST}$`);

const VOLUME =
  '"host:container" or "host:container:ro": host a path that starts with / or ./ or ../ (named volumes are not supported), container a path that starts with /';
const IN_PATH = '[^:\\0\\n\\r]';
const VOLUME_OPTION = '(?:ro|rw|z|Z|r?shared|r?slave|r?private|nocopy|cached|delegated|consistent)';
const volume = text(
  VOLUME,
  new RegExp(`^(?:\\.{0,2}/${IN_PATH}*|\\.{1,2}):/${IN_PATH}+(?::${VOLUME_OPTION}(?:,${VOLUME_OPTION})*)?$`),
  8192,
);

const PORT =
  '"host:container" or "address:host:container", such as "8080:80" or "127.0.0.1:8080:80"; "/udp" may follow, and ports are from 1 to 65535';
const port = text(PORT, /^(?:\d{1,3}(?:\.\d{1,3}){3}:)?\d{1,5}:\d{1,5}(?:\/(?:tcp|udp))?$/).refine(
  (given) => [parsePort(given).host, parsePort(given).container].every((number) => number >= 1 && number <= 65_535),
  { error: PORT },
);

/** Parses a published port. */
export function parsePort(given: string): { address: string; host: number; container: number; protocol: string } {
  const [numbers = '', protocol = 'tcp'] = given.split('/');
  const [container, host, address = ''] = numbers.split(':').toReversed();
  return { address, host: Number(host), container: Number(container), protocol };
}

const TMPFS =
  '"/path" or "/path:options", such as "/tmp" or "/data:size=512m,mode=1777": a path of the container that starts with /';
const tmpfs = text(TMPFS, /^\/[^:\0\n\r]+(?::[a-z0-9_]+(?:=[^,\s]+)?(?:,[a-z0-9_]+(?:=[^,\s]+)?)*)?$/, 4096);

const SECURITY =
  '"seccomp=unconfined", "systempaths=unconfined", "apparmor=PROFILE" or "label=OPTION" (no-new-privileges holds anyway: see new-privileges)';

/** Name of the network that is made for each run, and removed after it. */
export const OWN = 'own';

export const IMAGE_TIMEOUT_S = 3600;

const CAPABILITY = 'the name of a capability such as NET_ADMIN';
const CAPABILITIES = 'a list of capabilities such as [NET_ADMIN]';
const CPUS = 'a number of processors from 0.01 to 4096';

const build = map({
  context: hostPath('a folder')
    .prefault('.')
    .meta({ description: 'Folder sent to the builder, relative to this file.' }),
  dockerfile: hostPath('a path')
    .prefault('Dockerfile')
    .meta({ description: 'Path of the Dockerfile, relative to the context.' }),
  target: text('the name of a build stage', /^[A-Za-z0-9][A-Za-z0-9._-]*$/)
    .optional()
    .meta({ description: 'Stage to build; default: the last.' }),
  args: environment.nullish().meta({ description: 'Build arguments.' }),
});

/** Keys of containers only; a variant with `image` or `build` is one. */
export const containerKeys = {
  image: text(
    'the reference of an image, such as debian:12 or registry.example/team/app@sha256:…, in lower case',
    REFERENCE,
  )
    .optional()
    .meta({ description: 'Image that is present or can be pulled. With it the variant runs in a container.' }),
  build: build
    .optional()
    .meta({ description: 'Builds the image before the first block. With it the variant runs in a container.' }),
  pull: z
    .enum(['missing', 'always', 'never'], { error: '"missing", "always" or "never"' })
    .optional()
    .meta({ description: 'When `image` is pulled; default: missing.' }),
  'image-timeout': timeLimit
    .optional()
    .meta({ description: 'Longest time that pulling or building the image may take; default: 1h; none: no limit.' }),
  volumes: z
    .array(volume, { error: 'a list of texts such as "./data:/data"' })
    .nullish()
    .meta({ description: 'Bind mounts, `host:container[:options]`; relative host paths start at this file.' }),
  network: text('the name of a network, such as bridge, host or none', /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/)
    .optional()
    .meta({
      description: `Network of the container: bridge, host, none, ${OWN} (a bridge network that is made for every run), or the name of an existing network; default: the engine's.`,
    }),
  tmpfs: z
    .array(tmpfs, { error: 'a list of texts such as "/tmp:size=512m"' })
    .nullish()
    .meta({ description: 'File systems in memory, `path[:options]`.' }),
  'read-only': z.boolean({ error: 'true or false' }).optional().meta({
    description: 'Only volumes and tmpfs can be written to. Default: false.',
  }),
  ulimits: ulimits
    .optional()
    .meta({ description: 'Limits of its processes (setrlimit), each a number or { soft, hard }.' }),
  security: z
    .array(text(SECURITY, /^(?:seccomp=unconfined|systempaths=unconfined|apparmor=[\w.-]+|label=[\w:.,-]+)$/), {
      error: `a list of ${SECURITY}`,
    })
    .optional()
    .meta({ description: 'Security options of the engine; named in the report.' }),
  platform: text('a platform such as linux/amd64 or linux/arm64/v8', /^[a-z0-9]+\/[a-z0-9_]+(?:\/[a-z0-9]+)?$/)
    .optional()
    .meta({ description: "Platform of the image; default: the machine's. One that the machine can't run is refused." }),
  ports: z
    .array(port, { error: 'a list of texts such as "8080:80"' })
    .nullish()
    .meta({ description: 'Ports of the host that lead to ports in the container, `[address:]host:container[/udp]`.' }),
  user,
  ...limitKeys,
  capabilities: z
    .array(text(CAPABILITY, /^[A-Z][A-Z0-9_]{1,40}$/), { error: CAPABILITIES })
    .optional()
    .meta({ description: "Capabilities beyond the engine's usual ones; named in the report." }),
  'new-privileges': z
    .boolean({ error: 'true or false' })
    .optional()
    .meta({ description: 'Lets programs such as sudo gain privileges; named in the report. Default: false.' }),
  cpuset: text('processors such as "0", "0-3" or "0,2-5"', /^\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*$/, 1000)
    .optional()
    .meta({ description: 'Processors that the container may use.' }),
  cpus: z
    .number({ error: CPUS })
    .min(0.01, { error: CPUS })
    .max(4096, { error: CPUS })
    .optional()
    .meta({ description: 'Limit of processor time, in processors.' }),
  entrypoint: words.optional().meta({ description: 'Replaces the entry point of the image; [] for none.' }),
  runtime: text('the name of a container runtime, such as runc', /^[A-Za-z0-9/][A-Za-z0-9_./-]*$/)
    .optional()
    .meta({ description: "Container runtime; default: the engine's." }),
  engine: engineKey,
};

export type ContainerKeys = typeof containerKeys;

export interface ImageBuild {
  readonly context: string;
  readonly dockerfile: string;
  readonly target: string | null;
  readonly args: Readonly<Record<string, string>>;
  /** Text from which the image's tag is made, where the context's path changes each time; absent: the paths. */
  readonly tagBy?: string;
}

/** How a container is made. */
export interface ContainerOptions {
  /** Reference of an image that is present or can be pulled; null when `build` is given. */
  readonly image: string | null;
  readonly build: ImageBuild | null;
  readonly pull: 'missing' | 'always' | 'never';
  /** How long pulling or building may take; absent: IMAGE_TIMEOUT_S. */
  readonly imageTimeoutS?: number | 'none';
  /** `host:container[:options]`, host paths absolute after resolution. */
  readonly volumes: readonly string[];
  readonly network: string | null;
  /** `[address:]host:container[/protocol]`; absent: none is published. */
  readonly ports?: readonly string[];
  readonly user: string | null;
  /** Upper bound on processes; absent: MAX_PIDS. */
  readonly pids?: number;
  /** Capabilities beyond the engine's usual ones; absent: none. */
  readonly capabilities?: readonly string[];
  /** Whether programs in it may gain privileges; absent: no. */
  readonly newPrivileges?: true;
  readonly cpuset: string | null;
  readonly cpus: number | null;
  /** Memory limit, bytes; null: the machine's memory without a reserve. */
  readonly memoryBytes: number | null;
  /** File systems in memory, `path[:options]`; absent: none. */
  readonly tmpfs?: readonly string[];
  /** Limits of processes; absent: the engine's own. */
  readonly ulimits?: Readonly<Record<string, Ulimit>>;
  /** Whether the root file system is read-only; absent: no. */
  readonly readOnly?: true;
  /** Security options in the engine's form; absent: its own. */
  readonly security?: readonly string[];
  /** Platform, `os/architecture[/variant]`; absent: the machine's. */
  readonly platform?: string;
  /** `null`: the image's own entry point stays; a list replaces it (empty list: none). */
  readonly entrypoint: readonly string[] | null;
  readonly runtime: string | null;
  /** Engine; absent: that of DOCKER_HOST, else Docker's. */
  readonly engine?: EngineName;
}

export interface ContainerVariant extends VariantBase, ContainerOptions {
  readonly kind: 'container';
}

/** Whether a variant is a container, so that keys of containers apply. */
export const isContainer = (variant: VariantBase): variant is ContainerVariant => variant.kind === 'container';

/** A container with the engine's own defaults. */
export const NO_OPTIONS: ContainerOptions = {
  image: null,
  build: null,
  pull: 'never',
  volumes: [],
  network: null,
  user: null,
  cpuset: null,
  cpus: null,
  memoryBytes: null,
  entrypoint: null,
  runtime: null,
};

/** The name by which an experiment file calls the user who started joulediff. */
export const CALLER = 'caller';

/** The host's folders that these volumes let a container write into. */
export function writableFolders(volumes: readonly string[]): string[] {
  return hostFolders(volumes.filter((volume) => !/:(?:[^:]*,)?ro(?:,[^:]*)?$/.test(volume)));
}

/** The host's side of volumes, absolute. */
export function hostFolders(volumes: readonly string[]): string[] {
  return volumes.map((volume) => volume.slice(0, volume.indexOf(':'))).filter((folder) => folder.startsWith('/'));
}

/** Schema of the variant's own part of a record. */
export const recordedKeys = {
  image: z.string().nullable(),
  build: z
    .strictObject({
      context: z.string(),
      dockerfile: z.string(),
      target: z.string().nullable(),
      args: z.record(z.string(), z.string()),
      tagBy: z.string().exactOptional(),
    })
    .nullable(),
  pull: z.enum(['missing', 'always', 'never']),
  imageTimeoutS: z.union([z.number(), z.literal('none')]).exactOptional(),
  volumes: z.array(z.string()),
  network: z.string().nullable(),
  ports: z.array(z.string()).exactOptional(),
  user: z.string().nullable(),
  pids: z.int().exactOptional(),
  capabilities: z.array(z.string()).exactOptional(),
  newPrivileges: z.literal(true).exactOptional(),
  cpuset: z.string().nullable(),
  cpus: z.number().nullable(),
  memoryBytes: z.number().nullable(),
  entrypoint: z.array(z.string()).nullable(),
  runtime: z.string().nullable(),
  tmpfs: z.array(z.string()).exactOptional(),
  ulimits: recordedUlimits.exactOptional(),
  readOnly: z.literal(true).exactOptional(),
  security: z.array(z.string()).exactOptional(),
  platform: z.string().exactOptional(),
  engine: recordedEngineName.exactOptional(),
};
