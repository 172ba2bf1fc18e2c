import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InputError, messageOf } from '../errors.ts';

const LARGEST_BYTES = 256 * 1024;

/** The text of an experiment file. Throws InputError: not there, not a file, not allowed, too large, not UTF-8. */
export async function readText(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => refuse(path, error));
  if (found.isDirectory()) {
    throw new InputError(`${path} is a folder; an experiment file was expected`, {
      advice: `Give the file in it, such as ${join(path, 'joulediff.yml')}.`,
    });
  }
  // A pipe or a device could keep us waiting for ever.
  if (!found.isFile()) throw new InputError(`${path} is not a regular file; an experiment file was expected`);
  if (found.size > LARGEST_BYTES)
    throw new InputError(`${path} has ${found.size} bytes; an experiment file has ${LARGEST_BYTES} at most`);
  const content = await readFile(path).catch((error: unknown) => refuse(path, error));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    throw new InputError(`${path} is not UTF-8 text`, { advice: 'Save it as UTF-8.', cause: error });
  }
}

function refuse(path: string, error: unknown): never {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    throw new InputError(`${path}: there is no such file`, {
      advice: `Give the path of an experiment file, or write one in ${dirname(resolve(path))}.`,
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EPERM')
    throw new InputError(`${path} cannot be read: permission denied`, { cause: error });
  throw new InputError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
}
