import type { z } from 'zod';
import { MeasureError } from '../../errors.ts';
import { excerpt } from '../excerpt.ts';
import type { PolledReading, PolledSource } from '../polled-meter.ts';
import { type HttpAnswer, type HttpConnection, HttpFault, type HttpQuestion } from './connection.ts';

export interface JsonAnswer<T> {
  readonly value: T;
  readonly tNs: bigint;
}

/** Asks a device and parses its answer. Throws HttpFault: no answer, a refusal, or another shape than expected. */
export async function getJson<T>(
  connection: HttpConnection,
  question: HttpQuestion,
  shape: z.ZodType<T>,
): Promise<JsonAnswer<T>> {
  return jsonIn(await connection.get(question), shape);
}

/** Parses an answer. Throws HttpFault where it has another shape than expected. */
export function jsonIn<T>({ status, body, tNs }: HttpAnswer, shape: z.ZodType<T>): JsonAnswer<T> {
  if (status === 401 || status === 403) throw new HttpFault(`it refuses (HTTP ${status})`);
  if (status >= 300 && status < 400) throw new HttpFault(`it points elsewhere (HTTP ${status}), which is not followed`);
  if (status !== 200) throw new HttpFault(`it answers with HTTP ${status}`);
  const parsed = shape.safeParse(jsonOf(body));
  if (parsed.success) return { value: parsed.data, tNs };
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new HttpFault(`its answer is not as expected${where}: ${excerpt(body)}`);
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new HttpFault(`its answer is not JSON: ${excerpt(body)}`, { cause });
  }
}

/** What tells a device from another one at its address. */
export interface Identified {
  /** What the device said at the beginning. */
  readonly id: string;
  /** Asks the device that answers now. Throws HttpFault. */
  ask(): Promise<string>;
}

/**
 * Questions to a device as a source: an answer that fails is a missing reading, told as what it is. After that, and from another address, it may be
 * another device that answers: addresses are given out anew, and names come to stand for others. It has no reading: throws MeasureError.
 */
export function jsonSource(
  connection: Pick<HttpConnection, 'close' | 'remote'>,
  read: () => Promise<PolledReading>,
  device: Identified | null = null,
): PolledSource {
  let doubtful = false;
  let { remote } = connection;
  return {
    async read() {
      try {
        const reading = await read();
        if (device !== null && (doubtful || connection.remote !== remote)) await makeSure(device);
        remote = connection.remote;
        doubtful = false;
        return reading;
      } catch (error) {
        if (!(error instanceof HttpFault)) throw error;
        doubtful = true;
        return { missing: error.message };
      }
    },
    // A network may come back: the meter is lost only when no reading has come for long.
    onEnd: () => {},
    close: () => connection.close(),
  };
}

async function makeSure(device: Identified): Promise<void> {
  const now = await device.ask();
  if (now === device.id) return;
  throw new MeasureError(`Another device answers at its address: ${excerpt(now)} instead of ${excerpt(device.id)}.`);
}

/** Keys that lead from a document to the target of a JSON pointer (RFC 6901); none: the document itself. */
export function pointerKeys(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A number, or a text that is one: Home Assistant's states are texts. Throws HttpFault. */
export function numberAt(document: unknown, keys: readonly string[]): number {
  let value = document;
  for (const [depth, key] of keys.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      throw new HttpFault(`its answer has nothing at /${keys.slice(0, depth + 1).join('/')}`);
    }
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  const number =
    typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new HttpFault(`its answer is not a number: ${excerpt(String(JSON.stringify(value)))}`);
}
