/** A stretch of registers as it was read, looked into by register address. Numbers are little-endian. Outside of it: RangeError. */
export class Block {
  readonly #address: number;
  readonly #view: DataView;

  constructor(address: number, data: Uint8Array) {
    this.#address = address;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
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
