import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { openRegular } from '../system/open-regular.ts';

const TAIL_CHARACTERS = 4000;

/**
 * The end of what a command wrote to its log file, at most 4,000 characters.
 *
 * @param from byte of the file where the command's own output begins
 */
export function readTail(logFile: string, from: number): string {
  const file = openRegular(logFile, 'read');
  try {
    const size = fstatSync(file).size;
    // A character takes up to 4 bytes of UTF-8.
    const start = Math.max(from, size - 4 * TAIL_CHARACTERS);
    const text = readEnd(file, size, Math.max(0, size - start)).toString('utf8');
    // The first character may be cut, and decoded as U+FFFD.
    const whole = start > from ? text.replace(/^\uFFFD+/, '') : text;
    return whole.slice(-TAIL_CHARACTERS);
  } finally {
    closeSync(file);
  }
}

/** The last bytes of an open file. `size` may be inexact, if it is beyond 2^53. */
export function readEnd(file: number, size: number, bytes: number): Buffer<ArrayBuffer> {
  const end = Buffer.alloc(Math.min(size, bytes));
  return end.subarray(0, readSync(file, end, 0, end.length, BigInt(size - end.length))) as Buffer<ArrayBuffer>;
}

/** Size of a log file in bytes; 0 when it isn't there yet. */
export function sizeOf(logFile: string): number {
  return statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
}

/** The last lines of an output as a paragraph of an error message; empty when there was no output. */
export function quoteTail(tail: string, lines = 12): string {
  const last = tail.trimEnd().split('\n').slice(-lines);
  return last.join('').trim() === '' ? '' : `\nIts last output:\n${last.map((line) => `  ${line}`).join('\n')}`;
}
