import { LONGEST_LINE } from '../phases/checkpoint-lines.ts';

const HEADER_BYTES = 8;
/** Upper bound on the length of a stamp: `2026-01-02T03:04:05.123456789Z `, or one with an offset. */
const LONGEST_STAMP = 40;
const SPACE = 0x20;
const LINE_FEED = 0x0a;

export interface StampedLine {
  /** Its beginning, without the line feed. The engine stamps what a carriage return ends together with the rest of the line. */
  readonly line: Buffer;
  /** When it arrived at the engine, wall clock, nanoseconds since 1970. Throws an Error for a stamp that can't be read. */
  stampNs(): bigint;
}

/**
 * The lines of the engine's multiplexed stream with time stamps: frames of a header (stream number, three zeros, length in 4 bytes,
 * big-endian) and a stamp, a space and the text. A long line comes in several frames; its first one counts, and only its beginning is kept.
 * What is given is good until the next one is asked for.
 */
export async function* stampedLines(stream: AsyncIterable<Buffer>): AsyncGenerator<StampedLine> {
  const header = Buffer.alloc(HEADER_BYTES);
  const head = Buffer.alloc(LONGEST_STAMP + LONGEST_LINE);
  const inLine = [false, false, false];
  let headerBytes = 0;
  let headBytes = 0;
  let left = 0;
  let last = 0;
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length; ) {
      if (headerBytes < HEADER_BYTES) {
        const copied = chunk.copy(header, headerBytes, at, at + HEADER_BYTES - headerBytes);
        at += copied;
        headerBytes += copied;
        if (headerBytes < HEADER_BYTES) continue;
        left = header.readUInt32BE(4);
        headBytes = 0;
        last = 0;
      }
      const part = chunk.subarray(at, at + left);
      headBytes += part.copy(head, headBytes);
      at += part.length;
      left -= part.length;
      last = part.at(-1) ?? last;
      if (left > 0) continue;
      headerBytes = 0;
      const stream = (header[0] ?? 0) % inLine.length;
      if (!inLine[stream]) yield stamped(head.subarray(0, headBytes));
      inLine[stream] = last !== LINE_FEED;
    }
  }
}

function stamped(frame: Buffer): StampedLine {
  const space = frame.subarray(0, LONGEST_STAMP).indexOf(SPACE);
  const rest = frame.subarray(space + 1);
  const feed = rest.indexOf(LINE_FEED);
  return {
    line: feed < 0 ? rest : rest.subarray(0, feed),
    stampNs: () => parseStamp(frame.toString('latin1', 0, Math.max(0, space))),
  };
}

/** Nanoseconds since 1970 of an RFC 3339 time with up to nine decimals. */
export function parseStamp(stamp: string): bigint {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(stamp);
  const milliseconds = found === null ? Number.NaN : Date.parse(`${found[1]}${found[3]}`);
  if (found === null || Number.isNaN(milliseconds)) throw new Error('the engine gave no time stamps');
  return BigInt(milliseconds) * 1_000_000n + BigInt((found[2] ?? '').padEnd(9, '0') || '0');
}
