import type { PlaceFacts, VariantBase } from '../contracts/variant.ts';
import type { Conflict } from '../input/conflict.ts';
import { screenText } from '../text/screen.ts';
import { composeKind } from './compose/kind.ts';
import { containerKind } from './container/kind.ts';
import { discreet, discreetRunner, secretsIn } from './discreet.ts';
import type { Executor, ExecutorEnvironment } from './executor.ts';
import { type Conceal, concealEach, type Foreseen, type GivenPlace, type PlaceKind } from './kind.ts';
import { nativeKind } from './native/kind.ts';
import type { ServiceHost, ServiceRunner } from './service.ts';
import { vmKind } from './vm/kind.ts';

const registered = [nativeKind, containerKind, composeKind, vmKind] as const;

type Registered = (typeof registered)[number];
type Intersection<T> = (T extends unknown ? (given: T) => void : never) extends (given: infer All) => void
  ? All
  : never;

/** All kinds of places; a new one is added to the list above. */
export const placeKinds: readonly PlaceKind[] = registered as unknown as readonly PlaceKind[];

/** A variant of any kind. */
export type Variant = ReturnType<Registered['resolve']>;

/** Keys of all kinds: the experiment file may have any of them, and each kind refuses those of others. */
export const placeKeys = Object.assign({}, ...placeKinds.map(({ keys }) => keys)) as Intersection<Registered['keys']>;

/** Kind of a variant in the file: the first one that one of its keys selects, else the host. */
export function selectKind(file: Readonly<Record<string, unknown>>, kinds = placeKinds): PlaceKind {
  const selected = kinds.find(({ selectedBy }) => selectedBy.some((key) => file[key] !== undefined));
  return selected ?? (kinds.find(({ selectedBy }) => selectedBy.length === 0) as PlaceKind);
}

/** Problems of a variant's place: keys that its kind doesn't have, and what the kind itself finds. */
export function placeConflicts(given: GivenPlace, kinds = placeKinds): Conflict[] {
  const { file, who, pathOf } = given;
  const kind = selectKind(file, kinds);
  const selectedBy = kind.selectedBy.find((key) => file[key] !== undefined);
  const known = new Set(kinds.flatMap(({ keys }) => Object.keys(keys)));
  const foreign = [...known].filter((key) => file[key] !== undefined && !(key in kind.keys));
  const conflicts = foreign.map((key): Conflict => {
    const owners = kinds.filter(({ keys }) => key in keys);
    const selectors = owners.flatMap((owner) => owner.selectedBy);
    const all = (of: (owner: PlaceKind) => string, word: string): string => owners.map(of).join(` ${word} `);
    const detail =
      selectedBy !== undefined && selectors.includes(key)
        ? `${selectedBy} and ${key} were both given, and a variant runs in one place; keep the one that you mean`
        : `${key} is for ${all(({ plural }) => plural, 'and')}, and without ${selectors.join(' or ')} ${who} runs ${kind.where}; ${all(({ advice }) => advice, 'or')} or leave ${key} out`;
    const follows = [pathOf(), ...[...kind.selectedBy, ...selectors].map((name) => pathOf(name))];
    return { path: pathOf(key), part: 'key', detail, follows };
  });
  return [...conflicts, ...kind.conflicts(given)];
}

/** Makes a variant from a file's keys, of the kind that they select. */
export function resolvePlace(
  common: Omit<VariantBase, 'kind'>,
  file: Readonly<Record<string, unknown>>,
  directory: string,
): Variant {
  return selectKind(file).resolve(common, file, directory) as Variant;
}

/** Makes the executor of a variant; it masks secrets. */
export async function makeExecutor(variant: Variant, environment: ExecutorEnvironment): Promise<Executor> {
  const secrets = [...Object.values(environment.passedEnv), ...findSecrets(variant)];
  const log = (line: string): void => environment.log(screenText(line, secrets));
  return discreet(await registeredKind(variant).makeExecutor(variant, { ...environment, log }), secrets);
}

