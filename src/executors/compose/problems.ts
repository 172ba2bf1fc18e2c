import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import { type Outside, REMOTE, serviceProblems, sharedProblems, topProblems } from './keys.ts';
import type { ComposeService, Stack } from './model.ts';
import type { ComposeVariant } from './variant.ts';

/** What else is known about a Compose file. */
export interface FileFacts {
  /** The file as it is written. */
  readonly raw: unknown;
  /** Resolved paths with variables, by their text in the file. */
  readonly resolved: ReadonlyMap<string, string>;
  /** Variables of the file, by name. */
  readonly variables: Readonly<Record<string, { readonly DefaultValue?: string; readonly PresenceValue?: string }>>;
  /** Names of the variables that have a value here. */
  readonly known: ReadonlySet<string>;
}

/** Lists everything in a Compose project that a measurement can't honor: one line each, with its key and the reason. */
export function findProblems(variant: ComposeVariant, stack: Stack, facts: FileFacts): string[] {
  const { model, workload } = stack;
  const folders = foldersOf(variant);
  const outside: Outside = (path, isWritten = false) => outsideProblem(path, isWritten, folders);
  return [
    ...topProblems(model),
    ...Object.entries(model.services).flatMap(([name, one]) =>
      serviceProblems(one, { isWorkload: name === workload, outside }).map((text) => `services.${name}.${text}`),
    ),
    ...usedProblems(stack, outside),
    ...readFileProblems(stack, facts, folders),
    ...variableProblems(stack, facts),
  ];
}

/** Folders in which files of a variant may be, without symbolic links. */
const foldersOf = (variant: ComposeVariant): string[] =>
  [variant.root, dirname(variant.file)].flatMap((folder) => realPath(folder) ?? []);

const isInside = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isBelow(realPath(path) ?? path, folder));

/** Folders with files that all users may read, and that every image has: time zones, certificates, names. */
const OF_THE_SYSTEM = ['/etc', '/usr'];
const READ_BY_ALL = 0o004;

/** Why a path may not be mounted; null: it may be. */
function outsideProblem(path: string, isWritten: boolean, folders: readonly string[]): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return `${path} isn't there, and the engine would create it as a folder owned by root`;
  if (isInside(path, folders)) return null;
  const isOpen = found.isFile() && (found.mode & READ_BY_ALL) !== 0 && isInside(path, OF_THE_SYSTEM);
  if (isOpen && !isWritten) return null;
  return `${path} lies outside of the folders of the experiment file and the Compose file; only single files from /etc and /usr that every user may read are mounted from there, and only with read_only (ro)`;
}

/** Problems of the networks, volumes, secrets and configs that a service of the stack uses. */
function usedProblems({ model, workload }: Stack, outside: Outside): string[] {
  const { services, networks, volumes, secrets, configs } = model;
  const all = Object.values(services);
  const sourcesOf = (key: 'secrets' | 'configs', of: readonly (ComposeService | undefined)[]): Set<string> =>
    new Set(of.flatMap((one) => (one?.[key] ?? []).map(({ source }) => source)));
  const used = {
    networks: new Set(all.flatMap((one) => Object.keys(one.networks ?? {}))),
    volumes: new Set(
      all.flatMap((one) =>
        (one.volumes ?? []).flatMap(({ type, source }) => (type === 'volume' && source ? [source] : [])),
      ),
    ),
    secrets: sourcesOf('secrets', all),
    configs: sourcesOf('configs', all),
  };
  const own = workload === null ? [] : [services[workload]];
  const ofWorkload = { secrets: sourcesOf('secrets', own), configs: sourcesOf('configs', own) };
  return Object.entries({ networks, volumes, secrets, configs }).flatMap(([key, named]) => {
    const kind = key as keyof typeof used;
    return Object.entries(named).flatMap(([name, one]) => {
      if (!used[kind].has(name)) return [];
      const isOfWorkload = (kind === 'secrets' || kind === 'configs') && ofWorkload[kind].has(name);
      return sharedProblems(kind, one, { outside, ofWorkload: isOfWorkload }).map((text) => `${kind}.${name}.${text}`);
    });
  });
}

