import { closeSync, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { openRegular } from '../system/open-regular.ts';
import { punchHole } from '../system/punch-hole.ts';
import { readEnd, sizeOf } from './output-tail.ts';

/**
 * Upper bound on the bytes of one command's output on a disk, so that it can't fill it. Phases are read from it, so it is more than what is kept of
 * a log in the end.
 */
export const MAX_OUTPUT_BYTES = 64 * 2 ** 20;
export const MAX_OUTPUT = '64 MB';

/** Upper bound on one command's output in memory, which counts as the workload's own. */
export const MAX_IN_MEMORY_BYTES = 16 * 2 ** 20;

/** Bytes kept of logs: of one run, and of all runs of a session together. */
export interface LogLimits {
  readonly runBytes: number;
  readonly allBytes: number;
}

/** Limits where the experiment file sets none. */
export const LOG_LIMITS: LogLimits = { runBytes: 4 * 2 ** 20, allBytes: 64 * 2 ** 20 };

/** Bytes that are kept of each end of a longer output. */
const END_BYTES = 8 * 2 ** 20;

/** Note in a log in place of what was left out. */
export const leftOutNote = (bytes: number): string =>
  `\n[joulediff left ${bytes.toLocaleString('en-US')} bytes of output out here: only the ends of a long output are kept]\n`;
const NOTES = /\n\[joulediff left ([\d,]{1,21}) bytes of output out here: only the ends of a long output are kept\]\n/g;

/**
 * Limits the disk space of a log into which a command writes by itself, always at its end: what is between the beginning and the last part is given
 * back to the file system. The file keeps its length, so nothing is lost that is written at that moment. Where the file system can't do so,
 * all but the beginning is cut off, which loses output, and `problem` says so.
 */
export class OutputLimit {
  readonly #logFile: string;
  readonly #keptTo: number;
  readonly #mostBytes: number;
  readonly #endBytes: number;
  /** Position up to which everything after the kept beginning has been removed. */
  #goneTo: number;
  #tail = Buffer.alloc(0);
  /** Number of bytes by which the file was shortened. */
  cutBytes = 0;
  /** Why something may have been lost; null: nothing was. */
  problem: string | null = null;

  constructor(logFile: string, fromByte: number, mostBytes = MAX_OUTPUT_BYTES) {
    this.#logFile = logFile;
    this.#mostBytes = mostBytes;
    this.#endBytes = Math.min(END_BYTES, Math.floor(mostBytes / 4));
    this.#keptTo = fromByte + this.#endBytes;
    this.#goneTo = this.#keptTo;
  }

  /** Cuts the file if its size, `bytes`, has reached the limit. */
  poll(bytes: number): void {
    if (this.isReached(bytes)) this.cut(bytes);
  }

  /** Whether a file of this size takes more space than it may. */
  isReached(bytes: number): boolean {
    // The workload has shortened its file, and writes on from there.
    if (bytes < this.#goneTo) this.#goneTo = this.#keptTo;
    return bytes - this.#goneTo > this.#mostBytes - this.#endBytes;
  }

  get isCut(): boolean {
    return this.cutBytes > 0 || this.#goneTo > this.#keptTo;
  }

  /** Removes what is before `toByte`, except for both ends. Gives the new position of that byte in the file. */
  cut(toByte: number): number {
    const file = openRegular(this.#logFile, 'change');
    try {
      const goneTo = toByte - this.#endBytes;
      const why = punchHole(file, this.#goneTo, goneTo);
      if (why === null) {
        this.#goneTo = goneTo;
        return toByte;
      }
      this.problem = `it printed more than was kept, and what is printed while its output is cut is lost here (${why})`;
      const { size } = fstatSync(file);
      const end = readEnd(file, size, Math.min(size - this.#keptTo, this.#endBytes));
      ftruncateSync(file, this.#keptTo);
      this.cutBytes += size - this.#keptTo;
      this.#tail = Buffer.from(Buffer.concat([this.#tail, end]).subarray(-this.#endBytes));
      this.#goneTo = this.#keptTo;
      return this.#keptTo;
    } finally {
      closeSync(file);
    }
  }

  /** Closes the gap after the command has ended: its end follows its beginning, with a note on what is missing. */
  finish(): void {
    if (!this.isCut) return;
    const file = openRegular(this.#logFile, 'change');
    try {
      const { size } = fstatSync(file);
      const afterBytes = Math.max(0, size - this.#keptTo);
      const after = readEnd(file, size, Math.min(afterBytes, this.#endBytes));
      const end = Buffer.concat([this.#tail, after]).subarray(-this.#endBytes);
      const missing = this.cutBytes + afterBytes - end.length;
      ftruncateSync(file, this.#keptTo);
      writeSync(file, Buffer.concat([Buffer.from(leftOutNote(missing)), end]), 0, null, this.#keptTo);
    } finally {
      closeSync(file);
    }
  }
}

/** Puts a log in order that was being limited when this process was killed: in a copy, its hole would take space. */
export function cutLeftLog(logFile: string): void {
  if (sizeOf(logFile) > MAX_OUTPUT_BYTES) cutLog(logFile, 2 * END_BYTES);
}

/** Cuts a log down to so many bytes, kept from both ends; gives its size. Throws what the file system throws. */
export function cutLog(logFile: string, mostBytes: number): number {
  const file = openRegular(logFile, 'change');
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
 * Number of bytes that notes between two places of a file report as missing, beyond the notes themselves: output faster than a file may grow was cut
 * while it ran. A workload can write such a note; it says nothing about anything but that workload's own output.
 */
function leftOutBefore(file: number, fromByte: number, toByte: number): number {
  if (toByte - fromByte > 2 * MAX_OUTPUT_BYTES) return 0;
  const part = Buffer.alloc(toByte - fromByte);
  const text = part.toString('latin1', 0, readSync(file, part, 0, part.length, fromByte));
  const bytes = [...text.matchAll(NOTES)].map(
    ([note, number = '']) => Number(number.replaceAll(',', '')) - note.length,
  );
  const sum = bytes.reduce((all, one) => all + one, 0);
  return Number.isSafeInteger(toByte + sum) ? sum : 0;
}
