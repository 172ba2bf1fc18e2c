import { createHmac, randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorCode } from '../errors.ts';
import { privateFolder, readOwnFile } from './state.ts';

const KEY = /^[0-9a-f]{64}$/;
const MAX_BYTES = 100;

let ofThisProcess: string | null = null;

/** This user's key for digests, created at the first call; if it can't be stored, one that is valid for this process only. */
export function digestKey(): string {
  for (const find of [readKey, makeKey]) {
    try {
      return find(join(privateFolder(), 'digest-key'));
    } catch {
      // The key does not exist yet, or can't be stored.
    }
  }
  ofThisProcess ??= newKey();
  return ofThisProcess;
}

const newKey = (): string => randomBytes(32).toString('hex');

function readKey(path: string): string {
  const key = readOwnFile(path, MAX_BYTES).trim();
  if (!KEY.test(key)) throw new Error(`${path} holds no key`);
  return key;
}

/** Creates the key file atomically: if two processes create it at once, the second takes the first one's key. */
function makeKey(path: string): string {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(temporary, `${newKey()}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(temporary, path);
  } catch (cause) {
    if (getErrorCode(cause) !== 'EEXIST') throw cause;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readKey(path);
}

const hmac = (text: string, key: string): string => createHmac('sha256', key).update(text).digest('hex');

/** Digest recorded in place of a value at this place of an experiment: `hmac-sha256:KEY:DIGEST`, where KEY identifies the key. */
export function keyedDigest(key: string, ...place: readonly string[]): string {
  return `hmac-sha256:${hmac('key', key).slice(0, 8)}:${hmac(JSON.stringify(place), key).slice(0, 32)}`;
}

/** Whether two digests prove that their values differ; digests with different keys prove nothing. */
export const tellsChange = (before: string, now: string): boolean =>
  before !== now && before.split(':')[1] === now.split(':')[1];
