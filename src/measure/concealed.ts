import { isDeepStrictEqual } from 'node:util';
import type { MeterInfo } from '../contracts/reading.ts';
import type { Command } from '../contracts/variant.ts';
import { concealEach } from '../executors/kind.ts';
import { concealValues } from '../executors/registry.ts';
import type { Service } from '../executors/service.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { digestKey, keyedDigest } from '../system/digest-key.ts';
import { maskSecrets } from '../text/credentials.ts';

/**
 * What is recorded of values that may be secret: a digest by which whoever has the key sees that one has changed, and from which nobody else
 * can guess it. The key stays in this user's folder of state; the database goes wherever its reader is.
 */
const DIGEST = /"hmac-sha256:([0-9a-f]{8}):[0-9a-f]{32}"/g;

/** The variables of a place, alike for all places of the experiment with this id. */
export function concealedEnvironment(
  environment: Readonly<Record<string, string>>,
  id: string,
  key = digestKey(),
): Record<string, string> {
  return concealEach(environment, (value, name) => keyedDigest(key, id, 'environment', name, value));
}

/**
 * The experiment as it is recorded under this id: names of variables and build arguments, digests in the place of their values, and commands
 * without what looks like a credential in them. As with `pass-env`, that one was rotated is no other experiment.
 */
export function recordable(experiment: Experiment, id: string, key = digestKey()): Experiment {
  const masked = maskedCommands(experiment);
  const variants = masked.variants.map((variant) =>
    concealValues(variant, (value, ...place) => keyedDigest(key, id, variant.name, ...place, value)),
  );
  const services = masked.services?.map((service) => ({
    ...service,
    env: concealEach(service.env, (value, name) => keyedDigest(key, id, service.name, 'service', name, value)),
  }));
  return { ...masked, variants, ...(services && { services }) };
}

/**
 * The experiment that was recorded under this id, with the values that one of these experiments gives its variables and build arguments; a
 * digest proves that each is what it was. `missing`: names of those whose value none of them has.
 */
export function revealed(
  recorded: Experiment,
  id: string,
  given: readonly Experiment[],
  key = digestKey(),
): { readonly experiment: Experiment; readonly missing: ReadonlySet<string> } {
  const values = new Map<string, Set<string>>();
  const collect = (value: string, ...place: string[]): string => {
    const name = place.at(-1) ?? '';
    values.set(name, (values.get(name) ?? new Set()).add(value));
    return value;
  };
  for (const { variants, services = [] } of given) {
    for (const variant of variants) concealValues(variant, collect);
    for (const { env } of services) concealEach(env, collect);
  }
  const missing = new Set<string>();
  const valueAt = (digest: string, ...place: string[]): string => {
    const name = place.at(-1) ?? '';
    const found = [...(values.get(name) ?? [])].find((value) => keyedDigest(key, id, ...place, value) === digest);
    if (found === undefined) missing.add(name);
    return found ?? digest;
  };
  const variants = recorded.variants.map((variant) =>
    concealValues(variant, (digest, ...place) => valueAt(digest, variant.name, ...place)),
  );
  const services = recorded.services?.map((service) => ({
    ...service,
    env: concealEach(service.env, (digest, name) => valueAt(digest, service.name, 'service', name)),
  }));
  return { experiment: { ...recorded, variants, ...(services && { services }) }, missing };
}

/** Whether a command holds what looks like a credential. */
export const holdsCredential = (experiment: Experiment): boolean =>
  JSON.stringify(maskedCommands(experiment)) !== JSON.stringify(experiment);

/** Whether values that may be secret are digests in it, or asterisks: it can't be run as it is. */
export function holdsConcealed({ asWritten: _, ...experiment }: Experiment): boolean {
  const text = JSON.stringify(experiment);
  return text.search(DIGEST) >= 0 || text.includes(MASK);
}

const MASK = '***';
const maskedText = (text: string): string => maskSecrets(text, [], () => MASK);
const masked = (command: Command): Command =>
  typeof command === 'string' ? maskedText(command) : command.map(maskedText);

/** A meter as it is recorded: its name may be a command line or a query, which its address and remarks repeat. */
export function recordableMeter<Meter extends Pick<MeterInfo, 'address' | 'remarks'> & { readonly name: string }>(
  meter: Meter,
): Meter {
  const { name, address, remarks } = meter;
  return {
    ...meter,
    name: maskedText(name),
    address: address && maskedText(address),
    remarks: remarks.map(maskedText),
  };
}

function maskedCommands(experiment: Experiment): Experiment {
  const { services, hooks } = experiment;
  const variants = experiment.variants.map((variant) => {
    const { run, prepare, cleanup, version } = variant.workload;
    const commands = { run: masked(run), prepare: prepare && masked(prepare), cleanup: cleanup && masked(cleanup) };
    const workload = { ...variant.workload, ...commands, ...(version && { version: masked(version) }) };
    return { ...variant, workload };
  });
  const entries = Object.entries(hooks ?? {}).map(([name, hook]) => [name, { ...hook, run: masked(hook.run) }]);
  return {
    ...experiment,
    meters: experiment.meters.map(maskedText),
    variants,
    ...(services && { services: services.map(maskedService) }),
    ...(hooks && { hooks: Object.fromEntries(entries) }),
  };
}

function maskedService(service: Service): Service {
  let { ready } = service;
  if (ready?.kind === 'command') ready = { ...ready, command: masked(ready.command) };
  if (ready?.kind === 'http') ready = { ...ready, url: maskedText(ready.url) };
  return { ...service, run: masked(service.run), ready };
}

/** Compares what is recorded under a key of the experiment with what would be; `isKnown` is false where values were digested with another key. */
export function compareRecords(
  recorded: unknown,
  asked: unknown,
): { readonly isSame: boolean; readonly isKnown: boolean } {
  const [before, now] = [JSON.stringify(recorded) ?? 'null', JSON.stringify(asked) ?? 'null'];
  const keyIds = new Set([...before.matchAll(DIGEST), ...now.matchAll(DIGEST)].map(([, keyId]) => keyId));
  const isKnown = keyIds.size < 2;
  const compared = (text: string): unknown => JSON.parse(isKnown ? text : text.replace(DIGEST, '""'));
  // The record is read through its schema, which has an order of keys of its own.
  return { isSame: isDeepStrictEqual(compared(before), compared(now)), isKnown };
}
