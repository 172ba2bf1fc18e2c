import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { InputError, messageOf } from '../../errors.ts';
import { MachinePart } from '../../findings/numbers.ts';
import { durationS, percent } from '../../input/quantities.ts';
import { showPath } from '../../input/words.ts';
import { plain } from '../../text/plain.ts';
import { CHECKSUMS, computeChecksum } from './checksums.ts';
import { byteWidth, MAX_FRAME, NUMBER_TYPES } from './numbers.ts';

const MAX_FILE = 64 * 1024;

const duration = z
  .union([z.string(), z.number()])
  .transform((given) => durationS(given))
  .refine((seconds) => seconds >= 0.01 && seconds <= 60, 'it must be a time of 10 ms to 60 s, such as 500ms');
const count = (most: number) => z.int().min(0).max(most);
const visible = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => plain(text, 200) === text, 'it must be one line of visible text');
/** Bytes that are written in hexadecimal, with or without blanks: `a5 5a`. */
const hex = z
  .string()
  .regex(/^\s*(?:[0-9a-f]{2}\s*){1,64}$/i, 'it must be bytes in hexadecimal, such as "a5 5a"')
  .transform((text) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));

const value = {
  /** Where the value is: number of the register, byte or column, from 0 on, or a JSON pointer. */
  at: z.union([count(MAX_FRAME), z.string().regex(/^(?:\/.*)?$/s, 'a JSON pointer begins with a slash')]),
  type: z.enum(NUMBER_TYPES).default('uint16'),
  /** Which half comes first: of the registers of a value, or of its bytes in a record. */
  order: z.enum(['high-first', 'low-first']).default('high-first'),
  scale: z
    .number()
    .refine((factor) => factor !== 0, 'it must not be 0')
    .default(1),
  between: z.tuple([z.number(), z.number()]).optional(),
};
const Value = z.strictObject(value);