const READ_BY_COMPOSE = ['env_file', 'label_file'] as const;

/** Problems of files whose text Compose puts into the model: a Compose file must not be a way to read any file of this machine. */
function readFileProblems({ model }: Stack, { raw, resolved }: FileFacts, folders: readonly string[]): string[] {
  const { services = {} } = raw as { services?: Record<string, Partial<Record<string, unknown>>> };
  return Object.keys(model.services).flatMap((name) =>
    READ_BY_COMPOSE.flatMap((key) =>
      [services[name]?.[key] ?? []].flat().flatMap((entry: unknown) => {
        const written = typeof entry === 'string' ? entry : (entry as { path?: unknown }).path;
        if (typeof written !== 'string') return [];
        const path = resolved.get(written) ?? written;
        if (isInside(path, folders)) return [];
        return [
          `services.${name}.${key}: ${path} lies outside of the folders of the experiment file and the Compose file`,
        ];
      }),
    ),
  );
}

/** Paths of a file that contain variables, as they are written. */
export function pathsWithVariables(raw: unknown): string[] {
  const { services = {} } = raw as { services?: Record<string, Partial<Record<string, unknown>>> };
  const entries = Object.values(services).flatMap((one) => READ_BY_COMPOSE.map((key) => one[key] ?? []).flat(2));
  return entries
    .map((entry) => (typeof entry === 'string' ? entry : (entry as { path?: unknown }).path))
    .filter((path) => typeof path === 'string')
    .filter((path) => path.includes('$'));
}

const MAX_FILES = 50;

/**
 * Problems of the other files that a Compose file makes Compose read: `.env`, and what `include` and `extends` name. Called before Compose reads
 * anything. Gives a line for each that is outside of the allowed folders, or can't be checked.
 */
export function sourceProblems(variant: ComposeVariant): string[] {
  const folders = foldersOf(variant);
  const files = [variant.file];
  const problems: string[] = [];
  const search = (path: unknown, at: string, from: string): string | null => {
    if (typeof path !== 'string') return null;
    if (path.includes('$') || REMOTE.test(path)) {
      problems.push(`${at}: ${path} is no path of a file here; write it out`);
      return null;
    }
    const whole = resolve(from, path);
    if (isInside(whole, folders)) return whole;
    problems.push(`${at}: ${path} lies outside of the folders of the experiment file and the Compose file`);
    return null;
  };
  for (const file of files) {
    const from = dirname(file);
    if (existsSync(join(from, '.env'))) search('.env', '.env', from);
    const { include, services } = keysOf(file);
    const found = [include ?? []].flat().map((one) => (typeof one === 'string' ? { path: one } : Object(one)));
    const read = [
      ...found.flatMap(({ path, project_directory: folder, env_file: env }) => {
        for (const one of [folder ?? [], env ?? []].flat()) search(one, 'include', from);
        return [path].flat().map((one) => search(one, 'include', from));
      }),
      ...Object.entries(Object(services)).map(([name, one]) =>
        search(Object(Object(one).extends).file, `services.${name}.extends.file`, from),
      ),
    ];
    for (const one of read) if (one !== null && !files.includes(one) && files.length < MAX_FILES) files.push(one);
  }
  return [...new Set(problems)];
}

/** Keys of a Compose file; none where it can't be read, which Compose itself reports. */
function keysOf(file: string): { readonly include?: unknown; readonly services?: unknown } {
  try {
    return Object(parse(readFileSync(file, 'utf8'), { merge: true, maxAliasCount: 100 }));
  } catch {
    return {};
  }
}

/** Problems of variables without a value: Compose takes them for empty, so that a run would differ from the one that was meant. */
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
