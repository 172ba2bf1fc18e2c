import { MeasureError } from '../../errors.ts';

/** Result of a read: its value, or why there is none. */
export type Answer<T> = Answered<T> | NoAnswer;

export interface Answered<T> {
  readonly value: T;
  /** Moment half-way between question and reply. */
  readonly tNs: bigint;
  /** Failure of the attempt before; null: the first one succeeded. */
  readonly repeatedBecause: NoAnswer | null;
}

export type NoAnswer =
  | { readonly none: 'silence'; readonly seconds: number }
  /** Bytes came, but no reply; `received` is safe to print. */
  | { readonly none: 'garbage'; readonly received: string }
  /** The unit refused with this code. */
  | { readonly none: 'refused'; readonly code: number }
  /** A reply came whose content this meter can't have sent; `what`: a clause about it. */
  | { readonly none: 'implausible'; readonly what: string };

/** Parsed reply: a value, or a clause that says why its bytes can't come from the meter. */
export type Parsed<T> = { readonly value: T } | { readonly implausible: string };

/** Texts of exception codes (MODBUS Application Protocol 1.1b3, 7). */
const CODES: Readonly<Record<number, string>> = {
  1: 'it does not know this function',
  2: 'it does not have these registers',
  3: 'it does not take this number of registers',
  4: 'it failed',
  6: 'it is busy',
};

/** Clause on what came instead of a reading. */
export function whatCame(answer: NoAnswer): string {
  switch (answer.none) {
    case 'silence':
      return `nothing came within ${answer.seconds.toFixed(1)} s`;
    case 'garbage':
      return `it answered "${answer.received}"`;
    case 'refused':
      return `it refused with Modbus error ${answer.code}${CODES[answer.code] ? ` (${CODES[answer.code]})` : ''}`;
    case 'implausible':
      return answer.what;
  }
}

/** The error where something else than `meter` ("a PZEM-004T") answered on the port. */
export function notHere(meter: string, path: string, answer: NoAnswer, advice: string): MeasureError {
  const expected = answer.none === 'silence' || answer.none === 'garbage' ? 'expected a Modbus reply, but ' : '';
  return new MeasureError(`There is no ${meter} on ${path}: ${expected}${whatCame(answer)}.`, { advice });
}