export const Description = z
  .strictObject({
    /** Name of the product, for people. */
    name: visible,
    /** Address of the meter: a port, HOST:PORT, or HOST; `?at=` in the meter's name replaces it. */
    address: visible.optional(),
    /** Settings of the serial port. */
    serial: z
      .strictObject({ baud: z.int().min(300).max(4_000_000), parity: z.enum(['none', 'even', 'odd']).default('none') })
      .optional(),
    tcp: z.strictObject({}).optional(),
    http: z
      .strictObject({
        path: z.string().regex(/^\/[^\s#]{0,1000}$/, 'it must begin with a slash'),
        headers: z.record(z.string().regex(/^[\w-]{1,50}$/), z.string().max(500)).default({}),
        /** Variable whose value takes the place of {secret}. */
        'secret-env': z.string().optional(),
      })
      .optional(),
    /** Request for a reading; absent: the meter sends by itself, or speaks Modbus or HTTP. */
    request: z.union([z.strictObject({ text: z.string().min(1).max(200) }), z.strictObject({ hex })]).optional(),
    /** Form of a reading. */
    modbus: z
      .strictObject({
        unit: z.int().min(1).max(248),
        registers: z.enum(['input', 'holding']),
        address: count(0xffff),
        count: z.int().min(1).max(125),
      })
      .optional(),
    json: z.strictObject({}).optional(),
    line: z.strictObject({ separator: z.string().min(1).max(5), starts: z.string().max(50).default('') }).optional(),
    record: z
      .strictObject({
        starts: hex,
        length: z.int().min(2).max(MAX_FRAME),
        checksum: z.strictObject({ type: z.enum(CHECKSUMS), from: count(MAX_FRAME).default(0) }),
      })
      .optional(),
    power: z.strictObject({ ...value, unit: z.enum(['mW', 'W', 'kW']), resolution: z.number().positive().optional() }),
    /** Other values that every reading must have within their limits, such as the voltage of the mains. */
    checks: z.record(visible, Value.required({ between: true })).default({}),
    period: duration.default(1),
    /** Readings per sample. */
    readings: z.int().min(1).max(20).default(1),
    /** Seconds from one new value to the next. */
    renewed: duration.default(1),
    guard: duration.optional(),
    accuracy: z
      .strictObject({
        gain: z.string().refine((text) => percent(text) <= 100, 'it must be a percentage, such as 1%'),
        offset: z.number().min(0).max(1000).default(0),
      })
      .optional(),
    part: MachinePart.optional(),
    source: z.enum(['measured', 'modelled']).default('measured'),
  })
  .superRefine((all, context) => {
    const problem = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const transports = (['serial', 'tcp', 'http'] as const).filter((key) => all[key] !== undefined);
    const framings = (['modbus', 'json', 'line', 'record'] as const).filter((key) => all[key] !== undefined);
    const [framing] = framings;
    if (transports.length !== 1) problem('serial', 'exactly one of serial, tcp and http must say where the meter is');
    if (framings.length !== 1 || framing === undefined) {
      return problem('modbus', 'exactly one of modbus, json, line and record must say what a reading looks like');
    }
    if (all.http !== undefined && framing !== 'json') problem(framing, 'http goes with json');
    if (all.http !== undefined) {
      const { path, headers, 'secret-env': variable } = all.http;
      const isUsed = [path, ...Object.values(headers)].some((text) => text.includes('{secret}'));
      if (isUsed !== (variable !== undefined)) problem('http', '{secret} and secret-env need each other');
    }
    if (all.request !== undefined && (all.http !== undefined || framing === 'modbus')) {
      problem('request', 'http and modbus have their own question');
    }
    for (const [name, each] of [['power', all.power] as const, ...Object.entries(all.checks)]) {
      const isPointer = typeof each.at === 'string';
      if (isPointer !== (framing === 'json'))
        problem(name, 'at must be a JSON pointer for json, and a number for the rest');
      else if (!isPointer && endOf(each, framing) > readingSpace(all)) {
        problem(name, 'at lies behind the end of the reading');
      } else if (Object.values(all.checks).some(({ at }) => isWithin(at, each.at) || isWithin(each.at, at))) {
        problem(name, 'at lies within another value, which must be a number');
      }
      if (each.between !== undefined && each.between[0] >= each.between[1]) {
        problem(name, 'between goes from low to high');
      }
    }
    if (all.record !== undefined) {
      const { starts, checksum } = all.record;
      if (starts.length > readingSpace(all)) problem('record', 'starts is longer than the record before its checksum');
      if (checksum.from >= readingSpace(all)) problem('record', 'from is past the bytes that the checksum covers');
    }
    if (all.guard !== undefined && all.guard < all.renewed) {
      problem('guard', 'it must not be shorter than renewed: energy of a run would lie outside of its window');
    }
  });

export type Description = z.infer<typeof Description>;
export type Value = z.infer<typeof Value>;

/** Number of registers or bytes in a reading before its checksum; unlimited for columns. */
function readingSpace({ modbus, record }: Pick<Description, 'modbus' | 'record'>): number {
  if (record !== undefined) return record.length - computeChecksum(record.checksum.type, new Uint8Array()).length;
  return modbus?.count ?? Number.POSITIVE_INFINITY;
}

/** Names the first pointer something inside of what the second one names? */
const isWithin = (inner: Value['at'], outer: Value['at']): boolean => `${inner}`.startsWith(`${outer}/`);

function endOf({ at, type }: Pick<Value, 'at' | 'type'>, framing: string): number {
  const width = framing === 'modbus' ? Math.ceil(byteWidth(type) / 2) : framing === 'record' ? byteWidth(type) : 1;
  return Number(at) + width;
}

export interface Described {
  readonly file: string;
  readonly description: Description;
  /** Digest of all but the address: the same meter at another port has the same digest. */
  readonly digest: string;
}

/** Reads a description file, YAML. Throws InputError: it can't be read, or is none, with all that is wrong. */
export function readDescription(path: string): Described {
  const given = parseFile(path);
  const { data, error } = Description.safeParse(given);
  if (data === undefined) {
    const wrong = error.issues.map(
      ({ path: at, message }) => `${showPath(at as (string | number)[]) || 'the file'}: ${message}`,
    );
    throw new InputError(`The description ${path} is not one of a meter:\n${wrong.slice(0, 10).join('\n')}`, {
      advice: 'docs/meters.md shows one, and `joulediff meter learn PORT` makes one.',
    });
  }
  const { address: _, ...lasting } = data;
  const digest = createHash('sha256').update(JSON.stringify(lasting)).digest('hex').slice(0, 12);
  return { file: basename(path), description: data, digest };
}

function parseFile(path: string): unknown {
  try {
    const { size, isFile } = { size: statSync(path).size, isFile: statSync(path).isFile() };
    if (!isFile || size > MAX_FILE) throw new Error(isFile ? `it has ${size} bytes` : 'it is not a file');
    return parse(readFileSync(path, 'utf8'), { maxAliasCount: 10 });
  } catch (cause) {
    throw new InputError(`The description ${path} can't be read: ${messageOf(cause).split('\n', 1)[0]}`, {
      advice: 'Write the path of a YAML file after `file:`.',
      cause,
    });
  }
}
