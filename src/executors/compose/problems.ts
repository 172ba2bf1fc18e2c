import { realpathSync, statSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { ComposeModel, ComposeService, Stack } from './model.ts';
import type { ComposeVariant } from './variant.ts';

/** What else Compose tells of a file. */
export interface FileFacts {
  /** The file as it is written. */
  readonly raw: unknown;
  /** Its variables, by name. */
  readonly variables: Readonly<Record<string, { readonly DefaultValue?: string; readonly PresenceValue?: string }>>;
  /** Names of the variables that have a value here. */
  readonly known: ReadonlySet<string>;
}

/** Keys under `deploy` that only a swarm heeds: Compose passes them over. */
const OF_A_SWARM = ['placement', 'update_config', 'rollback_config', 'endpoint_mode', 'labels'];

/** Everything in a stack that can't be honoured in a measurement, a line each: where it stands, and why. */
export function findProblems(variant: ComposeVariant, stack: Stack, facts: FileFacts): string[] {
  const { model, workload } = stack;
  const allowed = [variant.root, dirname(variant.file)].map(realPath);
  const isInside = (path: string): boolean =>
    allowed.some((folder) => folder !== null && isBelow(realPath(path) ?? path, folder));
  return [
    ...Object.entries(model.services).flatMap(([name, one]) => [
      ...serviceProblems(one, name === workload).map((text) => `services.${name}.${text}`),
      ...mountProblems(one, isInside).map((text) => `services.${name}.${text}`),
    ]),
    ...usedProblems(model, isInside),
    ...envFileProblems(stack, facts.raw, isInside),
    ...variableProblems(stack, facts),
  ];
}

function serviceProblems(one: ComposeService, isWorkload: boolean): string[] {
  const { deploy = {}, build = {} } = one;
  const count = one.scale ?? deploy.replicas ?? 1;
  const found: [boolean, string][] = [
    [one.privileged === true, 'privileged: what runs in it could do anything to this machine and its measurement'],
    [one.pid === 'host', 'pid: it would see and could end the processes of this machine'],
    [/^container:/.test(one.network_mode ?? ''), 'network_mode: it is that of a container outside of the project'],
    [
      (one.volumes_from ?? []).some((from) => from.startsWith('container:')),
      'volumes_from: it names a container outside of the project',
    ],
    [isGiven(one.external_links), 'external_links: they lead out of the project'],
    [isGiven(one.provider), 'provider: it is no container, so that joulediff could neither watch nor remove it'],
    [isGiven(one.models), 'models: they are not run in a container of the project'],
    [deploy.mode !== undefined && deploy.mode !== 'replicated', `deploy.mode: ${deploy.mode} is for a swarm`],
    ...OF_A_SWARM.map((key): [boolean, string] => [
      isGiven(deploy[key]),
      `deploy.${key}: it is for a swarm, and Compose ignores it`,
    ]),
    ...['secrets', 'ssh'].map((key): [boolean, string] => [
      isGiven(build[key]),
      `build.${key}: joulediff hands nothing secret to a build; build the image before, and give image`,
    ]),
    ...['privileged', 'entitlements'].map((key): [boolean, string] => [
      isGiven(build[key]),
      `build.${key}: a build gets no more rights here than any other`,
    ]),
    [isWorkload && count !== 1, `deploy.replicas: the workload runs in one container of it, and ${count} were given`],
    [isWorkload && isGiven(one.post_start), 'post_start: it would be part of the window; give prepare instead'],
    [one.image === undefined && one.build === undefined, 'image: there is neither an image nor a build'],
  ];
  const unset = Object.entries(one.environment ?? {}).filter(([, value]) => value === null);
  return [
    ...found.flatMap(([isSo, text]) => (isSo ? [text] : [])),
    ...unset.map(([name]) => `environment.${name}: it is to be passed on, and has no value here`),
  ];
}

/** Something that says something: what is empty is what Compose fills in. */
function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function mountProblems(one: ComposeService, isInside: (path: string) => boolean): string[] {
  return (one.volumes ?? []).flatMap(({ type, source = '', read_only: isReadOnly }, i) => {
    if (type !== 'bind')
      return ['volume', 'tmpfs', 'image'].includes(type)
        ? []
        : [`volumes[${i}]: a mount of type ${type} is not supported`];
    const problem = bindProblem(source, isReadOnly === true, isInside);
    return problem === null ? [] : [`volumes[${i}]: ${problem}`];
  });
}

/** Null: it may be mounted. */
function bindProblem(source: string, isReadOnly: boolean, isInside: (path: string) => boolean): string | null {
  const found = statSync(source, { throwIfNoEntry: false });
  if (found === undefined) return `${source} isn't there, and the engine would create it as a folder owned by root`;
  if (isInside(source)) return null;
  if (found.isFile() && isReadOnly) return null;
  return `${source} lies outside of the folder of the experiment file; only single files from there are mounted, and only with read_only (ro)`;
}

/** Those networks, volumes, secrets and configs that a service of the stack uses. */
function usedProblems(
  { services, networks, volumes, secrets, configs }: ComposeModel,
  isInside: (path: string) => boolean,
): string[] {
  const all = Object.values(services);
  const of = {
    networks: new Set(all.flatMap((one) => Object.keys(one.networks ?? {}))),
    volumes: new Set(
      all.flatMap((one) =>
        (one.volumes ?? []).flatMap(({ type, source }) => (type === 'volume' && source ? [source] : [])),
      ),
    ),
    secrets: new Set(all.flatMap((one) => (one.secrets ?? []).map(({ source }) => source))),
    configs: new Set(all.flatMap((one) => (one.configs ?? []).map(({ source }) => source))),
  };
  const WHY = {
    networks: 'a network that others use can change a run; leave external out',
    volumes:
      'what one run leaves in it the next would find; leave external out, and fill the volume in prepare or by a service',
    secrets: 'it is kept by a swarm; give file or environment',
    configs: 'it is kept by a swarm; give file, content or environment',
  };
  return Object.entries({ networks, volumes, secrets, configs }).flatMap(([kind, named]) =>
    Object.entries(named).flatMap(([name, one]) => {
      const key = kind as keyof typeof of;
      if (!of[key].has(name)) return [];
      const at = `${kind}.${name}`;
      if (one.external) return [`${at}.external: ${WHY[key]}`];
      const device = one.driver_opts?.device;
      if (kind === 'volumes' && typeof device === 'string' && device.startsWith('/')) {
        return [`${at}.driver_opts.device: it is a folder of the host in the dress of a volume; mount it as a bind`];
      }
      if (kind === 'volumes' && (one.driver ?? 'local') !== 'local')
        return [`${at}.driver: ${one.driver} keeps it outside of this machine's engine`];
      if (one.file !== undefined) {
        const problem = bindProblem(one.file, true, isInside);
        return problem === null ? [] : [`${at}.file: ${problem}`];
      }
      return [];
    }),
  );
}

function envFileProblems({ model }: Stack, raw: unknown, isInside: (path: string) => boolean): string[] {
  const services = (raw as { services?: Record<string, { env_file?: unknown }> }).services ?? {};
  return Object.keys(model.services).flatMap((name) =>
    [services[name]?.env_file ?? []].flat().flatMap((entry: unknown) => {
      const path = typeof entry === 'string' ? entry : (entry as { path?: unknown }).path;
      if (typeof path !== 'string' || path.includes('$') || isInside(path)) return [];
      return [`services.${name}.env_file: ${path} lies outside of the folder of the experiment file`];
    }),
  );
}

/** Compose takes a blank text for a variable without a value: a run with one would be another than the one that was meant. */
function variableProblems({ model }: Stack, { raw, variables, known }: FileFacts): string[] {
  const services = (raw as { services?: Record<string, unknown> }).services ?? {};
  const { services: _, ...others } = raw as Record<string, unknown>;
  const text = JSON.stringify([others, Object.keys(model.services).map((name) => services[name])]);
  return Object.entries(variables).flatMap(([name, { DefaultValue = '', PresenceValue = '' }]) => {
    if (known.has(name) || DefaultValue !== '' || PresenceValue !== '') return [];
    // Not after another "$", and without the sign of a default: "${NAME:-}" says that blank is meant.
    const isUsed = new RegExp(`(?<!\\$)(?:\\$\\$)*\\$(?:${name}\\b|\\{${name}\\})`).test(text);
    return isUsed
      ? [
          `\${${name}}: the variable has no value here; set it where joulediff is started (in a job: and name it in pass-env), in .env beside the file, or write a default: \${${name}:-…}`,
        ]
      : [];
  });
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith('../') && !way.startsWith('/'));
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
