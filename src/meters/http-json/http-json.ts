import { scryptSync } from 'node:crypto';
import * as z from 'zod';
import type { MeterInfo } from '../../contracts/reading.ts';
import { InputError } from '../../errors.ts';
import { inSi, type Quantity, type Unit } from '../../sampling/reported.ts';
import { isSecretName } from '../../text/credentials.ts';
import { EnergySteps } from '../energy-steps.ts';
import type { Meter, MeterHost, MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { fingerprintOption, secretOption } from '../network/address.ts';
import type { HttpConnection, HttpOrigin } from '../network/connection.ts';
import { openDevice, PATIENT_MS, READING_MS } from '../network/device.ts';
import { getJson, jsonSource, numberAt, pointerKeys } from '../network/json.ts';
import { accuracyOption, checkOptionNames, partOption, secondsOption, sourceOption, UNKNOWN_PART } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';

const MAX_W = 1e6;

const POWER_UNITS: readonly Unit[] = ['mW', 'W', 'kW'];
const ENERGY_UNITS: readonly Unit[] = ['J', 'kJ', 'Wh', 'kWh'];
const UNITS = [...POWER_UNITS, ...ENERGY_UNITS];

const SHEET: MeterSheet = {
  product: 'Home Assistant, a bridge, anything that answers in JSON',
  price: 'nothing',
  accuracy: null,
  minimumGuardS: 3,
  channel: { part: 'machine', integration: 'guard', samplingPeriodS: 1, clock: 'host', edgeS: 1 },
  wiring: 'the network',
  blind: 'how old its number is, and how it was measured',
  risks: 'late or infrequent numbers; run `meter check` first',
};

/** Reads a number in any JSON document: from Home Assistant, a bridge, a power distribution unit. */
export const httpJson: MeterType = {
  type: 'http-json',
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const settings = parseSettings(name);
    const token = secretOption(name, 'token-env');
    const reported = { failed: `No power can be read from ${settings.url}`, advice: ADVICE };
    return openDevice(host.openHttp(settings.origin), reported, (connection) =>
      openOn(connection, settings, token, host),
    );
  },
};

const ADVICE = 'Try the address with curl: it must answer with a JSON document that holds the number at the pointer.';

interface Settings {
  readonly origin: HttpOrigin;
  readonly path: string;
  /** Query of the URL, which may hold a secret. */
  readonly query: string | undefined;
  /** URL without its query. */
  readonly url: string;
  /** Keys from the document to the number. */
  readonly keys: readonly string[];
  readonly quantity: Quantity;
  readonly periodS: number;
  readonly accuracy: MeterInfo['accuracy'];
  readonly source: MeterInfo['source'];
  readonly metered: ReturnType<typeof partOption>;
}

function parseSettings(name: MeterName): Settings {
  checkOptionNames(name, [
    'pointer',
    'unit',
    'query',
    'token-env',
    'fingerprint',
    'period',
    'gain',
    'offset',
    'source',
    'part',
  ]);
  const { query } = name.options;
  const url = parseUrl(name);
  const secure = url.protocol === 'https:';
  const keys = keysOf(name);
  return {
    origin: {
      secure,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || (secure ? 443 : 80)),
      fingerprint: fingerprintOption(name, secure),
    },
    path: `${url.pathname}${query === undefined ? '' : `?${query}`}`,
    query,
    url: `${url.origin}${url.pathname}`,
    keys,
    quantity: quantityOf(name, keys),
    periodS: secondsOption(name, 'period', { minimum: 0.5, maximum: 10 }, 1),
    accuracy: accuracyOption(name),
    source: sourceOption(name),
    metered: partOption(name),
  };
}

function parseUrl(name: MeterName): URL {
  const url = name.address !== null && URL.canParse(name.address) ? new URL(name.address) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.hash}` === '') return url;
  throw new InputError(`The meter "${name.text}" needs an http or https address without a user and without #.`, {
    advice:
      'For example http-json:http://ha.local:8123/api/states/sensor.plug_power?pointer=/state&unit=W&token-env=HA_TOKEN; what follows the ? are options of the meter, and `query=` adds to the address.',
  });
}

function keysOf(name: MeterName): string[] {
  const { pointer = '' } = name.options;
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) {
    throw new InputError(`The option pointer=${pointer} in the meter name "${name.text}" is not a JSON pointer.`, {
      advice: 'It begins with a slash, as in pointer=/state or pointer=/meters/0/power.',
    });
  }
  return pointerKeys(pointer);
}

function quantityOf(name: MeterName, keys: readonly string[]): Quantity {
  const { unit } = name.options;
  const known = UNITS.find((one) => one === unit);
  if (known !== undefined) {
    return { name: toPointer(keys), unit: known, role: POWER_UNITS.includes(known) ? 'power' : 'counter' };
  }
  throw new InputError(
    unit === undefined
      ? `The meter "${name.text}" does not say the unit of its number.`
      : `The option unit=${unit} in the meter name "${name.text}" is not possible.`,
    { advice: `Possible: ${UNITS.join(', ')}.` },
  );
}

const toPointer = (keys: readonly string[]): string => keys.map((key) => `/${key}`).join('');

