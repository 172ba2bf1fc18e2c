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
import { codeOf, MeasureError, systemMessage } from '../errors.ts';
import { digesting, digestOf, digestOfFile, forgetMade, noteMade } from './made-files.ts';
import { makeFolder } from './make-folder.ts';
import { replaceFile } from './replace-file.ts';
import { removeAbandoned, temporaryFor } from './temporary.ts';

/**
 * A folder that results are written to, held open: what is written through it lands in it, whatever is laid in its place meanwhile, and no
 * link in it is followed. Whoever could write there before (a workload, a container that it was mounted in) can't lead a file elsewhere.
 */
export class ResultFolder implements Disposable {
  readonly path: string;
  readonly #file: number;

  private constructor(path: string, file: number) {
    this.path = path;
    this.#file = file;
  }

  /** Makes it where it is missing, and removes what a killed process was writing there. Throws what the file system says, ELOOP or ENOTDIR where there is a link or a file. */
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

  /** A path through the open folder itself, as openat(2) has it. */
  #inside(name: string): string {
    return `/proc/self/fd/${this.#file}/${name}`;
  }

  /** A folder in it, made where it is missing; a link in its place goes. Throws where there is a file. */
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
      if (codeOf(cause) === '') throw cause;
      throw new MeasureError(`${shown} can't be written: ${systemMessage(cause)}.`, {
        advice: 'Make sure that the disk has room and is writable.',
        cause,
      });
    }
  }

  /** Moves a file to here, from another file system too: whole or not at all. Throws what the file system says; then it is still where it was. */
  take(from: string, name: string): void {
    // Before it leaves the private folder that it comes from.
    noteMade(join(this.path, name), digestOfFile(from));
    this.#clear(name);
    const path = this.#inside(name);
    try {
      renameSync(from, path);
      return;
    } catch (cause) {
      if (codeOf(cause) !== 'EXDEV') throw cause;
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

  /** Makes a file and removes it. Throws what the file system says where that can't be done. */
  tryOut(): void {
    const path = temporaryFor(this.#inside(''));
    writeFileSync(path, '', { flag: 'wx' });
    unlinkSync(path);
  }

  /** A file, or a link, that is there no more; none is no error. A folder of that name is nobody's result, and stays. */
  remove(name: string): void {
    if (lstatSync(this.#inside(name), { throwIfNoEntry: false })?.isDirectory()) return;
    forgetMade(join(this.path, name));
    rmSync(this.#inside(name), { force: true });
  }

  /** Removes a folder that nothing is in; any other stays. */
  removeEmpty(name: string): void {
    if (readdirSync(this.#inside(name)).length === 0) rmdirSync(this.#inside(name));
  }

  names(): string[] {
    return readdirSync(this.#inside('.'));
  }

  /** A folder where a file belongs is nobody's result; it may be somebody's work, and stays under another name. */
  #clear(name: string): void {
    const path = this.#inside(name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) renameSync(path, freeName(path));
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

/** The first of `path.1`, `path.2`, … that is not there. */
export function freeName(path: string): string {
  for (let number = 1; ; number++) {
    const name = `${path}.${number}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}
