import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { getErrorCode, MeasureError, systemMessage } from '../errors.ts';
import { digesting, digestOf, digestOfFile, forgetMade, noteMade } from './made-files.ts';
import { makeFolder } from './make-folder.ts';
import { replaceFile } from './replace-file.ts';
import { removeAbandoned, temporaryFor } from './temporary.ts';

/**
 * A folder for results, held open: files written through it end up in it even if its path is replaced meanwhile, and no
 * link in it is followed. So a workload or container that can write to its parent can't redirect a file.
 */
export class ResultFolder implements Disposable {
  readonly path: string;
  readonly #file: number;

  private constructor(path: string, file: number) {
    this.path = path;
    this.#file = file;
  }

  /** Opens or creates the folder, and removes half-written files in it. Throws the system's error; ELOOP or ENOTDIR for a link or a file. */
  static open(path: string): ResultFolder {
    makeFolder(path);
    return ResultFolder.#at(path, path);
  }

  static #at(path: string, shown: string): ResultFolder {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    const folder = new ResultFolder(shown, openSync(path, flags));
    removeAbandoned(folder.#inside('.'));
    return folder;
  }

  /** Path through the descriptor of the open folder, like openat(2). */
  #inside(name: string): string {
    return `/proc/self/fd/${this.#file}/${name}`;
  }

  /** A subfolder, created if it is missing; a link in its place is removed. Throws if a file is there. */
  folder(name: string): ResultFolder {
    const path = this.#inside(name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(path);
    makeFolder(path);
    return ResultFolder.#at(path, join(this.path, name));
  }

  /** Writes a file as `replaceFile` does. Throws MeasureError where the disk does not take it; then the file is as it was. */
  async replace(name: string, content: string | Uint8Array | Iterable<string | Uint8Array>): Promise<void> {
    const shown = join(this.path, name);
    const isWhole = typeof content === 'string' || content instanceof Uint8Array;
    let digest = isWhole ? digestOf(content) : '';
    try {
      this.#clear(name);
      forgetMade(shown);
      await replaceFile(this.#inside(name), isWhole ? content : digesting(content, (found) => (digest = found)));
      noteMade(shown, digest);
    } catch (cause) {
      if (getErrorCode(cause) === '') throw cause;
      throw new MeasureError(`${shown} can't be written: ${systemMessage(cause)}.`, {
        advice: 'Make sure that the disk has room and is writable.',
        cause,
      });
    }
  }

  /** Moves a file here, also from another file system: whole or not at all. Throws the file system's error; the file then stays where it was. */
  take(from: string, name: string): void {
    // The digest is taken before the file leaves its private folder.
    noteMade(join(this.path, name), digestOfFile(from));
    this.#clear(name);
    const path = this.#inside(name);
    try {
      renameSync(from, path);
      return;
    } catch (cause) {
      if (getErrorCode(cause) !== 'EXDEV') throw cause;
    }
    const temporary = temporaryFor(path);
    try {
      copyFileSync(from, temporary, constants.COPYFILE_EXCL);
      const copy = openSync(temporary, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        fsyncSync(copy);
      } finally {
        closeSync(copy);
      }
      renameSync(temporary, path);
    } catch (cause) {
      rmSync(temporary, { force: true });
      throw cause;
    }
    unlinkSync(from);
  }

  /** Tests writing by creating and removing a file. Throws the file system's error. */
  tryOut(): void {
    const path = temporaryFor(this.#inside(''));
    writeFileSync(path, '', { flag: 'wx' });
    unlinkSync(path);
  }

  /** Removes a file or link, if there is one. A folder of that name is no result, and stays. */
  remove(name: string): void {
    if (lstatSync(this.#inside(name), { throwIfNoEntry: false })?.isDirectory()) return;
    forgetMade(join(this.path, name));
    rmSync(this.#inside(name), { force: true });
  }

  /** Removes a folder if it is empty. */
  removeEmpty(name: string): void {
    if (readdirSync(this.#inside(name)).length === 0) rmdirSync(this.#inside(name));
  }

  names(): string[] {
    return readdirSync(this.#inside('.'));
  }

  /** Renames a folder that is in the place of a file: it may be somebody's work. */
  #clear(name: string): void {
    const path = this.#inside(name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) renameSync(path, freeName(path));
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

/** The first of `path.1`, `path.2`, … that does not exist. */
export function freeName(path: string): string {
  for (let number = 1; ; number++) {
    const name = `${path}.${number}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}
