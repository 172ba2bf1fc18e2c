import { stringify } from 'yaml';
import type { VariantBase } from '../../../contracts/variant.ts';
import { type ContainerVariant, isContainer } from '../../../executors/container/variant.ts';
import { isFindPhases } from '../../../executors/phases/phase-lines.ts';
import type { Service } from '../../../executors/service.ts';
import type { Experiment } from '../../../experiment/experiment.ts';
import { type Explanation, type Group, isOf } from '../../../findings/explain.ts';
import { groupText } from '../../../report/words/explain.ts';
import { MIN_BLOCKS } from '../../../stats/signed-rank.ts';
import { plain } from '../../../text/plain.ts';

/** A single changed ingredient of a container. */
interface Change {
  readonly name: string;
  /** Description for the reader. */
  readonly words: string;
  readonly keys: Readonly<Record<string, unknown>>;
}

type File = Readonly<Record<string, unknown>>;

/**
 * Experiment file that tests a cause: the container against itself with one ingredient changed, the one related to its largest group. Null: there is
 * no such ingredient, the variant is no container, or the experiment has parts that the file can't repeat.
 */
export function confirmingFile(explanation: Explanation, experiment: Experiment): string | null {
  const [first] = explanation.comparisons;
  const variant = experiment.variants.find(
    (of): of is ContainerVariant => isContainer(of) && of.name === first?.variant,
  );
  if (first === undefined || variant === undefined || !isRepeatable(experiment, variant)) return null;
  const sign = Math.sign(first.cpu_time_difference_s ?? 0);
  const groups = explanation.lines.filter(
    (line) => isOf(line, first) && line.kind === 'group' && Math.sign(line.difference) === sign,
  );
  const top = groups.toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference))[0]?.name as Group | undefined;
  const change = top && changeFor(top, variant);
  if (top === undefined || !change) return null;
  const { values, left: ofWorkload } = environmentOf(variant.workload.env);
  const ofServices = (experiment.services ?? []).flatMap((service) =>
    environmentOf(service.env).left.map((name) => `${name} (service ${plain(service.name, 80)})`),
  );
  const left = [...ofWorkload, ...ofServices];
  const same = keysOf(variant);
  const text = stringify(
    {
      name: `${[...experiment.name].slice(0, 60).join('')}-confirm`,
      workload: toWorkloadEntry(experiment, variant, values),
      ...partsOf(experiment),
      variants: { 'as-it-is': same, [change.name]: defined({ ...same, ...change.keys }) },
      baseline: 'as-it-is',
      // Enough repetitions to show a change.
      repetitions: repetitionsOf(experiment),
      warmup: { runs: experiment.warmup.runs },
      rest: experiment.restUpToS === undefined ? `${experiment.restS}s` : 'auto',
      ...(!experiment.guardByMeter && { guard: `${experiment.guardS}s` }),
      batch: toBatchEntry(experiment),
    },
    // For readability, common values are written twice instead of as aliases.
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
  const head = [
    `Is it the cause? ${plain(variant.name, 80)} goes with ${sign < 0 ? 'less' : 'more'} ${groupText(top)}; here only one ingredient of it is changed:`,
    change.words,
    ...(left.length === 0
      ? []
      : [
          `Give these variables their values again, since they were not recorded, or it is refused: ${left.map((name) => plain(name, 180)).join(', ')}.`,
        ]),
  ];
  return `${head.map((line) => `# ${plain(line, 2000)}\n`).join('')}${text}`;
}

/** Whether the file can repeat the experiment: separate files would have to be copied, and other machines can't be observed. */
const isRepeatable = (
  { hooks, pins, passEnv, host, client }: Experiment,
  { revision, build }: ContainerVariant,
): boolean => [hooks, pins, passEnv, host, client, revision, build ?? undefined].every((part) => part === undefined);

function changeFor(
  group: Group,
  { image, network, security = [], volumes, tmpfs = [], workload }: ContainerVariant,
): Change | null {
  switch (group) {
    case 'memory-copy':
    case 'allocation':
    case 'page-faults':
    case 'c-library': {
      const other = image && otherLibc(image);
      if (!other) return null;
      const words = `the C library. Make sure that ${other} holds the same version of the program, or name an image that does.`;
      return { name: 'other-c-library', words, keys: { image: other } };
    }
    case 'network':
      return network === 'host'
        ? null
        : {
            name: 'host-network',
            words: "the network path: the host's own, without bridge and proxy.",
            keys: { network: 'host', ports: undefined },
          };
    case 'files': {
      const folder = workload.workdir ?? '/tmp';
      const mounted = [...volumes.map((of) => of.split(':')[1]), ...tmpfs.map((of) => of.split(':')[0])];
      // A volume's path can't have a colon, and a mounted folder is no image layer.
      if (/[:\r\n]/.test(folder) || mounted.some((at) => isInside(folder, at ?? ''))) return null;
      // A volume over the program's folder would hide the program.
      if (Array.isArray(workload.run) && isInside(workload.run[0] ?? '', folder)) return null;
      const words = `where ${plain(folder, 200)} lies: in a folder of the host instead of the image's layers. Name the folder that the program works in, and make the folder confirm-files beside the result that holds this file, with what belongs there.`;
      return { name: 'volume', words, keys: { volumes: [...volumes, `../confirm-files:${folder}`] } };
    }
    case 'system-calls':
    case 'kernel':
    case 'scheduler':
      return security.includes('seccomp=unconfined')
        ? null
        : {
            name: 'no-seccomp',
            words: 'the filter of system calls. Without it a container is less of a wall: measure, and put it back.',
            keys: { security: [...security, 'seccomp=unconfined'] },
          };
    default:
      return null;
  }
}

