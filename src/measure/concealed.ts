import { isDeepStrictEqual } from 'node:util';
import { concealEach } from '../executors/kind.ts';
import { concealValues } from '../executors/registry.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { digestKey, keyedDigest } from '../system/digest-key.ts';

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

/** The experiment as it is recorded under this id: names of variables and build arguments, and digests in the place of their values. */
export function recordable(experiment: Experiment, id: string, key = digestKey()): Experiment {
  const variants = experiment.variants.map((variant) =>
    concealValues(variant, (value, ...place) => keyedDigest(key, id, variant.name, ...place, value)),
  );
  const services = experiment.services?.map((service) => ({
    ...service,
    env: concealEach(service.env, (value, name) => keyedDigest(key, id, service.name, 'service', name, value)),
  }));
  return { ...experiment, variants, ...(services && { services }) };
}

/** Whether values that may be secret are digests in it: it can't be run as it is. */
export const holdsConcealed = (experiment: Experiment): boolean => JSON.stringify(experiment).search(DIGEST) >= 0;

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
