import * as z from 'zod';
import { InputError, MeasureError } from '../../../errors.ts';
import type { Frame } from '../../../meters/described/reading.ts';
import type { MeterHost } from '../../../meters/meter.ts';
import type { ReadRequest } from '../../../meters/modbus/frames.ts';
import { ModbusLine } from '../../../meters/modbus/modbus-line.ts';
import { deviceAddress } from '../../../meters/network/address.ts';
import { HttpFault } from '../../../meters/network/connection.ts';
import { openDevice, READING_MS } from '../../../meters/network/device.ts';
import { getJson } from '../../../meters/network/json.ts';
import { ReceivedExcerpt } from '../../../meters/serial/exchange.ts';
import type { Line } from '../../../meters/serial/line.ts';
import { sleep } from '../../../system/clock.ts';
import { isSecretName } from '../../../text/credentials.ts';
import { rememberSecrets } from '../../../text/known-secrets.ts';
import { type Framing, isReadable, type ReceivedData } from './learn.ts';

/** A connection to an unknown meter, of any kind. */
export interface UnknownMeter {
  /** Keys of the meter's description. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** Format of a reading, if it is known in advance; null: it must be found. */
  readonly framing: Framing | null;
  /** Data received; empty: none. Throws MeasureError: a query can't be sent any more. */
  listen(seconds: number): Promise<ReceivedData>;
  /** Closes the connection. Never throws. */
  close(): Promise<void>;
}

export interface HearOptions {
  /** Baud rates to try on a serial port, in order. */
  readonly bauds: readonly number[];
  /** Query for each reading; null: the meter sends by itself, or uses Modbus. */
  readonly ask: string | null;
}

const LISTEN_S = 3;
const ASK_EVERY_MS = 500;
/** Maximum bytes kept of a stream: they hold hundreds of readings, and a device may send without end. */
const MAX_HEARD = 64 * 1024;
const UNITS = [1, 248, 2];
const COUNTS = [80, 40, 20, 10, 9, 4, 2];

/**
 * Finds out how to read a meter at a serial port, HOST:PORT or http address: it may send by itself, answer the given query, or answer reads of
 * Modbus registers, which change nothing. Throws MeasureError: nothing is received, or no readings.
 */
export async function openEar(address: string, options: HearOptions, host: MeterHost): Promise<UnknownMeter> {
  if (/^https?:/.test(address)) return hearHttp(address, host);
  const isPort = address.startsWith('/');
  const at = (baudRate: number) => (isPort ? host.openLine(address, { baudRate }) : openTcp(address, host));
  const received = new ReceivedExcerpt();
  const bauds = isPort ? options.bauds : options.bauds.slice(0, 1);
  for (const baud of bauds) {
    const ear = hearStream(
      await at(baud),
      { ...options, transport: isPort ? { serial: { baud } } : { tcp: {} } },
      host,
    );
    const heard = await closedOnError(ear, () => ear.listen(LISTEN_S));
    if ('bytes' in heard && isReadable(heard.bytes)) return ear;
    if ('bytes' in heard && heard.bytes.length > 0) received.take(heard.bytes);
    await ear.close();
  }
  for (const baud of options.ask === null ? bauds : []) {
    const line = new ModbusLine(await at(baud), baud, host.clock);
    const request = await closedOnError(line, () => findRegisters(line, baud));
    const transport = isPort ? { serial: { baud } } : { tcp: {} };
    if (request !== null) return hearModbus(line, request, { baud, transport }, host);
    await line.close();
  }
  const text = received.text();
  const what = text === '' ? 'nothing was heard' : `what was heard makes no sense: "${text}"`;
  throw new MeasureError(`At ${address} ${what}.`, {
    advice: 'Name its rate with --baud, or what it must be asked with --ask; another program may hold the port.',
  });
}

