import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { isOwnCommand } from '../../contracts/variant.ts';
import { InputError } from '../../errors.ts';
import { digestKey, keyedDigest } from '../../system/digest-key.ts';
import { listed } from '../../text/plain.ts';
import { compose } from './command.ts';
import { type ComposeModel, type ComposeService, composeModel, type Stack } from './model.ts';
import { findProblems, pathsWithVariables, sourceProblems } from './problems.ts';
import type { ComposeVariant } from './variant.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Reads the Compose file of a variant. Starts nothing, asks no engine. Throws InputError that names everything that can't be honored. */
export async function readStack(variant: ComposeVariant, around: Surroundings): Promise<Stack> {
  const { file, name } = variant;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new InputError(`The Compose file of variant ${JSON.stringify(name)}, ${file}, isn't there.`);
  }
  refuseAll(variant, sourceProblems(variant));
  const config = async (...options: string[]): Promise<string> => {
    const words = ['--profile', '*', '-f', file, 'config', ...options];
    const { code, stdout, stderr } = await compose({ ...around, directory: dirname(file), words });
    if (code === 0) return stdout;
    throw new InputError(
      `docker compose can't use the Compose file of variant ${JSON.stringify(name)}, ${file}: ${withoutLevels(stderr)}`,
    );
  };
  const found = composeModel.safeParse(JSON.parse(await config('--format', 'json')));
  if (!found.success) {
    const [issue] = found.error.issues;
    throw new InputError(
      `What docker compose makes of ${file} can't be read: ${issue?.path.join('.')}: ${issue?.message}.`,
      { cause: found.error },
    );
  }
  const [raw, variables, environment] = await Promise.all([
    config('--no-interpolate', '--no-env-resolution', '--format', 'json'),
    config('--variables', '--format', 'json'),
    config('--environment'),
  ]);
  const stack = select(variant, found.data);
  const written: unknown = JSON.parse(raw);
  const problems = findProblems(variant, stack, {
    raw: written,
    resolved: await resolvePaths(variant, pathsWithVariables(written), around),
    variables: JSON.parse(variables || '{}'),
    known: new Set([...environment.matchAll(/^([A-Za-z_]\w*)=/gm)].map(([, known]) => known ?? '')),
  });
  refuseAll(variant, problems);
  return stack;
}

function refuseAll({ file, name }: ComposeVariant, problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new InputError(
    `${basename(file)} of variant ${JSON.stringify(name)} can't be used as it is:\n${problems.map((line) => `  ${line}`).join('\n')}`,
  );
}

/** Resolves paths that contain variables, as Compose itself does. */
async function resolvePaths(
  { file }: ComposeVariant,
  paths: readonly string[],
  around: Surroundings,
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  // A variable at the beginning may hold an absolute path, so Compose resolves the part from there on.
  const parts = paths.map((path) => splitAt(path, path.lastIndexOf('/', path.indexOf('$'))));
  const labels = Object.fromEntries(parts.map(([, last], i) => [`path${i}`, last]));
  const input = JSON.stringify({ services: { paths: { image: 'none', labels } } });
  const words = ['--project-directory', dirname(file), '-f', '-', 'config', '--format', 'json'];
  const { stdout } = await compose({ ...around, directory: dirname(file), words, input });
  const { services } = composeModel.parse(JSON.parse(stdout));
  const found = services.paths?.labels ?? {};
  return new Map(paths.map((path, i) => [path, resolve(parts[i]?.[0] ?? '', found[`path${i}`] ?? '')]));
}

const splitAt = (path: string, slash: number): [string, string] => [path.slice(0, slash), path.slice(slash + 1)];

/** Messages without `level=…` and times, which are for logs. */
export function withoutLevels(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/\blevel=warning\b/.test(line));
  return lines.join('\n').trim() || 'Compose does not say why.';
}

/** The part of a model that a variant starts. Throws InputError where the variant names something that does not exist. */
function select(variant: ComposeVariant, whole: ComposeModel): Stack {
  const { service: wanted, profiles, workload: command } = variant;
  const names = Object.keys(whole.services);
  const refuse = (what: string, known: readonly string[]): void => {
    const there = known.length === 0 ? 'it has none' : `it has ${listed(known)}`;
    throw new InputError(
      `${basename(variant.file)} of variant ${JSON.stringify(variant.name)} has no ${what}; ${there}.`,
    );
  };
  const ofFile = new Set(Object.values(whole.services).flatMap((one) => one.profiles ?? []));
  for (const profile of profiles) if (!ofFile.has(profile)) refuse(`profile ${JSON.stringify(profile)}`, [...ofFile]);
  if (wanted !== null && !names.includes(wanted)) refuse(`service ${JSON.stringify(wanted)}`, names);
  const isOnHost = command.place === 'host';
  if (wanted === null && !isOnHost) {
    throw new InputError(
      `Variant ${JSON.stringify(variant.name)} does not say where in ${basename(variant.file)} its command runs: compose.service is missing.`,
      { advice: `Give one of ${listed(names)}, or place: host, so that the command runs on the host.` },
    );
  }
  // Compose activates a service that is named, whatever its profiles are.
  const isActive = (name: string): boolean => {
    const own = whole.services[name]?.profiles ?? [];
    return name === wanted || own.length === 0 || own.some((profile) => profiles.includes(profile));
  };
  const services: Record<string, ComposeService> = {};
  const take = (name: string, by: string | null): void => {
    if (name in services) return;
    const found = whole.services[name];
    if (found === undefined) throw new Error(`Compose let a service through that is not there: ${name}`);
    if (!isActive(name)) {
      const profile = found.profiles?.[0];
      throw new InputError(
        `Service ${JSON.stringify(by)} of ${basename(variant.file)} needs ${JSON.stringify(name)}, whose profile is not among those of variant ${JSON.stringify(variant.name)}.`,
        { advice: `Give compose.profiles: [${profile}].` },
      );
    }
    const kept = Object.entries(found.depends_on ?? {}).filter(
      ([on, { required }]) => required !== false || isActive(on),
    );
    const { profiles: _, ...others } = found;
    services[name] = { ...others, ...(found.depends_on && { depends_on: Object.fromEntries(kept) }) };
    for (const on of needs(services[name])) take(on, name);
  };
  for (const name of wanted === null ? names.filter(isActive) : [wanted]) take(name, null);
  const workload = isOnHost ? null : wanted;
  const completing = Object.values(services).flatMap((one) =>
    Object.entries(one.depends_on ?? {}).flatMap(([on, { condition }]) =>
      condition === 'service_completed_successfully' ? [on] : [],
    ),
  );
  const { name: project, ...rest } = whole;
  const chosen = onlyUsed({ ...rest, services });
  return {
    model: chosen,
    workload,
    ownCommand: workload !== null && isOwnCommand(command.run),
    steps: stepsOf(services, workload),
    completing: new Set(completing),
    digest: digestOf(chosen, `${project}_`, variant),
  };
}

