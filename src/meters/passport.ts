import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { MeterInfo } from '../contracts/reading.ts';
import { MeasureError, messageOf } from '../errors.ts';
import { Passport } from '../findings/passport.ts';
import { stateFolder, writeState } from '../system/state.ts';
import { identityOf } from './registry.ts';

/** File of a meter's passport: a meter with another identity at the same address has another one. */
export function passportPath(info: MeterInfo): string {
  const hash = createHash('sha256')
    .update(`${info.address ?? ''}\n${identityOf(info)}`)
    .digest('hex')
    .slice(0, 16);
  return join(stateFolder(), 'meters', `${info.type}-${hash}.json`);
}

/** The passport of this meter on this machine; null when it was never checked here, or its file can't be used. */
export function readPassport(info: MeterInfo): Passport | null {
  try {
    const passport = Passport.parse(JSON.parse(readFileSync(passportPath(info), 'utf8')));
    return passport.host === hostname() ? passport : null;
  } catch {
    return null;
  }
}

/** Keeps the passport and gives its path. Throws MeasureError when it can't be written. */
export async function writePassport(info: MeterInfo, passport: Passport): Promise<string> {
  const path = passportPath(info);
  try {
    await writeState(path, passport);
  } catch (cause) {
    throw new MeasureError(`The meter's passport could not be saved in ${path}: ${messageOf(cause)}.`, {
      advice: 'Set XDG_STATE_HOME to save it in another folder.',
      cause,
    });
  }
  return path;
}