const isInside = (path: string, folder: string): boolean =>
  `${path}/`.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** Image with the other C library, by the tags of official images: `redis:7` and `redis:7-alpine`. Null: unknown. */
function otherLibc(image: string): string | null {
  if (image.includes('@')) return null;
  const [, name = '', tag = ''] = /^(.+?)(?::([^:/]+))?$/s.exec(image) ?? [];
  if (/(?:^|\/)(?:alpine|debian|ubuntu|busybox|scratch)$/.test(name))
    return /alpine/.test(name) ? 'debian:stable' : 'alpine:latest';
  if (/musl|glibc/.test(name))
    return `${name.includes('musl') ? name.replace('musl', 'glibc') : name.replace('glibc', 'musl')}${tag && `:${tag}`}`;
  if (/(?:^|-)alpine/.test(tag)) return `${name}:${tag.replace(/-?alpine[\d.]*/, '') || 'latest'}`;
  return `${name}:${tag === '' || tag === 'latest' ? 'alpine' : `${tag.replace(/-(?:slim|bookworm|trixie|bullseye|jammy|noble).*$/, '')}-alpine`}`;
}

/** Null: a value that the user must fill in. */
type Environment = Readonly<Record<string, string | null>>;

/** Recorded secret values are only digests, and leaving them out could change the workload: each gets an empty entry that the user must fill in. */
function environmentOf(env: Readonly<Record<string, string>>): {
  readonly values: Environment;
  readonly left: readonly string[];
} {
  const values = Object.entries(env).map(
    ([name, value]) => [name, value.startsWith('hmac-sha256:') ? null : value] as const,
  );
  return {
    values: Object.fromEntries(values),
    left: values.flatMap(([name, value]) => (value === null ? [name] : [])),
  };
}

function toWorkloadEntry({ directory }: Experiment, { workload }: ContainerVariant, env: Environment): File {
  const { run, prepare, cleanup, version, workdir, timeoutS, place, hostWorkdir } = workload;
  return defined({
    run,
    prepare,
    cleanup,
    version,
    env: Object.keys(env).length === 0 ? null : env,
    workdir: place === 'host' ? (hostWorkdir ?? directory) : workdir,
    place,
    timeout: timeoutS === null ? 'none' : `${timeoutS}s`,
  });
}

function partsOf(experiment: Experiment): File {
  const { services = [], metrics = [], phases, window, marginPercent, meters, output, logs } = experiment;
  return defined({
    output,
    logs: logs && { run: logs.runBytes, all: logs.allBytes },
    services: services.length === 0 ? null : Object.fromEntries(services.map((of) => [of.name, toServiceEntry(of)])),
    window,
    metrics:
      metrics.length === 0
        ? null
        : Object.fromEntries(
            metrics.flatMap(({ name, unit, ...at }) => ('line' in at ? [[name, { ...at, unit }]] : [])),
          ),
    phases:
      phases === undefined || isFindPhases(phases)
        ? phases
        : Object.fromEntries(phases.map(({ phase, pattern }) => [phase, pattern])),
    margin: `${marginPercent}%`,
    meter: meters.length > 1 ? meters : meters[0],
  });
}

function toServiceEntry({ run, place, address, lifetime, env, workdir, stop, ready, readyWithinS }: Service): File {
  const { values } = environmentOf(env);
  const when =
    ready === null
      ? null
      : {
          ...(ready.kind === 'tcp' && { tcp: ready.port }),
          ...(ready.kind === 'http' && { http: ready.url, status: ready.status }),
          ...(ready.kind === 'log' && { log: ready.line }),
          ...(ready.kind === 'command' && { command: ready.command }),
          within: `${readyWithinS}s`,
        };
  return defined({
    run,
    ready: when,
    place,
    address,
    lifetime,
    env: Object.keys(values).length === 0 ? null : values,
    workdir,
    stop: { signal: stop.signal, within: `${stop.withinS}s` },
  });
}

/** Keys of a container variant, by its property in the experiment. */
const KEYS = {
  image: 'image',
  pull: 'pull',
  imageTimeoutS: 'image-timeout',
  engine: 'engine',
  runtime: 'runtime',
  platform: 'platform',
  entrypoint: 'entrypoint',
  user: 'user',
  network: 'network',
  ports: 'ports',
  volumes: 'volumes',
  tmpfs: 'tmpfs',
  readOnly: 'read-only',
  cpuset: 'cpuset',
  cpus: 'cpus',
  memoryBytes: 'memory',
  pids: 'pids',
  ulimits: 'ulimits',
  capabilities: 'capabilities',
  newPrivileges: 'new-privileges',
  security: 'security',
} as const satisfies Readonly<Record<Exclude<keyof ContainerVariant, keyof VariantBase | 'build'>, string>>;

function keysOf(variant: ContainerVariant): File {
  const given = Object.entries(KEYS).map(([of, key]) => [key, variant[of as keyof typeof KEYS]]);
  const keys = Object.fromEntries(given);
  return defined({ ...keys, volumes: variant.volumes.length === 0 ? null : variant.volumes });
}

const defined = (keys: File): File =>
  Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== null && value !== undefined));

function repetitionsOf({ looks, auto, repetitions }: Experiment) {
  if (looks) return { looks };
  if (!auto) return Math.max(MIN_BLOCKS, repetitions);
  const { least, wantPercent, withinS } = auto;
  const limits = { want: wantPercent === undefined ? undefined : `${wantPercent}%`, within: withinS && `${withinS}s` };
  return defined({ least, most: repetitions, ...limits });
}

function toBatchEntry({ batch, batchWindowS, batchStarts }: Experiment) {
  if (batchStarts === undefined && batchWindowS === undefined) return batch;
  return defined({ executions: batch, starts: batchStarts, window: batchWindowS && `${batchWindowS}s` });
}
