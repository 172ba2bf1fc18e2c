import type { ComposeService } from './model.ts';

/** What decides whether a service's keys are allowed. */
export interface Judged {
  readonly isWorkload: boolean;
  readonly outside: Outside;
}

/** Null: a file or folder of the host may be mounted, or read; else why not. */
export type Outside = (path: string, isWritten?: boolean) => string | null;

/** A key that can't be honored: the rest of its path, and why. */
type Problem = readonly [at: string, why: string];
type Rule<C = Judged> = 'carried' | string | ((value: never, context: C) => readonly Problem[]);
type Rules<C = Judged> = Readonly<Record<string, Rule<C>>>;

const UNKNOWN = 'joulediff does not know this key, so it can’t promise that a run heeds it';
const OF_A_SWARM = 'it is for a swarm, and Compose ignores it';
const OF_WINDOWS = 'it is for Windows';
const TO_THE_HOST = 'it leads out of the container into this machine';
const OUT_OF_PROJECT = 'it names a container outside of the project';

/** Whether a value sets something: empty ones are filled in by Compose. */
function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Judges key by key: Compose carries it over, or it is refused for a reason, or its value is examined. A key without a rule is refused. */
function judge<C>(given: Readonly<Record<string, unknown>>, rules: Rules<C>, context: C): Problem[] {
  return Object.entries(given).flatMap(([key, value]): Problem[] => {
    if (!isGiven(value) || key.startsWith('x-')) return [];
    const rule = Object.hasOwn(rules, key) ? (rules[key] as Rule<C>) : UNKNOWN;
    if (rule === 'carried') return [];
    if (typeof rule === 'string') return [[key, rule]];
    return rule(value as never, context).map(([at, why]) => [`${key}${at}`, why]);
  });
}

const all = (keys: string): Rules<never> => Object.fromEntries(keys.split(' ').map((key) => [key, 'carried']));

/** Rule that refuses a text that matches. */
const not =
  (pattern: RegExp, why: string) =>
  (value: string): Problem[] =>
    pattern.test(value) ? [['', why]] : [];

/** Rule that refuses each element of a list that does not match. */
const only =
  (pattern: RegExp, why: string) =>
  (values: readonly string[]): Problem[] =>
    values.flatMap((value, i): Problem[] => (pattern.test(value) ? [] : [[`[${i}]`, `${value}: ${why}`]]));

/** Capabilities that Docker gives by default, and others that reach nothing outside of the container. */
const CAPABILITIES =
  /^(?:CAP_)?(?:AUDIT_WRITE|CHOWN|DAC_OVERRIDE|FOWNER|FSETID|IPC_LOCK|IPC_OWNER|KILL|LEASE|MKNOD|NET_ADMIN|NET_BIND_SERVICE|NET_BROADCAST|NET_RAW|SETFCAP|SETGID|SETPCAP|SETUID|SYS_CHROOT|SYS_NICE|SYS_PTRACE|SYS_RESOURCE)$/i;
/** Devices that lead to no disk and to no memory. */
const DEVICE = /^\/dev\/(?:dri(?:\/[\w-]+)*|fuse|kfd|kvm|net\/tun|null|nvidia[\w-]*|random|urandom|zero)$/;
const SECURITY =
  /^(?:no-new-privileges(?:[:=](?:true|false))?|seccomp[:=](?:unconfined|builtin)|apparmor[:=]docker-default)$/;

const RESOURCES: Rules<never> = {
  limits: 'carried',
  reservations: (value: Readonly<Record<string, unknown>>) =>
    judge(value, { ...all('memory devices'), cpus: OF_A_SWARM, generic_resources: OF_A_SWARM }, undefined as never).map(
      ([at, why]): Problem => [`.${at}`, why],
    ),
};

const DEPLOY: Rules = {
  ...all('restart_policy'),
  mode: (mode: string) => (mode === 'replicated' ? [] : [['', `${mode} is for a swarm`]]),
  replicas: (count: number, { isWorkload }) => oneOnly(count, isWorkload),
  resources: (value: Readonly<Record<string, unknown>>) => below(judge(value, RESOURCES, undefined as never)),
  ...Object.fromEntries(
    ['placement', 'update_config', 'rollback_config', 'endpoint_mode', 'labels'].map((key) => [key, OF_A_SWARM]),
  ),
};

const NO_SECRETS = 'joulediff hands nothing secret to a build; build the image before, and give image';
const NO_RIGHTS = 'a build gets no more rights here than any other';
/** Matches what is not a path of this machine. */
export const REMOTE = /^(?:[a-z][a-z0-9+.-]*:\/\/|git@|github\.com\/|service:|docker-image:)/i;

