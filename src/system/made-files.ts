import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';

/** SHA-256 of every file that this process wrote into a result folder, by path: files are compared with it before they are published. */
const made = new Map<string, string>();

const PART_BYTES = 2 ** 20;

export const noteMade = (path: string, digest: string): void => void made.set(resolve(path), digest);
export const forgetMade = (path: string): void => void made.delete(resolve(path));

/** SHA-256 of a file that this process made; null: it made no such file. */
export const madeDigest = (path: string): string | null => made.get(resolve(path)) ?? null;

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Passes the parts through, and calls `tell` with their SHA-256 after the last one. */
export function* digesting<Part extends string | Uint8Array>(
  parts: Iterable<Part>,
  tell: (digest: string) => void,
): Generator<Part> {
  const hash = createHash('sha256');
  for (const part of parts) {
    hash.update(part);
    yield part;
  }
  tell(hash.digest('hex'));
}

/** SHA-256 of a file, hexadecimal. Throws the file system's error. */
export function digestOfFile(path: string): string {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    const part = Buffer.alloc(PART_BYTES);
    for (let length = readSync(file, part); length > 0; length = readSync(file, part)) {
      hash.update(part.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}