/** Makes a runner of services on this machine, or on `environment.host`; it masks secrets. */
export async function makeServiceRunner(at: ServiceHost, environment: ExecutorEnvironment): Promise<ServiceRunner> {
  const secrets = [...Object.values(environment.passedEnv), ...secretsIn(at.env)];
  const within = { ...environment, log: (line: string): void => environment.log(screenText(line, secrets)) };
  const { host } = environment;
  if (host !== undefined) {
    const { makeRemoteRunner } = await import('./remote/executor.ts');
    return discreetRunner(makeRemoteRunner({ ...at, workdir: null }, within, host), secrets);
  }
  const { makeHostRunner } = await import('./native/executor.ts');
  return discreetRunner(makeHostRunner({ ...at, workdir: null }, within), secrets);
}

/** Values of a variant's variables and build arguments with the name of a credential. */
export function findSecrets(variant: Variant): string[] {
  const secrets: string[] = [];
  concealValues(variant, (value, ...place) => {
    secrets.push(...secretsIn({ [place.at(-1) ?? '']: value }));
    return value;
  });
  return secrets;
}

/** Inspects a variant's place before anything is set up; null: nothing can be said. Throws InputError and MeasureError. */
export function foreseePlace(variant: Variant, passEnv: readonly string[] = []): Promise<Foreseen | null> {
  return registeredKind(variant).foresee(variant, passEnv);
}

/** The variant with every path of the host changed by `moved`. */
export function relocate(variant: Variant, moved: (path: string) => string): Variant {
  return registeredKind(variant).relocate(variant, moved);
}

/** Folders of the host that are visible in the variant's place. */
export function exposedBy(variant: Variant): readonly string[] {
  return registeredKind(variant).exposes(variant);
}

/** The variant in its recorded form: `conceal` has replaced every value that may be secret. */
export function concealValues(variant: Variant, conceal: Conceal): Variant {
  const { workload } = variant;
  const env = concealEach(workload.env, (value, name) => conceal(value, 'env', name));
  return registeredKind(variant).conceal({ ...variant, workload: { ...workload, env } }, conceal);
}

/** Ports of the host that are taken while something in the variant's place listens on these TCP ports. */
export function hostPorts(variant: Variant, listened: readonly number[]): readonly number[] {
  return registeredKind(variant).hostPorts(variant, listened);
}

/** Whether the processes of a variant are the host's own: their programs and files lie there. */
export const isOnHost = (variant: Variant): boolean => registeredKind(variant).isHost === true;

/** Whether a clock of its place times the windows of a variant. */
export const hasOwnClock = (variant: Variant): boolean => registeredKind(variant).hasOwnClock === true;

/** Other user of the host that the variant's workload runs as; undefined: none. */
export const hostUser = (variant: Variant): string | undefined => registeredKind(variant).hostUser?.(variant);

/** Whether Docker's engine is stopped while the variant runs. */
export const stopsEngine = (variant: Variant): boolean => registeredKind(variant).stopsEngine?.(variant) === true;

/** Network of the variant's workload, in words by which two places can be compared; null: an inspection of the place shows it. */
export const networkOf = (variant: Variant, facts: PlaceFacts): string | null =>
  registeredKind(variant).network?.(variant, facts) ?? null;

/** Mount points in the variant's place. */
export const mountsOf = (variant: Variant): readonly string[] => registeredKind(variant).mounts?.(variant) ?? [];

/** Whether the variant's place has services of its own. */
export const bringsServices = (variant: Variant): boolean => registeredKind(variant).bringsServices === true;

/** Whether files of the host get into a recorded variant, as far as is known: the kind may be one of another version. */
export function usesFiles(recorded: VariantBase): boolean {
  return placeKinds.find(({ name }) => name === recorded.kind)?.usesFiles(recorded) ?? true;
}

function registeredKind({ kind }: Variant): PlaceKind<Variant> {
  return registered.find(({ name }) => name === kind) as PlaceKind<Variant>;
}
