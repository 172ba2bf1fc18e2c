import { MeasureError } from '../../../errors.ts';
import { CHECKSUMS, computeChecksum, hasChecksum } from '../../../meters/described/checksums.ts';
import { Description, type Description as Known, type Value } from '../../../meters/described/description.ts';
import { Framer } from '../../../meters/described/framer.ts';
import { byteWidth, NUMBER_TYPES } from '../../../meters/described/numbers.ts';
import { decodeField, type Frame } from '../../../meters/described/reading.ts';
import { median } from '../../../stats/quantiles.ts';

/** Data that a meter sent at a known true power, watts. */
export interface Marked {
  readonly watts: number;
  readonly heard: ReceivedData;
}

/** Raw bytes of a stream, or readings with a known format. */
export type ReceivedData = { readonly bytes: Uint8Array } | { readonly frames: readonly Frame[] };

/** Keys of a description that define the format of readings. */
export type Framing = Pick<Known, 'modbus' | 'json' | 'line'> & {
  readonly record?: { starts: string; length: number; checksum: { type: string; from?: number } };
};

/** A description that fits all received data. */
export interface Proposal {
  readonly framing: Framing;
  readonly power: Pick<Value, 'at' | 'type' | 'order' | 'scale'>;
  /** Powers that it reads, with the true ones, watts. */
  readonly marks: readonly { readonly watts: number; readonly read: number; readonly readings: number }[];
  /** Largest deviation, relative to the true power. */
  readonly error: number;
  /** Number of other fields that fit as well. */
  readonly others: number;
}

/** Maximum deviation of a proposal, relative to the true power; below 5 W, relative to 5 W. */
const MAX_ERROR = 0.1;
const SMALL_W = 5;
const SCALES = [1, 0.1, 0.01, 0.001, 0.0001, 10];
const SEPARATORS = [',', ';', '\t', '|', ' ', '='];

/** The best-fitting description; null: none. It takes at least two powers, so that a constant can't be mistaken for the power. */
export function propose(marked: readonly Marked[], known: Framing | null = null): Proposal | null {
  const all = known === null ? framings(marked) : [known];
  const found = all.flatMap((framing) => fits(framing, marked));
  found.sort((a, b) => a.error - b.error || rank(a) - rank(b));
  const [best] = found;
  if (best === undefined) return null;
  return {
    ...best,
    others: found.filter((one) => one.power.at !== best.power.at && one.error < 2 * best.error + 0.01).length,
  };
}

/** Narrow types first: a wider type only includes bytes that are always zero. */
const rank = ({ power }: Proposal): number =>
  NUMBER_TYPES.indexOf(power.type) + (power.order === 'high-first' ? 0 : 0.5);

/** Whether this stream contains readings in any known format. */
export const isReadable = (bytes: Uint8Array): boolean => framings([{ watts: 0, heard: { bytes } }]).length > 0;

/** All formats in which the stream contains readings. */
function framings(marked: readonly Marked[]): Framing[] {
  const bytes = Buffer.concat(marked.flatMap(({ heard }) => ('bytes' in heard ? [heard.bytes] : [])));
  const has = (framing: Framing, least = 2) => framesIn(framing, bytes).length >= least;
  if (has({ json: {} })) return [{ json: {} }];
  const printable = bytes.filter((byte) => (byte >= 0x20 && byte < 0x7f) || [0x09, 0x0a, 0x0d].includes(byte));
  if (printable.length < 0.95 * bytes.length) return recordsIn(bytes);
  return SEPARATORS.map((separator): Framing => ({ line: { separator, starts: '' } })).filter((one) => has(one));
}

/** The readings of a stream in this format. */
function framesIn(framing: Framing, bytes: Uint8Array): Frame[] {
  const description = Description.safeParse({
    name: 'x',
    serial: { baud: 9600 },
    power: { at: 'json' in framing ? '' : 0, type: 'uint8', unit: 'W' },
    ...framing,
  });
  if (!description.success) return [];
  const framer = new Framer(description.data);
  // In pieces, since the framer buffers only one reading.
  const pieces = Array.from({ length: Math.ceil(bytes.length / 256) }, (_, i) =>
    bytes.subarray(256 * i, 256 * (i + 1)),
  );
  return pieces.flatMap((piece) => framer.push(piece));
}

const RECORD_LENGTHS = Array.from({ length: 61 }, (_, i) => i + 4);

/** Formats with records of equal length and valid checksums: the strongest checksum and the shortest record first. */
function recordsIn(bytes: Uint8Array): Framing[] {
  for (const type of CHECKSUMS.filter((one) => one !== 'none').toReversed()) {
    for (const length of RECORD_LENGTHS) {
      for (const from of [0, 1, 2]) {
        const starts = startsOf(bytes, length, (record) => hasChecksum(type, record, from));
        const framing: Framing = { record: { starts, length, checksum: { type, from } } };
        if (starts === '') continue;
        const frames = framesIn(framing, bytes).flatMap((frame) =>
          frame.kind === 'bytes' ? [Buffer.from(frame.bytes).toString('hex')] : [],
        );
        // A repeated identical record may match a checksum by chance; three different ones don't.
        if (frames.length * length > 0.8 * bytes.length && new Set(frames).size >= 3) return [framing];
      }
    }
  }
  return [];
}

