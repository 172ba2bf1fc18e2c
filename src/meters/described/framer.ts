import { hasChecksum } from './checksums.ts';
import type { Description } from './description.ts';
import { EMULATOR_MARK } from './emulator-mark.ts';
import { MAX_FRAME } from './numbers.ts';
import type { Frame } from './reading.ts';

/** Finds the readings in a stream of chunks of any size, and buffers no more than one reading. */
export class Framer {
  readonly #description: Description;
  #rest = Buffer.alloc(0);
  /** Whether the stream has shown the emulator's mark. */
  isEmulated = false;

  constructor(description: Description) {
    this.#description = description;
  }

  /** The readings that the chunk completes, in their order. */
  push(chunk: Uint8Array): Frame[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const frames = this.#description.record === undefined ? this.#lines() : this.#records(this.#description.record);
    this.#rest = this.#rest.subarray(-2 * MAX_FRAME);
    return frames;
  }

  forget(): void {
    this.#rest = Buffer.alloc(0);
  }

  #lines(): Frame[] {
    const lines = this.#rest.toString('latin1').split('\n');
    this.#rest = Buffer.from(lines.pop() ?? '', 'latin1');
    return lines.flatMap((text) => {
      const line = text.replace(/\r$/, '');
      if (line === EMULATOR_MARK) this.isEmulated = true;
      return line === EMULATOR_MARK || line.length > MAX_FRAME ? [] : this.#inLine(line);
    });
  }

  #inLine(text: string): Frame[] {
    const { line } = this.#description;
    if (line !== undefined) {
      return text.startsWith(line.starts) && text !== ''
        ? [{ kind: 'columns', columns: text.slice(line.starts.length).split(line.separator) }]
        : [];
    }
    try {
      return [{ kind: 'document', document: JSON.parse(Buffer.from(text, 'latin1').toString()) }];
    } catch {
      return []; // the beginning of a line that was joined in its middle, or noise
    }
  }

  #records({ starts, length, checksum }: NonNullable<Description['record']>): Frame[] {
    const frames: Frame[] = [];
    for (;;) {
      const start = this.#rest.indexOf(starts);
      const before = start < 0 ? this.#rest : this.#rest.subarray(0, start);
      if (before.includes(EMULATOR_MARK)) this.isEmulated = true;
      if (start < 0 || start + length > this.#rest.length) return frames;
      const record = this.#rest.subarray(start, start + length);
      const isWhole = hasChecksum(checksum.type, record, checksum.from);
      if (isWhole) frames.push({ kind: 'bytes', bytes: Uint8Array.from(record) });
      // The beginning of a record may occur inside of another one, or in noise.
      this.#rest = this.#rest.subarray(start + (isWhole ? length : 1));
    }
  }
}
