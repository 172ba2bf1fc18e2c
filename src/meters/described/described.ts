import * as z from 'zod';
import type { MeterInfo } from '../../contracts/reading.ts';
import { InputError, MeasureError } from '../../errors.ts';
import { percent } from '../../input/quantities.ts';
import { EMULATED_REMARK } from '../emulator/emulator.ts';
import type { Meter, MeterHost, MeterSheet, MeterType } from '../meter.ts';
import { notHere } from '../modbus/answer.ts';
import { ModbusLine } from '../modbus/modbus-line.ts';
import { powerSource } from '../modbus/power-source.ts';
import type { MeterName } from '../name.ts';
import { deviceAddress, secretOption } from '../network/address.ts';
import { openDevice, PATIENT_MS, READING_MS } from '../network/device.ts';
import { getJson, jsonSource } from '../network/json.ts';
import { checkOptionNames, UNKNOWN_PART } from '../options.ts';
import { PolledMeter, type PolledSource } from '../polled-meter.ts';
import type { Described, Description } from './description.ts';
import { EMULATOR_KEY, EMULATOR_REGISTER } from './emulator-mark.ts';
import { powerOf } from './reading.ts';
import { StreamSource } from './stream.ts';

const SHEET: MeterSheet = {
  product: 'any meter that a file describes',
  price: 'nothing',
  accuracy: null,
  minimumGuardS: 3,
  channel: { part: 'machine', integration: 'guard', clock: 'host', samplingPeriodS: 1, edgeS: 1 },
  wiring: 'a serial port, or the network',
  blind: 'what its description leaves out',
  risks: 'a wrong scale or register gives wrong watts: check it with a known load (`meter check --reference`)',
};

/** A meter that a file describes: its port, question, framing, fields, accuracy and rate. */
export const described: MeterType = {
  type: 'file',
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    pathOf(name);
  },
  async open(name, host) {
    // Imported here, because it takes a tenth of the time that the program takes to load, and no other meter needs it.
    const { readDescription } = await import('./description.ts');
    return openDescribed(readDescription(pathOf(name)), name, host);
  },
};

function pathOf(name: MeterName): string {
  checkOptionNames(name, ['at']);
  if (name.address !== null) return name.address;
  throw new InputError(`The meter "${name.text}" does not say which file describes it.`, {
    advice: 'Write its path, as in file:my-meter.yml, or file:my-meter.yml?at=/dev/ttyUSB0 with the port beside it.',
  });
}

/** A source that has given a reading, and whether an emulator is behind it. */
interface Opened {
  readonly source: PolledSource;
  readonly isEmulated: boolean;
}

async function openDescribed(about: Described, name: MeterName, host: MeterHost): Promise<Meter> {
  const { description } = about;
  const address = name.options.at ?? description.address;
  if (address === undefined) {
    throw new InputError(`Neither the meter "${name.text}" nor its description says where the meter is.`, {
      advice: 'Add `address:` to the description, or ?at= to the name: a port, HOST:PORT or HOST.',
    });
  }
  const opened = await openAt(about, { ...name, address, type: 'file' }, host);
  return new PolledMeter(infoOf(about, address, opened.isEmulated), opened.source, host.clock, description.readings);
}

function openAt(about: Described, name: MeterName & { readonly address: string }, host: MeterHost): Promise<Opened> {
  const { http, modbus } = about.description;
  if (http !== undefined) return openHttp(about, http, name, host);
  return modbus === undefined ? openStream(about, name, host) : openModbus(about, modbus, name, host);
}

const openLine = ({ serial }: Description, name: MeterName & { readonly address: string }, host: MeterHost) => {
  if (serial !== undefined) return host.openLine(name.address, { baudRate: serial.baud, parity: serial.parity });
  const { host: to, port } = deviceAddress(name, 502);
  return host.openTcp(to, port);
};

const ADVICE =
  'Is this the right address, and does the description fit the meter? `joulediff meter learn` shows what it sends.';

async function openStream(
  { description }: Described,
  name: MeterName & { readonly address: string },
  host: MeterHost,
): Promise<Opened> {
  const source = new StreamSource(await openLine(description, name, host), description, host.clock);
  const read = () =>
    source.read().catch(async (error: unknown) => {
      await source.close();
      throw error;
    });
  const first = await read();
  // A meter that sends by itself may have been joined in the middle of a line.
  const isReading = !('missing' in first) || (source.waits && !('missing' in (await read())));
  if (isReading) return { source, isEmulated: source.isEmulated };
  await source.close();
  throw new MeasureError(`There is no ${description.name} at ${name.address}: ${first.missing}.`, { advice: ADVICE });
}

const BAUD_RATE_OF_TCP = 115_200;