/** Common first bytes of all records, hexadecimal; empty: none. Three successive records are not by chance. */
function startsOf(bytes: Uint8Array, length: number, isRecord: (record: Uint8Array) => boolean): string {
  for (let first = 0; first < length; first++) {
    const records = [0, 1, 2].map((i) => bytes.subarray(first + i * length, first + (i + 1) * length));
    if (records.some((record) => record.length < length || !isRecord(record))) continue;
    const [one = new Uint8Array(), ...more] = records;
    const same = one.findIndex((byte, i) => more.some((other) => other[i] !== byte));
    const common = one.subarray(0, Math.min(2, same < 0 ? length : same));
    if (common.length > 0 && common.some((byte) => byte !== 0)) return Buffer.from(common).toString('hex');
  }
  return '';
}

/** All fields and scales of a format that give the marked powers. */
function fits(framing: Framing, marked: readonly Marked[]): Proposal[] {
  const heard = marked.map(({ watts, heard }) => ({
    watts,
    frames: 'frames' in heard ? heard.frames : framesIn(framing, heard.bytes),
  }));
  // The first line may be incomplete, so the last one is used.
  const [sample] = heard.flatMap(({ frames }) => frames.slice(-1));
  if (sample === undefined || heard.some(({ frames }) => frames.length === 0)) return [];
  return fieldsOf(sample, framing).flatMap((field) => {
    const means = heard.map(({ watts, frames }) => {
      const numbers = frames.map((frame) => decodeField({ ...field, scale: 1 }, frame));
      const read = numbers.filter((number) => typeof number === 'number' && Number.isFinite(number)) as number[];
      return { watts, raw: read.length < numbers.length / 2 ? Number.NaN : median(read), readings: read.length };
    });
    const scale = SCALES.find((factor) => computeError(means, factor) <= MAX_ERROR);
    if (scale === undefined) return [];
    const marks = means.map(({ watts, raw, readings }) => ({ watts, read: raw * scale, readings }));
    return [{ framing, power: { ...field, scale }, marks, error: computeError(means, scale), others: 0 }];
  });
}

function computeError(means: readonly { readonly watts: number; readonly raw: number }[], scale: number): number {
  const errors = means.map(({ watts, raw }) => Math.abs(raw * scale - watts) / Math.max(watts, SMALL_W));
  return errors.some(Number.isNaN) ? Number.POSITIVE_INFINITY : Math.max(...errors);
}

/** All positions of a reading where a number may be. */
function fieldsOf(frame: Frame, { record }: Framing): Pick<Value, 'at' | 'type' | 'order'>[] {
  const plainly = { type: 'uint16', order: 'high-first' } as const;
  switch (frame.kind) {
    case 'document':
      return pointersTo(frame.document).map((at) => ({ at, ...plainly }));
    case 'columns':
      return frame.columns.map((_, at) => ({ at, ...plainly }));
    case 'registers':
    case 'bytes': {
      const unit = frame.kind === 'registers' ? 2 : 1;
      const tail =
        record === undefined
          ? 0
          : computeChecksum(record.checksum.type as (typeof CHECKSUMS)[number], new Uint8Array()).length;
      const places = Array.from({ length: (frame.bytes.length - tail) / unit }, (_, at) => at);
      const types = NUMBER_TYPES.filter((type) => unit === 1 || [2, 4].includes(byteWidth(type)));
      return places.flatMap((at) =>
        types
          .filter((type) => at * unit + byteWidth(type) <= frame.bytes.length - tail)
          .flatMap((type) => {
            const orders = byteWidth(type) > unit ? (['high-first', 'low-first'] as const) : (['high-first'] as const);
            return orders.map((order) => ({ at, type, order }));
          }),
      );
    }
  }
}

/** JSON pointers to all numbers of a document, digits in texts included; a meter's document has no thousands of them. */
function pointersTo(document: unknown): string[] {
  const found: string[] = [];
  const search = (value: unknown, pointer: string, depth: number): void => {
    if (found.length >= 1000 || depth > 8) return;
    if (typeof value === 'number' || (typeof value === 'string' && /^\s*[+-]?\d/.test(value))) found.push(pointer);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      search(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
    }
  };
  search(document, '', 0);
  return found;
}

/** Requires two different powers, to distinguish the power from constants. Throws MeasureError. */
export function checkMarks(marked: readonly Marked[]): void {
  const watts = marked.map((one) => one.watts);
  if (watts.length >= 2 && Math.max(...watts) - Math.min(...watts) >= SMALL_W) return;
  throw new MeasureError(
    `${watts.length === 1 ? 'One power was' : `${watts.length} powers were`} marked, none of them 5 W from another.`,
    {
      advice: 'Mark two at least: nothing plugged in (0), and a lamp or a computer whose power another meter shows.',
    },
  );
}
