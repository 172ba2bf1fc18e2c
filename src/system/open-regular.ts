import { appendFileSync, closeSync, constants, fstatSync, lstatSync, openSync, readSync, rmSync } from 'node:fs';
import { MeasureError } from '../errors.ts';

const FLAGS = {
  read: constants.O_RDONLY,
  change: constants.O_RDWR,
  append: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT,
} as const;

/** Device number of /dev/null (1:3), which is accepted: it never blocks. */
const NULL_DEVICE = 0x103;

/**
 * Opens a regular file at a path where somebody else may have put something different. Links, and pipes and devices, which could block for ever,
 * are an error at once. Throws the system's error, or MeasureError.
 */
export function openRegular(path: string, how: keyof typeof FLAGS): number {
  // A file in memory has only this name, which is a link.
  const follow = path.startsWith('/proc/self/fd/') ? 0 : constants.O_NOFOLLOW;
  const file = openSync(path, FLAGS[how] | follow | constants.O_NONBLOCK, 0o666);
  const found = fstatSync(file);
  if (found.isFile() || (found.isCharacterDevice() && found.rdev === NULL_DEVICE)) return file;
  closeSync(file);
  throw new MeasureError(`${path} is no regular file: something else was put in its place while it was written.`, {
    advice: 'A workload that runs as the same user can do that. Look at it, or give it a user of its own.',
  });
}

/** Removes a pipe, socket, link or folder in the place of a new file. Files are kept, and so are devices, which belong to the system. */
export function clearPlace(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isCharacterDevice() || found.isBlockDevice()) return;
  rmSync(path, { recursive: true, force: true });
}

/** Appends to a file, which is created if it is missing. Throws as `openRegular`. */
export function appendRegular(path: string, text: string | Uint8Array): void {
  const file = openRegular(path, 'append');
  try {
    appendFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** The beginning of a text file, at most so many bytes. Throws as `openRegular`. */
export function readHead(path: string, mostBytes: number): string {
  const file = openRegular(path, 'read');
  try {
    const head = Buffer.alloc(Math.min(fstatSync(file).size, mostBytes));
    return head.toString('utf8', 0, readSync(file, head, 0, head.length, 0));
  } finally {
    closeSync(file);
  }
}