/** Closes the connection on errors: an open port would keep this process alive and block other programs. */
async function closedOnError<T>(opened: Pick<UnknownMeter, 'close'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function openTcp(address: string, host: MeterHost): Promise<Line> {
  const { host: to, port } = deviceAddress({ text: address, type: 'file', address, options: {} }, 502);
  return host.openTcp(to, port);
}

function hearStream(
  line: Line,
  { ask, transport }: HearOptions & { readonly transport: UnknownMeter['keys'] },
  { clock }: MeterHost,
): UnknownMeter {
  let heard = Buffer.alloc(0);
  line.onData((chunk) => {
    if (heard.length < MAX_HEARD) heard = Buffer.concat([heard, chunk]);
  });
  return {
    keys: { ...transport, ...(ask !== null && { request: { text: ask } }) },
    framing: null,
    listen: async (seconds) => {
      heard = Buffer.alloc(0);
      for (let leftMs = seconds * 1000; leftMs > 0; leftMs -= ASK_EVERY_MS) {
        if (ask !== null) await line.write(Buffer.from(ask, 'latin1'));
        await sleep(clock, ASK_EVERY_MS);
      }
      return { bytes: heard };
    },
    close: () => line.close(),
  };
}

const patience = (baud: number, count: number) => ({
  timeoutMs: Math.ceil(250 + ((13 + 2 * count) * 11_000) / baud),
  attempts: 1,
});

/** The longest read request, from register 0, that a unit answers; null: no unit answers. */
async function findRegisters(line: ModbusLine, baud: number): Promise<ReadRequest | null> {
  for (const unit of UNITS) {
    for (const registers of ['input', 'holding'] as const) {
      for (const count of COUNTS) {
        const request: ReadRequest = { unit, registers, address: 0, count };
        const answer = await line.read(request, (data) => ({ value: data }), patience(baud, count));
        if ('value' in answer) return request;
        // A unit that refuses this number of registers may answer fewer; a silent one does not exist.
        if (answer.none !== 'refused') break;
      }
    }
  }
  return null;
}

function hearModbus(
  line: ModbusLine,
  request: ReadRequest,
  { baud, transport }: { readonly baud: number; readonly transport: UnknownMeter['keys'] },
  { clock }: MeterHost,
): UnknownMeter {
  return {
    keys: transport,
    framing: { modbus: request },
    listen: async (seconds) => {
      const frames: Frame[] = [];
      for (let leftMs = seconds * 1000; leftMs > 0; leftMs -= ASK_EVERY_MS) {
        const answer = await line.read(request, (data) => ({ value: data }), patience(baud, request.count));
        if ('value' in answer) frames.push({ kind: 'registers', bytes: Uint8Array.from(answer.value) });
        await sleep(clock, ASK_EVERY_MS);
      }
      return { frames };
    },
    close: () => line.close(),
  };
}

/** Parses the address. Throws InputError: descriptions support neither https nor credentials in an address. */
function httpAddress(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' && url.username === '' && url.password === '') return url;
  // The error must not repeat the address, which may contain a password.
  throw new InputError('The address of the JSON document is not http://HOST/PATH.', {
    advice: 'Leave out https, user and password. A secret goes into the description: docs/meters.md, secret-env.',
  });
}

/** The `http` key of a description, with a password in the query replaced by a variable. Throws InputError for more than one. */
function withoutSecret({ pathname, search, searchParams }: URL): { path: string; 'secret-env'?: string } {
  const names = [...searchParams].flatMap(([name, value]) => (value !== '' && isSecretName(name) ? [name] : []));
  rememberSecrets(names.map((name) => searchParams.get(name) ?? ''));
  const [name, ...others] = names;
  if (name === undefined) return { path: `${pathname}${search}` };
  if (others.length > 0) {
    throw new InputError(`The address has several secrets: ${names.join(', ')}.`, {
      advice: 'A description can hide one. Leave out the others, or have them switched off at the meter.',
    });
  }
  const hidden = search.replace(/([^?&=]*)=[^&]*/g, (pair, key: string) =>
    new URLSearchParams(pair).has(name) ? `${key}={secret}` : pair,
  );
  return { path: `${pathname}${hidden}`, 'secret-env': 'METER_SECRET' };
}

async function hearHttp(text: string, host: MeterHost): Promise<UnknownMeter> {
  const url = httpAddress(text);
  const address = deviceAddress({ text, type: 'file', address: url.host, options: {} });
  const path = `${url.pathname}${url.search}`;
  const http = withoutSecret(url);
  const reported = {
    failed: `${url.origin} can’t be read`,
    advice: 'Try the address with curl: it must answer with JSON.',
  };
  return openDevice(host.openHttp(address), reported, async (connection) => {
    const ask = async () => (await getJson(connection, { path, deadlineMs: READING_MS }, z.unknown())).value;
    await ask();
    return {
      keys: { http, address: url.host },
      framing: { json: {} },
      listen: async (seconds) => {
        const frames: Frame[] = [];
        for (let leftMs = seconds * 1000; leftMs > 0; leftMs -= ASK_EVERY_MS) {
          try {
            frames.push({ kind: 'document', document: await ask() });
          } catch (error) {
            if (!(error instanceof HttpFault)) throw error;
          }
          await sleep(host.clock, ASK_EVERY_MS);
        }
        return { frames };
      },
      close: () => connection.close(),
    };
  });
}
