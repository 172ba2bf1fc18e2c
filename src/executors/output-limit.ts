import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { readEnd } from './output-tail.ts';

/**
 * So much of what one command prints is on a disk at a time: what runs can't fill it. Phases are read from it, so it is more than what is kept
 * of a log in the end.
 */
export const MOST_OUTPUT_BYTES = 64 * 2 ** 20;
export const MOST_OUTPUT = '64 MB';

/** So much of it is in memory at a time, where it goes there: it counts as the workload's own. */
export const MOST_IN_MEMORY_BYTES = 16 * 2 ** 20;

/** So much is looked through before a cut. More than that between two looks is no print: a workload can make its file as large as it likes. */
const MOST_SEARCHED_BYTES = 512 * 2 ** 20;

/**
 * Looks before a cut: each has less to look through than the one before, unless the looking is the slower of the two, or this process got no time
 * meanwhile. It is cut after one that found hardly anything new.
 */
const MOST_LOOKS = 1000;
const HARDLY_BYTES = 8 * 2 ** 10;
const MOST_BEHIND_BYTES = 128 * 2 ** 20;

/** What is kept of logs, bytes: of one run, and of all runs of a session together. */
export interface LogLimits {
  readonly runBytes: number;
  readonly allBytes: number;
}

/** Where the experiment file says nothing. */
export const LOG_LIMITS: LogLimits = { runBytes: 4 * 2 ** 20, allBytes: 64 * 2 ** 20 };

/** Kept of both ends of an output that was longer. */
const END_BYTES = 8 * 2 ** 20;

/** What stands in a log in the place of what was left out. */
export const leftOutNote = (bytes: number): string =>
  `\n[joulediff left ${bytes.toLocaleString('en-US')} bytes of output out here: only the ends of a long output are kept]\n`;
const NOTES = /\n\[joulediff left ([\d,]{1,21}) bytes of output out here: only the ends of a long output are kept\]\n/g;

/**
 * Keeps a log from growing while a command writes into it by itself, at its end: beyond the limit all but its beginning is cut off, and its
 * last part remembered.
 */
export class OutputLimit {
  readonly #logFile: string;
  readonly #fromByte: number;
  readonly #mostBytes: number;
  #tail = Buffer.alloc(0);
  /** Bytes that are in the file no more. */
  cutBytes = 0;

  constructor(logFile: string, fromByte: number, mostBytes = MOST_OUTPUT_BYTES) {
    this.#logFile = logFile;
    this.#fromByte = fromByte;
    this.#mostBytes = mostBytes;
  }

  /** Looks at the file, which has so many bytes. */
  look(bytes: number): void {
    if (this.isReached(bytes)) this.cut();
  }

  /** Whether a file of so many bytes is to be cut. */
  isReached(bytes: number): boolean {
    return bytes - this.#fromByte > this.#mostBytes;
  }

  /**
   * Cuts off all but the beginning. What is written between the last look and the cut is gone, so all that takes its time comes before: `lookThrough`
   * goes on to a byte of the file, and again to what came meanwhile, until hardly anything did. `unseenBytes` are those known to be lost; what a flood
   * writes while the kernel waits to cut, nobody counts: microseconds of it on an idle machine, and on a busy one milliseconds.
   */
  cut(lookThrough: (file: number, toByte: number) => void = () => {}): { keptBytes: number; unseenBytes: number } {
    const file = openSync(this.#logFile, 'r+');
    try {
      const keptBytes = this.#fromByte + this.#endBytes;
      const { size: first } = fstatSync(file);
      const pieces = [readEnd(file, first, this.#endBytes)];
      let seen = Math.min(first, keptBytes + MOST_SEARCHED_BYTES);
      lookThrough(file, seen);
      for (let looks = 1; looks < MOST_LOOKS && seen - keptBytes < MOST_BEHIND_BYTES; looks++) {
        const { size } = fstatSync(file);
        const newBytes = size - seen;
        pieces.push(readEnd(file, size, Math.min(newBytes, this.#endBytes)));
        lookThrough(file, size);
        seen = size;
        if (newBytes <= HARDLY_BYTES) break;
      }
      const { size } = fstatSync(file);
      ftruncateSync(file, keptBytes);
      this.cutBytes += size - keptBytes;
      this.#tail = Buffer.from(Buffer.concat(pieces).subarray(-this.#endBytes));
      return { keptBytes, unseenBytes: size - seen };
    } finally {
      closeSync(file);
    }
  }

  /** The command has ended: puts back what was remembered of its end, as far as what came after it leaves room. */
  finish(): void {
    if (this.cutBytes === 0) return;
    const keptBytes = this.#fromByte + this.#endBytes;
    const file = openSync(this.#logFile, 'r+');
    try {
      const { size } = fstatSync(file);
      const afterBytes = Math.max(0, size - keptBytes);
      const after = readEnd(file, size, Math.min(afterBytes, this.#endBytes));
      const end = Buffer.concat([this.#tail, after]).subarray(-this.#endBytes);
      const missing = this.cutBytes + afterBytes - end.length;
      ftruncateSync(file, keptBytes);
      writeSync(file, Buffer.concat([Buffer.from(leftOutNote(missing)), end]), 0, null, keptBytes);
    } finally {
      closeSync(file);
    }
  }

  get #endBytes(): number {
    return Math.min(END_BYTES, Math.floor(this.#mostBytes / 4));
  }
}

/** Cuts a log down to so many bytes, kept from both ends; gives its size. Throws what the file system throws. */
export function cutLog(logFile: string, mostBytes: number): number {
  const file = openSync(logFile, 'r+');
  try {
    const { size } = fstatSync(file);
    if (size <= mostBytes) return size;
    const half = Math.max(0, Math.floor((mostBytes - leftOutNote(Number.MAX_SAFE_INTEGER).length) / 2));
    const end = readEnd(file, size, half);
    const missing = size - 2 * half + leftOutBefore(file, half, size - half);
    const text = Buffer.concat([Buffer.from(leftOutNote(missing)), end]);
    ftruncateSync(file, half);
    writeSync(file, text, 0, null, half);
    return half + text.length;
  } finally {
    closeSync(file);
  }
}

/**
 * Bytes that are missing already between two places of a file, as its notes there say, beyond the notes themselves: what printed faster than its file
 * may grow was cut while it ran. A workload can write such a note; it says nothing about anything but that workload's own output.
 */
function leftOutBefore(file: number, fromByte: number, toByte: number): number {
  if (toByte - fromByte > 2 * MOST_OUTPUT_BYTES) return 0;
  const part = Buffer.alloc(toByte - fromByte);
  const text = part.toString('latin1', 0, readSync(file, part, 0, part.length, fromByte));
  const bytes = [...text.matchAll(NOTES)].map(
    ([note, number = '']) => Number(number.replaceAll(',', '')) - note.length,
  );
  const sum = bytes.reduce((all, one) => all + one, 0);
  return Number.isSafeInteger(toByte + sum) ? sum : 0;
}
