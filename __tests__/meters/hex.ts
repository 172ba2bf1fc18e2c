/** The bytes of `f8 04 00`. */
export function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
}

/** `f8 04 00` for bytes, or for text that holds a byte a character. */
export function asHex(bytes: Uint8Array | string): string {
  return Array.from(Buffer.from(bytes as string, 'latin1'), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

/** Cut into chunks of this size. */
export function chunks(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