const BUILD: Rules = {
  ...all(
    'args dockerfile dockerfile_inline extra_hosts labels network no_cache platforms provenance pull sbom shm_size tags target ulimits',
  ),
  context: (path: string, { outside }) => readable(path, '', outside),
  additional_contexts: (given: Readonly<Record<string, string>>, { outside }) =>
    Object.entries(given).flatMap(([name, path]) => readable(path, `.${name}`, outside)),
  cache_from: only(/^(?!.*\btype=(?!registry\b|gha\b)).*$/, 'only caches of a registry are read'),
  cache_to: 'it would write outside of the engine; leave it out',
  isolation: OF_WINDOWS,
  secrets: NO_SECRETS,
  ssh: NO_SECRETS,
  privileged: NO_RIGHTS,
  entitlements: NO_RIGHTS,
};

const SERVICE: Rules = {
  ...all(
    'annotations attach blkio_config cap_drop command container_name cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpus cpuset depends_on develop dns dns_opt dns_search domainname entrypoint expose extends extra_hosts gpus group_add healthcheck hostname image init labels links logging mac_address mem_limit mem_reservation mem_swappiness memswap_limit networks oom_kill_disable oom_score_adj pids_limit platform ports profiles read_only restart runtime shm_size stdin_open stop_grace_period stop_signal storage_opt sysctls tmpfs tty ulimits user working_dir',
  ),
  // The files that these keys name are examined where the file is read as it was written.
  ...all('env_file label_file'),
  build: (given: Readonly<Record<string, unknown>>, judged) => below(judge(given, BUILD, judged)),
  deploy: (given: Readonly<Record<string, unknown>>, judged) => below(judge(given, DEPLOY, judged)),
  environment: (given: Readonly<Record<string, unknown>>) =>
    Object.entries(given).flatMap(([name, value]): Problem[] =>
      value === null ? [[`.${name}`, 'it is to be passed on, and has no value here']] : [],
    ),
  privileged: 'what runs in it could do anything to this machine and its measurement',
  pid: not(/^(?:host|container:)/, 'it would see and could end the processes of this machine'),
  ipc: not(/^(?:host|container:)/, 'it would share memory with processes outside of the project'),
  cgroup: not(/^host$/, TO_THE_HOST),
  cgroup_parent: 'its control groups are joulediff’s, which limits and watches them',
  uts: not(/^host$/, TO_THE_HOST),
  userns_mode: 'it would be root of this machine where the engine maps users',
  network_mode: not(
    /^(?!(?:host|none|bridge|default|service:.*)$)/,
    'it is that of a container or a network outside of the project',
  ),
  cap_add: only(CAPABILITIES, TO_THE_HOST),
  security_opt: only(SECURITY, 'it lifts a bound of containers that joulediff relies on'),
  devices: (given: readonly { readonly source?: string }[]) =>
    given.flatMap(({ source = '' }, i): Problem[] =>
      DEVICE.test(source) ? [] : [[`[${i}]`, `${source}: ${TO_THE_HOST}`]],
    ),
  device_cgroup_rules: TO_THE_HOST,
  use_api_socket: 'whoever has the engine’s socket is root on this machine',
  volumes: (given: NonNullable<ComposeService['volumes']>, { outside }) =>
    given.flatMap((one, i) => mountProblems(one, outside).map(([at, why]): Problem => [`[${i}]${at}`, why])),
  volumes_from: only(/^(?!container:)/, OUT_OF_PROJECT),
  external_links: 'they lead out of the project',
  provider: 'it is no container, so that joulediff could neither watch nor remove it',
  models: 'they are not run in a container of the project',
  scale: (count: number, { isWorkload }) => oneOnly(count, isWorkload),
  post_start: (given: readonly { readonly privileged?: boolean }[], { isWorkload }) =>
    isWorkload
      ? [['', 'it would be part of the window; give prepare instead']]
      : given.flatMap(({ privileged }, i): Problem[] =>
          privileged ? [[`[${i}].privileged`, 'it could do anything to this machine']] : [],
        ),
  pre_stop: 'the project is removed without it; give cleanup instead',
  pull_policy: not(
    /^(?:daily|weekly|every_)/,
    'images are pulled once, before the first block; give missing or always',
  ),
  configs: 'carried',
  secrets: 'carried',
  ...Object.fromEntries(['credential_spec', 'isolation', 'cpu_count', 'cpu_percent'].map((key) => [key, OF_WINDOWS])),
};

const below = (problems: readonly Problem[]): Problem[] => problems.map(([at, why]) => [`.${at}`, why]);

const oneOnly = (count: number, isWorkload: boolean): Problem[] =>
  isWorkload && count !== 1 ? [['', `the workload runs in one container of it, and ${count} were given`]] : [];

function readable(path: string, at: string, outside: Outside): Problem[] {
  const why = REMOTE.test(path) ? null : outside(path);
  return why === null ? [] : [[at, why]];
}