/** A model with the networks, volumes, secrets and configs that its services use: what others use, such as an external network, may not be there. */
function onlyUsed(model: ComposeModel): ComposeModel {
  const all = Object.values(model.services);
  const used = {
    networks: all.flatMap(({ networks }) => Object.keys(networks ?? {})),
    volumes: all.flatMap(({ volumes = [] }) => volumes.map(({ source = '' }) => source)),
    secrets: all.flatMap(({ secrets = [] }) => secrets.map(({ source }) => source)),
    configs: all.flatMap(({ configs = [] }) => configs.map(({ source }) => source)),
  };
  const kept = Object.entries(used).map(([key, names]) => {
    const shared = model[key as keyof typeof used];
    return [key, Object.fromEntries(Object.entries(shared).filter(([name]) => names.includes(name)))];
  });
  return { ...model, ...Object.fromEntries(kept) };
}

/** Names of services that must exist before this one can be made or started. */
function needs(one: ComposeService): string[] {
  const joined = [one.network_mode, one.pid, one.ipc].flatMap((mode) => /^service:(.+)$/.exec(mode ?? '')?.[1] ?? []);
  const linked = [...(one.links ?? []), ...(one.volumes_from ?? [])].map((link) => link.split(':')[0] ?? '');
  return [...new Set([...Object.keys(one.depends_on ?? {}), ...joined, ...linked])].filter(
    (name) => name !== 'container',
  );
}

function stepsOf(services: Readonly<Record<string, ComposeService>>, workload: string | null): string[][] {
  const level = new Map<string, number>();
  const levelOf = (name: string): number => {
    const known = level.get(name);
    if (known !== undefined) return known;
    // Compose refuses circles; this level makes sure that the recursion ends in any case.
    level.set(name, 0);
    const one = services[name];
    const found = one === undefined ? 0 : Math.max(0, ...needs(one).map((on) => levelOf(on) + 1));
    level.set(name, found);
    return found;
  };
  const others = Object.keys(services).filter((name) => name !== workload);
  const grouped = Map.groupBy(others.toSorted(), levelOf);
  return [...grouped].toSorted(([a], [b]) => a - b).map(([, names]) => names);
}

/** Digest of a stack, without secrets and without the path of its folder, which differs between checkouts. */
function digestOf(chosen: ComposeModel, ofFolder: string, { file, root }: ComposeVariant): string {
  const isOwn = (path: string) => [dirname(file), root].some((folder) => `${path}/`.startsWith(`${folder}/`));
  const kept = (value: unknown, path: string): unknown => {
    if (HIDDEN.test(path) || (SHARED_NAME.test(path) && String(value).startsWith(ofFolder))) return undefined;
    if (Array.isArray(value)) return value.map((one, i) => kept(one, `${path}/${i}`));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, kept(one, `${path}/${key}`)]));
    return typeof value === 'string' && isOwn(value) ? relative(dirname(file), value) : value;
  };
  return sha256(JSON.stringify(kept(chosen, '')));
}

/** Paths in the Compose model whose values may hold a secret, such as one from `.env`. */
const HIDDEN =
  /^\/(?:services\/[^/]+\/(?:environment|command|entrypoint|build\/args|(?:post_start|pre_stop)\/\d+\/(?:command|environment))|(?:configs|secrets)\/[^/]+\/(?:content|environment))$/;
const SHARED_NAME = /^\/(?:networks|volumes|secrets|configs)\/[^/]+\/name$/;

/** Digest of what the other one leaves out, by this user's key; without the folder, too, which may stand anywhere in a value (`$PWD`). */
export function digestOfHidden(
  { model: { services, configs, secrets } }: Stack,
  { file, root }: Pick<ComposeVariant, 'file' | 'root'>,
  experimentId: string,
): string {
  const hidden = Object.entries(services).map(([name, one]) => [
    name,
    [one.environment, one.command, one.entrypoint, one.build?.args, one.post_start, one.pre_stop],
  ]);
  const contents = [configs, secrets].map((all) =>
    Object.entries(all).map(([name, { content, environment }]) => [name, content, environment]),
  );
  const text = [dirname(file), root]
    .toSorted((a, b) => b.length - a.length)
    .reduce(
      (kept, folder) => kept.replaceAll(JSON.stringify(folder).slice(1, -1), '\0'),
      JSON.stringify([hidden, contents]),
    );
  return keyedDigest(digestKey(), experimentId, 'compose', text);
}

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
