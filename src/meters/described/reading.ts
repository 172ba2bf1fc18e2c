import { inSi } from '../../sampling/reported.ts';
import { excerpt } from '../excerpt.ts';
import type { Parsed } from '../modbus/answer.ts';
import { HttpFault } from '../network/connection.ts';
import { numberAt, pointerKeys } from '../network/json.ts';
import type { Description, Value } from './description.ts';
import { byteWidth, numberIn } from './numbers.ts';

/** The content of one reading, before a number is taken from it. */
export type Frame =
  | { readonly kind: 'registers' | 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'columns'; readonly columns: readonly string[] }
  | { readonly kind: 'document'; readonly document: unknown };

/** Watts of a reading, if all its values are within their limits; else a clause that names one that is not. */
export function powerOf({ power, checks }: Pick<Description, 'power' | 'checks'>, frame: Frame): Parsed<number> {
  for (const [name, each] of [...Object.entries(checks), ['power', power] as const]) {
    const number = decodeField(each, frame);
    if (typeof number !== 'number') return number;
    const [least, most] = each.between ?? [-MAX_NUMBER, MAX_NUMBER];
    const powerW = each === power ? inSi(number, power.unit) : null;
    if (!(number >= least && number <= most && Math.abs(powerW ?? 0) <= MAX_W)) {
      return { implausible: `its ${name} is ${Number(number.toPrecision(6))}` };
    }
    if (powerW !== null) return { value: powerW };
  }
  throw new Error('The power of a description was not read');
}

/** Upper bound on any number of a reading, whatever its unit. */
const MAX_NUMBER = 1e9;
/** Upper bound on the power, watts: more means that two numbers ran into one. */
const MAX_W = 1e6;

/** Scales such as 0.1 and 0.001 divide, so that 1234 tenths are 123.4 exactly. */
export function scaled(raw: number, scale: number): number {
  const inverse = Math.round(1 / scale);
  return Number.isInteger(inverse) && 1 / inverse === scale ? raw / inverse : raw * scale;
}

/** Not before three digits: whether 1,234 is a thousand or little more than one can't be known. */
const DECIMAL_COMMA = /^([+-]?\d{1,15}),(\d{1,2}|\d{4,15})(?!\d)/;

/** The number of a field in a reading; else a clause that says why there is none. */
export function decodeField(
  { at, type, order, scale }: Value,
  frame: Frame,
): number | { readonly implausible: string } {
  switch (frame.kind) {
    case 'document':
      try {
        return scaled(numberAt(frame.document, pointerKeys(String(at))), scale);
      } catch (error) {
        if (error instanceof HttpFault) return { implausible: error.message };
        throw error;
      }
    case 'columns': {
      const text = frame.columns[Number(at)]?.trim() ?? '';
      // Units may follow a number without a blank: 12.5W. A second number may not: of 3/4 or 12:30, neither is the value.
      const [digits] =
        /^[+-]?\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?(?![\w.])(?!\s*[,:/'’-]?\s*\d)|^[+-]?\d{1,15}(?:\.\d{1,15})?(?=[A-Za-z%]{1,3}$)/.exec(
          text.replace(DECIMAL_COMMA, '$1.$2'),
        ) ?? [];
      return digits === undefined
        ? { implausible: `its column ${at} is no number: ${excerpt(text, 20)}` }
        : scaled(Number(digits), scale);
    }
    case 'registers':
    case 'bytes':
      return scaled(numberIn(highFirst(frame.bytes, { at: Number(at), type, order }, frame.kind), type), scale);
  }
}

/** The bytes of a value, high byte first. Registers hold two bytes each, the high one first, whatever their own order is. */
export function highFirst(
  all: Uint8Array,
  { at, type, order }: { readonly at: number } & Pick<Value, 'type' | 'order'>,
  kind: 'registers' | 'bytes',
): Uint8Array {
  const width = byteWidth(type);
  if (kind === 'bytes') {
    const bytes = all.slice(at, at + width);
    return order === 'high-first' ? bytes : bytes.reverse();
  }
  const words = Math.ceil(width / 2);
  const registers = all.slice(2 * at, 2 * (at + words));
  if (order === 'low-first' && words === 2) registers.set([...registers.slice(2), ...registers.slice(0, 2)]);
  return registers.slice(2 * words - width);
}
