import * as z from 'zod';
import { count, type Immutable } from './numbers.ts';

const text = z.string();

/** End of the C library's name in a program that it is a part of. */
export const LINKED_STATICALLY = 'linked statically';

/** Build and linkage of a program; null: unknown. */
export const ProgramParts = z.strictObject({
  /** C library of the program, or if unknown, of its place: `glibc 2.36`, `musl 1.2.5`, `glibc, linked statically`, or only `linked statically`. */
  libc: text.nullable(),
  /** Linked libraries, versions by name (`libz.so`); null: a script, statically linked, or unknown. */
  libraries: z.record(text, text).nullable(),
  /** Memory allocator that replaces the C library's own; null: none. */
  allocator: text.nullable(),
  /** Compiler as the program's file names it, with flags if they were recorded. */
  compiler: text.nullable(),
});
export type ProgramParts = Immutable<z.output<typeof ProgramParts>>;

/** Properties of a place as seen from inside it before the first block, and of the program of its workload; null: could not be determined. */
export const Surroundings = z.strictObject({
  /** Kernel release seen inside the place: a sandbox has its own. */
  kernel: text.nullable(),
  ...ProgramParts.shape,
  workdir: text.nullable(),
  /** Types of file systems, by path: the working directory, the temporary folder, and mounted folders. */
  fileSystems: z.record(text, text),
  /** Digests of the variables' values, by name, with a key that stays on the machine. */
  environment: z.record(text, text).nullable(),
  locale: text.nullable(),
  /** Time zone with offset, such as `CET+0100`. */
  timeZone: text.nullable(),
  uid: count.nullable(),
  gid: count.nullable(),
  /** File mode creation mask, octal. */
  umask: text.nullable(),
  nice: z.int().nullable(),
  /** Effective capabilities, hexadecimal. */
  capabilities: text.nullable(),
  noNewPrivileges: z.boolean().nullable(),
  seccomp: z.enum(['off', 'strict', 'filter']).nullable(),
  /** Allowed processors, such as `0-3`. */
  cpus: text.nullable(),
  /** Resource limits, soft and hard, by their names in /proc/PID/limits: a number, or `unlimited`. */
  limits: z.record(text, z.tuple([text, text])),
  /** Lowest limits of its control group and all groups above it; null: none. */
  groupLimits: z.strictObject({
    cpus: z.number().nullable(),
    memoryBytes: z.number().nullable(),
    /** Limit of memory and swap together in cgroup v1, of swap alone in v2. */
    swapBytes: z.number().nullable(),
    processes: z.number().nullable(),
  }),
  hugePages: text.nullable(),
  swap: z.boolean().nullable(),
  /** Mitigations against speculative execution attacks for these processes, as in /proc/PID/status. */
  mitigations: text.nullable(),
  /** Network: `host`, `bridge`, `bridge, published ports, docker-proxy` (or `no docker-proxy`; neither: unknown), or the name of a network. */
  network: text.nullable(),
  /** Versions of installed packages, by name; null: unknown. */
  packages: z.record(text, text).nullable(),
});
export type Surroundings = Immutable<z.output<typeof Surroundings>>;

/** Why a place was not examined: it has no shell, the command runs on the host, or the examination failed. */
export const Unseen = z.enum(['no-shell', 'no-place', 'failed']);
export type Unseen = z.output<typeof Unseen>;

/** Place of a service. It runs in the variant's place (`program`) or in its own (`place`); a service on the host is the same for all variants. */
export const ServiceSeen = z.strictObject({
  service: text,
  program: ProgramParts.nullable(),
  place: Surroundings.nullable(),
  unseen: Unseen.nullable(),
});
export type ServiceSeen = Immutable<z.output<typeof ServiceSeen>>;

/** Findings about a variant's place before the first block. */
export const SeenAround = z.union([
  Surroundings.extend({ services: z.array(ServiceSeen).optional() }),
  // The client runs on the host, its services in other places.
  z.strictObject({ services: z.array(ServiceSeen) }),
]);
export type SeenAround = Immutable<z.output<typeof SeenAround>>;

/** Whether the variant's own place was examined, and not only its services. */
export const isPlaceSeen = (
  seen: SeenAround | null,
): seen is Surroundings & { readonly services?: readonly ServiceSeen[] | undefined } =>
  seen !== null && 'kernel' in seen;

/** Output of the `version` command in a place. */
export const ReportedVersion = z.strictObject({
  output: text,
  exitCode: z.int().nullable().describe('null: it could not be started, or was ended by a signal'),
});
export type ReportedVersion = Immutable<z.output<typeof ReportedVersion>>;

export const Aspect = z.enum([
  'command',
  'version',
  'libc',
  'kernel',
  'cpus',
  'cpu-limit',
  'memory-limit',
  'swap-limit',
  'process-limit',
  'huge-pages',
  'swap',
  'nice',
  'locale',
  'environment',
  'file-system',
  'workdir',
  'limit',
  'time-zone',
  'user',
  'umask',
  'seccomp',
  'capabilities',
  'new-privileges',
  'mitigations',
  'network',
  'package',
  'library',
  'allocator',
  'compiler',
  'service',
]);
export type Aspect = z.output<typeof Aspect>;

export const PlaceDifference = z.strictObject({
  aspect: Aspect,
  of: text
    .nullable()
    .describe(
      'which variable, limit, package, library or folder (workdir, temporary, root, or the path of a mounted one); null: there is one',
    ),
  baseline: text.nullable().describe('null: it has none'),
  variant: text.nullable(),
  service: text
    .optional()
    .describe(
      'the service that has this difference, if the place of the command does not have the same one; absent: the place of the command has it',
    ),
  weight: z
    .enum(['asked', 'may-matter', 'usual'])
    .describe(
      'asked: the experiment file says that they differ in it; may-matter: known to change how long programs take or what they draw; usual: part of what such places are, or of little weight',
    ),
});
export type PlaceDifference = Immutable<z.output<typeof PlaceDifference>>;

export const Fairness = z
  .strictObject({
    unseen: z.array(
      z.strictObject({
        variant: text,
        service: text.optional().describe('which of its services; absent: the place of its command'),
        reason: Unseen,
      }),
    ),
    versions: z.array(ReportedVersion.extend({ variant: text })).describe('what the command under `version` printed'),
    pairs: z.array(z.strictObject({ baseline: text, variant: text, differences: z.array(PlaceDifference) })),
  })
  .describe(
    'how the places of the variants differ apart from what was compared, as seen from inside before the first block; values of environment variables are left out',
  );
export type Fairness = Immutable<z.output<typeof Fairness>>;
