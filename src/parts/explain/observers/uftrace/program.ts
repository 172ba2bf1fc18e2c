import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, delimiter, resolve } from 'node:path';
import type { Limitation } from '../../../../contracts/observation.ts';
import type { TracedCommand } from '../observer.ts';

/** Bytes at the start of a file that must contain a program's headers or a script's first line. */
const HEAD_BYTES = 4096;
const LONGEST_PATH = 4096;
const MAX_HEADERS = 128;
/** Maximum depth of scripts that are interpreted by scripts. */
const MAX_SCRIPTS = 4;
/** Type of the program header that names the loader (elf(5)). */
const PT_INTERP = 3;

/** What starts a program: the loader of its C library, a script's interpreter, or nothing. */
type StartedBy =
  | { readonly kind: 'loader'; readonly path: string }
  | { readonly kind: 'script'; readonly path: string }
  | { readonly kind: 'static' };

/**
 * Why uftrace can't trace a command's first program: it is loaded into programs, so the program's loader must be that of uftrace's own
 * C library, on the same kind of processor. Null: it can, or it is unknown (programs that a shell starts later may differ).
 */
export function limitationOfProgram(
  { command, directory, path }: TracedCommand,
  tracer = 'uftrace',
): Limitation | null {
  if (command === null) return null;
  const find = (name: string) => findProgram(name, directory, path);
  const name = typeof command === 'string' ? firstWord(command) : (command[0] ?? null);
  const program = name === null ? null : find(name);
  const own = find(tracer);
  if (program === null || own === null) return null;
  const [starts, needed] = [findLoader(program), findLoader(own)];
  if (starts?.kind === 'static') return 'static';
  // uftrace without a loader is not a packaged one.
  if (starts?.kind !== 'loader' || needed?.kind !== 'loader') return null;
  return basename(starts.path) === basename(needed.path) ? null : 'not-glibc';
}

/** The program of a command line with only a program and arguments; null: it needs a shell's parser. */
const firstWord = (line: string): string | null =>
  /[;&|<>()`$=\n]/.test(line) ? null : (/^\s*([\w.+/-]+)(?=\s|$)/.exec(line)?.[1] ?? null);

function findProgram(name: string, directory: string, path: string): string | null {
  const candidates = name.includes('/')
    ? [resolve(directory, name)]
    : path.split(delimiter).map((folder) => resolve(directory, folder, name));
  return candidates.find((one) => statSync(one, { throwIfNoEntry: false })?.isFile() === true) ?? null;
}

function findLoader(program: string): StartedBy | null {
  let at = program;
  for (let i = 0; i < MAX_SCRIPTS; i++) {
    const by = startedBy(at);
    if (by?.kind !== 'script') return by;
    at = by.path;
  }
  return null;
}

/** Null: it is not a readable program. */
export function startedBy(path: string): StartedBy | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const head = readAt(file, 0, HEAD_BYTES);
    const [, script] = /^#![ \t]*(\/\S+)/.exec(head.toString('latin1', 0, 512)) ?? [];
    if (script !== undefined) return { kind: 'script', path: script };
    return head.subarray(0, 4).equals(ELF) ? startedByElf(file, head) : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

const ELF = Buffer.from('\x7fELF', 'latin1');

/** Reads the program's headers, as elf(5) describes them. Throws RangeError where they are not in the file's head. */
function startedByElf(file: number, head: Buffer): StartedBy | null {
  const [is64, isLittle] = [head[4] === 2, head[5] === 1];
  const half = (at: number) => (isLittle ? head.readUInt16LE(at) : head.readUInt16BE(at));
  const word = (at: number) => (isLittle ? head.readUInt32LE(at) : head.readUInt32BE(at));
  const long = (at: number) => {
    if (!is64) return word(at);
    return Number(isLittle ? head.readBigUInt64LE(at) : head.readBigUInt64BE(at));
  };
  const [first, size, count] = is64 ? [long(32), half(54), half(56)] : [long(28), half(42), half(44)];
  if (count > MAX_HEADERS) return null;
  for (let i = 0; i < count; i++) {
    const at = first + i * size;
    if (word(at) !== PT_INTERP) continue;
    const [offset, length] = is64 ? [long(at + 8), long(at + 32)] : [long(at + 4), long(at + 16)];
    if (length > LONGEST_PATH) return null;
    return { kind: 'loader', path: readAt(file, offset, length).toString('latin1').replace(/\0.*$/s, '') };
  }
  return { kind: 'static' };
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}
