const LIMIT = 60;

/** Remembers the first bytes that came, to quote them in an error. */
export class ReceivedExcerpt {
  #bytes = Buffer.alloc(0);

  take(chunk: Uint8Array): void {
    if (this.#bytes.length > LIMIT) return;
    this.#bytes = Buffer.concat([this.#bytes, chunk.subarray(0, LIMIT + 1 - this.#bytes.length)]);
  }

  forget(): void {
    this.#bytes = Buffer.alloc(0);
  }

  /** Safe to print: text as it is, all else as `\x00`; empty when nothing came. */
  text(): string {
    const shown = Array.from(this.#bytes.subarray(0, LIMIT), (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
    ).join('');
    return this.#bytes.length > LIMIT ? `${shown}…` : shown;
  }
}
