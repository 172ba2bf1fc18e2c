import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError, messageOf } from '../errors.ts';
import { MOST, readFindings } from '../findings/read-findings.ts';
import type { Result } from '../report/gathered/result.ts';

const FILE = 'findings.json';

/** Reads files of findings, or the findings.json of folders; each is called by its folder, or by its own name where that tells more. Throws InputError. */
export function readFindingsFiles(paths: readonly string[]): Result[] {
  return paths.map((given) => {
    const path = isFolder(given) ? join(given, FILE) : given;
    const name = basename(path) === FILE ? basename(dirname(resolve(path))) : basename(path);
    const bytes = read(path);
    try {
      return { name, findings: readFindings(bytes) };
    } catch (cause) {
      const advice = cause instanceof InputError ? cause.advice : null;
      throw new InputError(`${path}: ${messageOf(cause)}`, { advice, cause });
    }
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function read(path: string): Buffer {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new InputError(`There is no file ${path}.`);
  // A pipe or a device could keep us waiting for ever.
  if (!stats.isFile()) throw new InputError(`${path} is not a file.`);
  if (stats.size > MOST.bytes)
    throw new InputError(`${path} has ${stats.size} bytes; findings have ${MOST.bytes} at most.`);
  return readFileSync(path);
}