async function openOn(
  connection: HttpConnection,
  { path, query, url, keys, quantity, periodS, accuracy, source, origin, metered }: Settings,
  token: string | null,
  host: MeterHost,
): Promise<Meter> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const ask = async (deadlineMs: number) => {
    const { value, tNs } = await getJson(connection, { path, headers, deadlineMs }, z.unknown());
    return { tNs, amount: numberAt(value, keys), saysUnit: unitAt(value, keys) };
  };
  const first = await ask(PATIENT_MS);
  if (first.saysUnit !== null && first.saysUnit !== quantity.unit) {
    throw new InputError(
      `The meter's name says unit=${quantity.unit}, and the answer of ${url} says ${first.saysUnit} of the number at ${toPointer(keys) || 'its top'}.`,
      {
        advice: `${UNITS.some((one) => one === first.saysUnit) ? `Write unit=${first.saysUnit}, or point` : 'Point'} to another number. Possible units: ${UNITS.join(', ')}.`,
      },
    );
  }
  const steps = quantity.role === 'counter' ? new EnergySteps(quantity, first.tNs, first.amount) : null;
  const info: MeterInfo = {
    type: httpJson.type,
    address: url,
    source,
    identity: { pointer: toPointer(keys), unit: quantity.unit, ...(query !== undefined && { query: digestOf(query) }) },
    accuracy,
    minimumGuardS: Math.max(3, 3 * periodS),
    channels: [
      {
        ...metered,
        integration: 'guard',
        clock: 'host',
        samplingPeriodS: periodS,
        edgeS: periodS,
        ...(quantity.unit !== 'W' && { quantities: [quantity] }),
      },
    ],
    remarks: [
      `As reported by ${url}: how it measures and how old its number is, joulediff can’t see.`,
      ...(metered.part === undefined ? [UNKNOWN_PART] : []),
      ...(token !== null && !origin.secure ? ['Its token goes over the network unencrypted.'] : []),
    ],
  };
  const polled = jsonSource(connection, async () => {
    const { amount, tNs } = await ask(READING_MS);
    const step = steps === null ? stepOf(quantity, tNs, amount) : steps.advance(tNs, amount);
    if ('missing' in step) return step;
    return Math.abs(step.powerW) <= MAX_W
      ? { tNs, powerW: [step.powerW], note: null, reported: step.reported }
      : { missing: `it reports ${step.powerW} W` };
  });
  return new PolledMeter(info, polled, host.clock);
}

const SHORT_SECRET = /(?:^|[_-])(?:pass(?:wd|word)?|pw|sid)(?:$|[_-])/i;

/** Tells two queries apart, for any user, without parameters that may be credentials. What another one holds is costly to guess. */
function digestOf(query: string): string {
  const harmless = [...new URLSearchParams(query)].filter(([name]) => !isSecretName(name) && !SHORT_SECRET.test(name));
  return scryptSync(JSON.stringify(harmless), httpJson.type, 4, { N: 2 ** 14 }).toString('hex');
}

/** A reading as samples keep it; watts need no other form. */
function stepOf({ unit }: Quantity, tNs: bigint, amount: number) {
  const reported = unit === 'W' ? undefined : { tNs, values: [amount], since: null };
  return { powerW: inSi(amount, unit), reported };
}

/** Keys of the unit beside a number; `attributes` is Home Assistant's. */
const UNIT_KEYS = /^(?:units?|unit_?of_?measurement|uom)$/i;
/** Units in words. */
const WORDS: Readonly<Record<string, string>> = {
  watt: 'W',
  milliwatt: 'mW',
  kilowatt: 'kW',
  joule: 'J',
  kilojoule: 'kJ',
  'watt-hour': 'Wh',
  'milliwatt-hour': 'mWh',
};
/** Units that joulediff does not read, but that show that a number is something else. */
const OTHERS = 'MW GW MJ mJ MWh mWh VA kVA var kvar A mA V mV % Hz dBm °C °F'.split(' ');

const IN_KEY = { w: 'W', mw: 'mW', kw: 'kW', wh: 'Wh', mwh: 'mWh', kwh: 'kWh' };

/** The unit that the answer gives to the number at the pointer: by its key (`power_kW`) or by the nearest word beside it; null: by none. */
function unitAt(document: unknown, keys: readonly string[]): string | null {
  const key = keys.at(-1) ?? '';
  // In `systemW` and `networkW`, the letter before the W may be of the word or of the unit, and a capital M means mega.
  const own = /(?:^|[_ .(-])([kKm]?[wW][hH]?)\)?$/.exec(key) ?? /(?:\d(?=[km]?W)|[a-jln-z](?=W))([km]?Wh?)$/.exec(key);
  if (own?.[1] !== undefined) return IN_KEY[own[1].toLowerCase() as keyof typeof IN_KEY];
  const around: unknown[] = [document];
  for (const key of keys.slice(0, -1)) around.push((around.at(-1) as Readonly<Record<string, unknown>>)[key]);
  const named = (value: unknown): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, unit]) =>
          UNIT_KEYS.test(key) && typeof unit === 'string' ? [unit.trim()] : [],
        );
  for (const value of around.toReversed()) {
    const attributes = (value as { readonly attributes?: unknown } | null)?.attributes;
    const [unit] = [...named(value), ...named(attributes)].flatMap((word) => {
      const known = WORDS[word.toLowerCase().replace(/s$/, '')] ?? word;
      return UNITS.some((one) => one === known) || OTHERS.includes(known) ? [known] : [];
    });
    if (unit !== undefined) return unit;
  }
  return null;
}