async function openModbus(
  { description }: Described,
  modbus: NonNullable<Description['modbus']>,
  name: MeterName & { readonly address: string },
  host: MeterHost,
): Promise<Opened> {
  const baudRate = description.serial?.baud ?? BAUD_RATE_OF_TCP;
  // Question and answer have 11 bits a byte.
  const timeoutMs = Math.ceil(300 + ((13 + 2 * modbus.count) * 11_000) / baudRate);
  const line = new ModbusLine(await openLine(description, name, host), baudRate, host.clock);
  try {
    const read = (data: Uint8Array) => powerOf(description, { kind: 'registers', bytes: data });
    const first = await line.read(modbus, read, { timeoutMs, attempts: 3 });
    if ('none' in first) throw notHere(description.name, name.address, first, ADVICE);
    const mark = (data: Uint8Array) =>
      Buffer.from(data).readUInt32BE() === EMULATOR_REGISTER.value ? { value: true } : { implausible: 'no mark' };
    const question = { ...modbus, address: EMULATOR_REGISTER.address, count: 2 };
    // Asked as often as for a reading: an emulator that is not told from a meter would be worse.
    const isEmulated = 'value' in (await line.read(question, mark, { timeoutMs, attempts: 3 }));
    return { source: powerSource(line, modbus, read, { timeoutMs, attempts: 3 }), isEmulated };
  } catch (error) {
    await line.close();
    throw error;
  }
}

async function openHttp(
  { description }: Described,
  { path, headers, 'secret-env': variable }: NonNullable<Description['http']>,
  name: MeterName & { readonly address: string },
  host: MeterHost,
): Promise<Opened> {
  const options: Record<string, string> = variable === undefined ? {} : { 'secret-env': variable };
  const secret = secretOption({ ...name, options }, 'secret-env');
  const address = deviceAddress(name);
  const filled = (text: string, encode = (word: string) => word) =>
    text.replaceAll('{address}', address.text).replaceAll('{secret}', () => encode(secret ?? ''));
  const question = {
    path: filled(path, encodeURIComponent),
    headers: Object.fromEntries(Object.entries(headers).map(([key, text]) => [key, filled(text)])),
  };
  const reported = { failed: `There is no ${description.name} at ${address.text}`, advice: ADVICE };
  return openDevice(host.openHttp(address), reported, async (connection) => {
    const ask = async (deadlineMs: number) => {
      const { value: document, tNs } = await getJson(connection, { ...question, deadlineMs }, z.unknown());
      return { document, tNs, power: powerOf(description, { kind: 'document', document }) };
    };
    const first = await ask(PATIENT_MS);
    if ('implausible' in first.power) {
      throw new MeasureError(`${reported.failed}: ${first.power.implausible}.`, { advice: ADVICE });
    }
    const source = jsonSource(connection, async () => {
      const { power, tNs } = await ask(READING_MS);
      return 'value' in power ? { tNs, powerW: [power.value], note: null } : { missing: power.implausible };
    });
    const { document } = first;
    const isEmulated = typeof document === 'object' && document !== null && Object.hasOwn(document, EMULATOR_KEY);
    return { source, isEmulated };
  });
}

/** A meter that sends by itself gives no sample before it has sent a reading. */
function samplingPeriodS({ period, renewed, http, modbus, request }: Description): number {
  const isAsked = http !== undefined || modbus !== undefined || request !== undefined;
  return isAsked ? period : Math.max(period, renewed);
}

function infoOf({ description, file, digest }: Described, address: string, isEmulated: boolean): MeterInfo {
  const { name, part, readings, renewed, guard, accuracy, power, source } = description;
  const period = samplingPeriodS(description);
  const channel = part === undefined ? 'meter' : part === 'machine' ? 'wall' : part;
  const resolutionW = power.resolution;
  return {
    type: described.type,
    address,
    source: isEmulated ? 'emulated' : source,
    identity: { name, description: digest },
    accuracy: accuracy === undefined ? null : { gainPercent: percent(accuracy.gain), offsetW: accuracy.offset },
    minimumGuardS: guard ?? Math.max(3, 2 * renewed + period),
    channels: [
      {
        channel,
        ...(part !== undefined && { part }),
        integration: 'guard',
        clock: 'host',
        samplingPeriodS: period,
        edgeS: Math.max(renewed, period / readings),
        ...(resolutionW !== undefined && { resolutionW }),
      },
    ],
    remarks: [
      ...(isEmulated
        ? [EMULATED_REMARK]
        : [`Read as ${file} describes it: joulediff can’t see whether that is right.`]),
      ...(part === undefined ? [UNKNOWN_PART] : []),
    ],
  };
}
