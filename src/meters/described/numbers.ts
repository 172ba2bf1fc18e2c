/** Upper bound on the length of a record or a line, bytes. */
export const MAX_FRAME = 512;

/** Encodings of a number in bytes: unsigned, two's complement, or IEEE 754. */
export const NUMBER_TYPES = ['uint8', 'int8', 'uint16', 'int16', 'uint24', 'uint32', 'int32', 'float32'] as const;

export type NumberType = (typeof NUMBER_TYPES)[number];

/** Bytes of a number. */
export function byteWidth(type: NumberType): number {
  return Number(/\d+$/.exec(type)?.[0]) / 8;
}

/** The number in bytes, high byte first. */
export function numberIn(bytes: Uint8Array, type: NumberType): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type) {
    case 'uint8':
      return view.getUint8(0);
    case 'int8':
      return view.getInt8(0);
    case 'uint16':
      return view.getUint16(0);
    case 'int16':
      return view.getInt16(0);
    case 'uint24':
      return (view.getUint16(0) << 8) | view.getUint8(2);
    case 'uint32':
      return view.getUint32(0);
    case 'int32':
      return view.getInt32(0);
    case 'float32':
      return view.getFloat32(0);
  }
}

/** The bytes of a number, high byte first; a whole number out of range becomes the nearest one in range. */
export function bytesOf(number: number, type: NumberType): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  const width = byteWidth(type);
  if (type === 'float32') view.setFloat32(0, number);
  else {
    const isSigned = type.startsWith('int');
    const [least, most] = isSigned ? [-(2 ** (8 * width - 1)), 2 ** (8 * width - 1) - 1] : [0, 2 ** (8 * width) - 1];
    view.setInt32(0, Math.min(most, Math.max(least, Math.round(number))) | 0);
  }
  return new Uint8Array(view.buffer).slice(4 - width);
}
