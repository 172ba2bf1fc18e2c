import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { MeasureError, messageOf } from '../../errors.ts';
import type { Passport } from '../../findings/passport.ts';
import { stateFolder, writeState } from '../../system/state.ts';
import type { MeterInfo } from '../meter.ts';
import { identityOf } from '../same-meter.ts';

const number = z.number();
const check = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  advice: z.string().nullable(),
});

const schema = z.object({
  schema: z.literal('joulediff/passport/1'),
  when: z.iso.datetime(),
  host: z.string(),
  type: z.string(),
  address: z.string().nullable(),
  source: z.enum(['measured', 'modelled', 'emulated']),
  identity: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  channel: z.string(),
  duration_s: number,
  readings: number,
  gaps: number,
  period_s: number,
  nominal_period_s: number,
  jitter_s: number,
  longest_interval_s: number,
  resolution_w: number.nullable(),
  latency: z.object({ mean_s: number, sd_s: number.nullable(), max_s: number, edges: number }).nullable(),
  guard_needed_s: number.nullable(),
  step: z
    .object({
      idle_w: number,
      busy_w: number,
      step_w: number,
      sd_w: number.nullable(),
      made: number,
      judged: number,
      seen: number,
    })
    .nullable(),
  sane: z.boolean(),
  checks: z.array(check),
});

/** Where the passport of a meter is kept: a meter with another identity at the same address has another one. */
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
    const passport = schema.parse(JSON.parse(readFileSync(passportPath(info), 'utf8')));
    return passport.host === hostname() ? passport : null;
  } catch {
    return null;
  }
}

/** Keeps the passport and gives its path. Throws MeasureError when it can't be written. */
export function writePassport(info: MeterInfo, passport: Passport): string {
  const path = passportPath(info);
  try {
    writeState(path, passport);
  } catch (cause) {
    throw new MeasureError(`The meter's passport could not be kept in ${path}: ${messageOf(cause)}.`, {
      advice: 'XDG_STATE_HOME names another folder for it.',
      cause,
    });
  }
  return path;
}
