import { InputError } from '../errors.ts';
import { chooseMeter } from './auto.ts';
import { estimate } from './estimate/estimate.ts';
import { mcp39f511, mcp39f511n } from './mcp39f511/mcp39f511.ts';
import type { Meter, MeterHost, MeterType } from './meter.ts';
import { type MeterName, parseMeterNames } from './name.ts';
import { checkNoAddress, checkOptionNames } from './options.ts';
import { pzem004t } from './pzem-004t/pzem-004t.ts';
import { rapl } from './rapl/rapl.ts';
import { sdm120 } from './sdm120/sdm120.ts';
import { THIS_HOST } from './this-host.ts';
import { withUniqueChannels } from './unique-channels.ts';
import { wattsUpPro } from './watts-up-pro/watts-up-pro.ts';

/**
 * Every meter type; a new one is one line here. `auto` tries them in this order, so `estimate`, which is always there, is the last.
 * Serial ones stand from the fastest line to the slowest: what a meter hears before its own question is then so short at its own
 * rate that it can't be a frame of its own protocol.
 */
export const meterTypes: readonly MeterType[] = [wattsUpPro, mcp39f511n, mcp39f511, pzem004t, sdm120, rapl, estimate];

/** Those of them that can be emulated. */
export const emulatedTypes = meterTypes.flatMap(({ type, emulate }) => (emulate ? [{ type, emulate }] : []));

const AUTO = 'auto';

export interface OpenedMeters {
  /** In the order of the names: the first is primary. Channel names are unique over all of them. */
  readonly meters: Meter[];
  /** What `auto` chose and why, a sentence to be shown; null when the meters were named. */
  readonly chosen: string | null;
}

/**
 * The names taken apart and checked: types, addresses, options. Touches no hardware.
 * Throws InputError with what is possible.
 */
export function validateMeterNames(texts: readonly string[]): MeterName[] {
  const names = parseMeterNames(texts, [...meterTypes.map(({ type }) => type), AUTO]);
  for (const name of names) {
    if (name.type !== AUTO) {
      typeOf(name).check(name);
      continue;
    }
    checkNoAddress(name);
    checkOptionNames(name, []);
    if (names.length > 1) {
      throw new InputError('auto chooses one meter by itself and stands alone.', {
        advice: 'Name the meters that are wanted beside each other.',
      });
    }
  }
  return names;
}

/**
 * Opens and identifies the meters; `stop` them all in the end. A meter that is named and not available is an error, never replaced by another.
 * When one fails, those opened before it are stopped. Throws InputError as `validateMeterNames`, and MeasureError.
 */
export async function openMeters(texts: readonly string[], host: MeterHost = THIS_HOST): Promise<OpenedMeters> {
  const names = validateMeterNames(texts);
  if (names[0]?.type === AUTO) {
    const { meter, sentence } = await chooseMeter(meterTypes, host);
    return { meters: [meter], chosen: sentence };
  }
  const meters: Meter[] = [];
  try {
    for (const name of names) meters.push(await typeOf(name).open(name, host));
  } catch (error) {
    await Promise.all(meters.map((meter) => meter.stop()));
    throw error;
  }
  return { meters: withUniqueChannels(meters), chosen: null };
}

function typeOf(name: MeterName): MeterType {
  const found = meterTypes.find(({ type }) => type === name.type);
  if (!found) throw new InputError(`Unknown meter type "${name.type}".`);
  return found;
}
