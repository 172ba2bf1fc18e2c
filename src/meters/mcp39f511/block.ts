/** A stretch of registers as it was read, looked into by register address. Numbers are little-endian. Outside of it: RangeError. */
export class Block {
  readonly #address: number;
  readonly #view: DataView;

  constructor(address: number, data: Uint8Array) {
    this.#address = address;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  /** Does every register have the same content? */
  equals(other: Block): boolean {
    return Buffer.compare(bytesOf(this.#view), bytesOf(other.#view)) === 0;
  }

  u8(address: number): number {
    return this.#view.getUint8(address - this.#address);
  }

  u16(address: number): number {
    return this.#view.getUint16(address - this.#address, true);
  }

  s16(address: number): number {
    return this.#view.getInt16(address - this.#address, true);
  }

  u32(address: number): number {
    return this.#view.getUint32(address - this.#address, true);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
