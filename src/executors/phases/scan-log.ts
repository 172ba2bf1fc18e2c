import { closeSync, read } from 'node:fs';
import { promisify } from 'node:util';
import { openRegular } from '../../system/open-regular.ts';
import { type CheckpointLines, LONGEST_LINE } from './checkpoint-lines.ts';
import { PhaseMarks } from './phase-marks.ts';

const CHUNK_BYTES = 256 * 1024;

const readInto = promisify(read);
const readPart = async (file: number, into: Buffer, length: number, at: number): Promise<number> =>
  (await readInto(file, into, 0, length, at)).bytesRead;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Upper bound on the output that is searched: more would hold up the experiment. */
const MAX_BYTES = 4 * 2 ** 30;

/**
 * The checkpoints in a part of a log file, each with the byte after its line. Reads in pieces: neither a long output nor a long line fills
 * the memory. Throws what the file system throws.
 */
export async function scanLog(
  logFile: string,
  part: { readonly fromByte: number; readonly toByte: number },
  lines: CheckpointLines,
): Promise<PhaseMarks<number>> {
  const marks = new PhaseMarks<number>();
  if (part.toByte <= part.fromByte) return marks;
  if (part.toByte - part.fromByte > MAX_BYTES) {
    marks.problem = 'it printed more than 4 GiB, which is too much to search';
    return marks;
  }
  const file = openRegular(logFile, 'read');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const scanner = new Scanner(lines, marks);
    for (let at = part.fromByte; at < part.toByte; ) {
      const bytesRead = await readPart(file, chunk, Math.min(CHUNK_BYTES, part.toByte - at), at);
      if (bytesRead === 0) break;
      if (!scanner.chunk(chunk.subarray(0, bytesRead), at)) return marks;
      at += bytesRead;
    }
    scanner.end(part.toByte);
    return marks;
  } finally {
    closeSync(file);
  }
}

/** Does the same for output that is not in one file at a time: pieces in their order, each with the position of its first byte. */
export class Scanner {
  readonly #lines: CheckpointLines;
  readonly #marks: PhaseMarks<number>;
  /** Beginning of the unfinished line, as far as lines are examined. */
  #head: Buffer = Buffer.alloc(0);

  constructor(lines: CheckpointLines, marks: PhaseMarks<number>) {
    this.#lines = lines;
    this.#marks = marks;
  }

  /** False: nothing more needs to be read. */
  chunk(bytes: Buffer, at: number): boolean {
    let start = 0;
    if (this.#lines.mayHold(Buffer.concat([this.#head, bytes]))) {
      for (let i = 0; i < bytes.length; i++) {
        const isRewritten = bytes[i] === CARRIAGE_RETURN && bytes[i + 1] !== LINE_FEED;
        if (bytes[i] !== LINE_FEED && !isRewritten) continue;
        const reported = this.#lines.read(this.#line(bytes.subarray(start, i)));
        start = i + 1;
        if (reported !== null && !this.#marks.take(reported, at + start, isRewritten)) return false;
      }
    } else {
      const feed = Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN));
      if (feed >= 0) {
        this.#head = Buffer.alloc(0);
        start = feed + 1;
      }
    }
    const rest = bytes.subarray(start, start + LONGEST_LINE - this.#head.length);
    // A copy is made, since the chunk's buffer is used again.
    this.#head = Buffer.concat([this.#head, rest]);
    return true;
  }

  end(at: number): void {
    const reported = this.#lines.read(this.#head);
    if (reported !== null) this.#marks.take(reported, at);
  }

  #line(rest: Buffer): Buffer {
    if (this.#head.length === 0) return rest.subarray(0, LONGEST_LINE);
    const line = Buffer.concat([this.#head, rest.subarray(0, LONGEST_LINE - this.#head.length)]);
    this.#head = Buffer.alloc(0);
    return line;
  }
}
