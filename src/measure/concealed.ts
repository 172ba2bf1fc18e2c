import { createHmac, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { codeOf } from '../errors.ts';
import { concealEach } from '../executors/kind.ts';
import { concealValues } from '../executors/registry.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { stateFolder } from '../system/state.ts';

/**
 * What is recorded of values that may be secret: a digest by which whoever has the key sees that one has changed, and from which nobody else
 * can guess it. The key stays in this user's folder of state; the database goes wherever its reader is.
 */
const DIGEST = /"hmac-sha256:([0-9a-f]{8}):[0-9a-f]{32}"/g;
const KEY = /^[0-9a-f]{64}$/;

let ofThisProcess: string | null = null;

/** This user's key, made when it is first asked for; where none can be kept, one that ends with this process. */
export function digestKey(): string {
  const path = join(stateFolder(), 'digest-key');
  for (const find of [readKey, makeKey]) {
    try {
      return find(path);
    } catch {
      // Not there yet, or it can't be kept.
    }
  }
  ofThisProcess ??= newKey();
  return ofThisProcess;
}

const newKey = (): string => randomBytes(32).toString('hex');

function readKey(path: string): string {
  const key = readFileSync(path, 'latin1').trim();
  if (!KEY.test(key)) throw new Error(`${path} holds no key`);
  return key;
}

/** Written whole before it has its name: of two that begin at once the second takes the first one's. */
function makeKey(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(temporary, `${newKey()}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(temporary, path);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readKey(path);
}

const hmac = (text: string, key: string): string => createHmac('sha256', key).update(text).digest('hex');

/** What stands in the record for a value at a place in the experiment with this id. */
function concealed(key: string, ...place: readonly string[]): string {
  return `hmac-sha256:${hmac('key', key).slice(0, 8)}:${hmac(JSON.stringify(place), key).slice(0, 32)}`;
}

/** The variables of a place, alike for all places of the experiment with this id. */
export function concealedEnvironment(
  environment: Readonly<Record<string, string>>,
  id: string,
  key = digestKey(),
): Record<string, string> {
  return concealEach(environment, (value, name) => concealed(key, id, 'environment', name, value));
}

/** The experiment as it is recorded under this id: names of variables and build arguments, and digests in the place of their values. */
export function recordable(experiment: Experiment, id: string, key = digestKey()): Experiment {
  const variants = experiment.variants.map((variant) =>
    concealValues(variant, (value, ...place) => concealed(key, id, variant.name, ...place, value)),
  );
  const services = experiment.services?.map((service) => ({
    ...service,
    env: concealEach(service.env, (value, name) => concealed(key, id, service.name, 'service', name, value)),
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
