import { ObserverError } from '../../tool.ts';

/** A field of a message: a number or bytes. */
export type Field =
  | { readonly field: number; readonly value: bigint; readonly bytes: null }
  | { readonly field: number; readonly value: null; readonly bytes: Uint8Array };

/**
 * Iterates over the fields of a protocol buffers message (protobuf.dev/programming-guides/encoding); fields of 4 and 8 bytes are skipped.
 * Throws ObserverError if it is malformed.
 */
export function* fieldsOf(message: Uint8Array): Generator<Field> {
  const at = new Cursor(message);
  while (!at.isAtEnd) {
    const key = at.varint();
    const field = Number(key >> 3n);
    switch (Number(key & 7n)) {
      case 0:
        yield { field, value: at.varint(), bytes: null };
        break;
      case 1:
        at.bytes(8);
        break;
      case 2:
        yield { field, value: null, bytes: at.bytes(Number(at.varint())) };
        break;
      case 5:
        at.bytes(4);
        break;
      default:
        throw unreadable();
    }
  }
}

/** Numbers of a repeated field, single or packed. */
export function* numbersOf(field: Field): Generator<bigint> {
  if (field.value !== null) yield field.value;
  if (field.bytes === null) return;
  const at = new Cursor(field.bytes);
  while (!at.isAtEnd) yield at.varint();
}

const unreadable = (): ObserverError => new ObserverError('unreadable');

class Cursor {
  readonly #message: Uint8Array;
  #at = 0;

  constructor(message: Uint8Array) {
    this.#message = message;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#message.length;
  }

  /** Reads an unsigned 64-bit varint. */
  varint(): bigint {
    let [low, high, shift] = [0, 0n, 0];
    for (;;) {
      const byte = this.#message[this.#at++];
      if (byte === undefined || shift > 63) throw unreadable();
      // Small numbers, the usual case, are computed without BigInt.
      if (shift < 28) low += (byte & 127) * 2 ** shift;
      else high |= BigInt(byte & 127) << BigInt(shift);
      if (byte < 128) return BigInt.asUintN(64, high | BigInt(low));
      shift += 7;
    }
  }

  bytes(length: number): Uint8Array {
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#message.length) throw unreadable();
    return this.#message.subarray(from, this.#at);
  }
}
