import { appendFileSync, closeSync, constants, fstatSync, lstatSync, openSync, readSync, rmSync } from 'node:fs';
import { MeasureError } from '../errors.ts';

const FLAGS = {
  read: constants.O_RDONLY,
  change: constants.O_RDWR,
  append: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT,
} as const;

/** /dev/null, 1:3: it takes all and gives nothing, and nobody waits for it. */
const NULL_DEVICE = 0x103;

/**
 * Opens a file that somebody else may have put something into the place of. A pipe or a device, which would be waited for without end, and a link are
 * an error at once. Throws what the system says, or MeasureError.
 */
export function openRegular(path: string, how: keyof typeof FLAGS): number {
  // A file in memory has such a link for a name, and no other.
  const follow = path.startsWith('/proc/self/fd/') ? 0 : constants.O_NOFOLLOW;
  const file = openSync(path, FLAGS[how] | follow | constants.O_NONBLOCK, 0o666);
  const found = fstatSync(file);
  if (found.isFile() || (found.isCharacterDevice() && found.rdev === NULL_DEVICE)) return file;
  closeSync(file);
  throw new MeasureError(`${path} is no regular file: something else was put in its place while it was written.`, {
    advice: 'A workload that runs as the same user can do that. Look at it, or give it a user of its own.',
  });
}

/** Makes room for a new file: a pipe, a socket, a link or a folder in its place is removed. A device is the system's, and stays. */
export function clearPlace(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isCharacterDevice() || found.isBlockDevice()) return;
  rmSync(path, { recursive: true, force: true });
}

/** Adds to the end of a file, which is made where it is missing. Throws as `openRegular`. */
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