function mountProblems(
  { type, source = '', read_only: isReadOnly, bind = {} }: NonNullable<ComposeService['volumes']>[number],
  outside: Outside,
): Problem[] {
  if (type !== 'bind') {
    return ['volume', 'tmpfs', 'image'].includes(type) ? [] : [['', `a mount of type ${type} is not supported`]];
  }
  const { propagation = 'rprivate', selinux } = bind ?? {};
  const problem = outside(source, isReadOnly !== true);
  return [
    ...(problem === null ? [] : [['', problem] as const]),
    ...(/^r?private$/.test(propagation) ? [] : [['.bind.propagation', `${propagation}: ${TO_THE_HOST}`] as const]),
    ...(selinux === undefined || selinux === ''
      ? []
      : [['.bind.selinux', 'it would change labels of files of this machine'] as const]),
  ];
}

/** Lists the keys of a service that a measurement can't honor: one line each, with the reason. */
export const serviceProblems = (service: ComposeService, judged: Judged): string[] => [
  ...(service.network_mode === 'host' && service.cap_add?.some((name) => /^(?:CAP_)?NET_ADMIN$/i.test(name))
    ? ['cap_add: NET_ADMIN with network_mode: host changes the network of this machine']
    : []),
  ...judge(service, SERVICE, judged).map(([at, why]) => `${at}: ${why}`),
  ...(service.image === undefined && service.build === undefined
    ? ['image: there is neither an image nor a build']
    : []),
];

/** Options of a volume in memory. */
const IN_MEMORY = /^(?:(?:size|nr_inodes|nr_blocks|mode|uid|gid)=[\w%]+|ro|rw|noexec|nosuid|nodev|noatime)(?:,|$)/;
const BRIDGE_OPTIONS = /^com\.docker\.network\.(?:driver\.mtu|bridge\.(?:enable_icc|enable_ip_masquerade))$/;

const KEPT_BY_SWARM = 'it is kept by a swarm';

interface Shared {
  readonly outside: Outside;
  /** Whether it belongs to the workload's own service, whose container is started without Compose. */
  readonly ofWorkload: boolean;
}

/** Refuses what the workload's container would lack: Compose writes it only into containers that it starts itself. */
const written = (_: unknown, { ofWorkload }: Shared): Problem[] =>
  ofWorkload
    ? [['', 'Compose writes it into the workload’s container only where it starts that itself; give file']]
    : [];

const FILES: Rules<Shared> = {
  ...all('name labels'),
  file: (path: string, { outside }) => readable(path, '', outside),
  content: written,
  environment: written,
  driver: KEPT_BY_SWARM,
  driver_opts: KEPT_BY_SWARM,
  template_driver: KEPT_BY_SWARM,
  external: `${KEPT_BY_SWARM}; give file, or for a service beside the workload content or environment`,
};

const SHARED: Readonly<Record<string, Rules<Shared>>> = {
  networks: {
    ...all('name attachable internal enable_ipv4 enable_ipv6 ipam labels'),
    driver: not(/^(?!bridge$)/, 'it reaches networks of this machine; leave it out'),
    driver_opts: (given: Readonly<Record<string, unknown>>) =>
      Object.keys(given).flatMap((key): Problem[] =>
        BRIDGE_OPTIONS.test(key) ? [] : [[`.${key}`, 'it may change networks of this machine']],
      ),
    external: 'a network that others use can change a run; leave external out',
  },
  volumes: {
    ...all('name labels'),
    driver: (driver: string) =>
      driver === 'local' ? [] : [['', `${driver} keeps it outside of this machine's engine`]],
    driver_opts: ({ type, device, o = '' }: Readonly<Record<string, unknown>>) =>
      type === 'tmpfs' && (device ?? 'tmpfs') === 'tmpfs' && hasOnly(String(o), IN_MEMORY)
        ? []
        : [['', 'it may be a folder of the host, or of another machine, in the dress of a volume; mount it as a bind']],
    external:
      'what one run leaves in it the next would find; leave external out, and fill the volume in prepare or by a service',
  },
  secrets: FILES,
  configs: FILES,
};

function hasOnly(options: string, option: RegExp): boolean {
  for (let rest = options; rest !== ''; ) {
    const found = option.exec(rest);
    if (found === null) return false;
    rest = rest.slice(found[0].length);
  }
  return true;
}

/** Lists the keys of a network, volume, secret or config that a measurement can't honor: one line each, with the reason. */
export const sharedProblems = (
  kind: 'networks' | 'volumes' | 'secrets' | 'configs',
  given: Readonly<Record<string, unknown>>,
  shared: Shared,
): string[] => judge(given, SHARED[kind] as Rules<Shared>, shared).map(([at, why]) => `${at}: ${why}`);

const TOP: Rules<never> = { ...all('name version services networks volumes secrets configs'), models: 'carried' };

/** Lists the top-level keys of the Compose file that a measurement can't honor: one line each, with the reason. */
export const topProblems = (model: Readonly<Record<string, unknown>>): string[] =>
  judge(model, TOP, undefined as never).map(([at, why]) => `${at}: ${why}`);
