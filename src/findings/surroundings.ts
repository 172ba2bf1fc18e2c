import * as z from 'zod';
import { count, type Immutable } from './numbers.ts';

const text = z.string();

/** What a program is made of; null: it could not be told. */
export const ProgramParts = z.strictObject({
  /** That of the program where its file tells, else the place's: `glibc 2.36`, `musl 1.2.5`, `glibc, linked statically`, or `linked statically` where the program doesn't tell more. */
  libc: text.nullable(),
  /** What it is linked with, versions by name (`libz.so`); null: it is a script, linked statically, or can't be asked. */
  libraries: z.record(text, text).nullable(),
  /** The memory allocator that replaces the C library's own. */
  allocator: text.nullable(),
  /** As its file tells it, with the flags where they were recorded. */
  compiler: text.nullable(),
});
export type ProgramParts = Immutable<z.output<typeof ProgramParts>>;

/** What a place looks like from inside, as it was before the first block, and what the program of its workload is made of; null: it could not be told there. */
export const Surroundings = z.strictObject({
  /** Release of the kernel that answers there: a sandbox has one of its own. */
  kernel: text.nullable(),
  ...ProgramParts.shape,
  workdir: text.nullable(),
  /** Types of file systems, by what they hold: the working directory, the temporary folder, and mounted folders by their paths. */
  fileSystems: z.record(text, text),
  /** Digests of the values, by name, under a key that stays on the machine. */
  environment: z.record(text, text).nullable(),
  locale: text.nullable(),
  /** Name and offset, such as `CET+0100`. */
  timeZone: text.nullable(),
  uid: count.nullable(),
  gid: count.nullable(),
  /** Octal. */
  umask: text.nullable(),
  nice: z.int().nullable(),
  /** Effective capabilities, hexadecimal. */
  capabilities: text.nullable(),
  noNewPrivileges: z.boolean().nullable(),
  seccomp: z.enum(['off', 'strict', 'filter']).nullable(),
  /** Processors that it may run on, such as `0-3`. */
  cpus: text.nullable(),
  /** Soft and hard, by their names in /proc/PID/limits: a number, or unlimited. */
  limits: z.record(text, z.tuple([text, text])),
  /** The lowest of its control group and those around it; null: none. */
  groupLimits: z.strictObject({
    cpus: z.number().nullable(),
    memoryBytes: z.number().nullable(),
    /** Memory and swap together where the kernel counts them so, else swap. */
    swapBytes: z.number().nullable(),
    processes: z.number().nullable(),
  }),
  hugePages: text.nullable(),
  swap: z.boolean().nullable(),
  /** What the kernel does to these processes against attacks by speculation, as /proc/PID/status names it. */
  mitigations: text.nullable(),
  /** The way to what is outside: `host`, `bridge`, `bridge, published ports, docker-proxy` (or `no docker-proxy`; neither: not known), or the name of a network. */
  network: text.nullable(),
  /** Versions of installed packages, by name. */
  packages: z.record(text, text).nullable(),
});
export type Surroundings = Immutable<z.output<typeof Surroundings>>;

/** Why nothing is known of a place: it has no shell to look around with, the command runs on the host, or looking failed. */
export const Unseen = z.enum(['no-shell', 'no-place', 'failed']);
export type Unseen = z.output<typeof Unseen>;

/** What a client talks to. It runs in the variant's place (`program`), or in one of its own (`place`); what it does on the host is the same for all. */
export const ServiceSeen = z.strictObject({
  service: text,
  program: ProgramParts.nullable(),
  place: Surroundings.nullable(),
  unseen: Unseen.nullable(),
});
export type ServiceSeen = Immutable<z.output<typeof ServiceSeen>>;

/** What was seen of a variant before the first block. */
export const SeenAround = z.union([
  Surroundings.extend({ services: z.array(ServiceSeen).optional() }),
  // The client runs on the host, its services elsewhere.
  z.strictObject({ services: z.array(ServiceSeen) }),
]);
export type SeenAround = Immutable<z.output<typeof SeenAround>>;

/** Whether there is a place that was looked at, and not only services. */
export const isPlaceSeen = (
  seen: SeenAround | null,
): seen is Surroundings & { readonly services?: readonly ServiceSeen[] | undefined } =>
  seen !== null && 'kernel' in seen;

/** What the command under `version` printed in a place. */
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
      'the service that differs in it, where it does otherwise than the place of the command; absent: that place',
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
    'how the places of the variants differ, beside what was compared, as seen from inside before the first block; values of variables are left out',
  );
export type Fairness = Immutable<z.output<typeof Fairness>>;
