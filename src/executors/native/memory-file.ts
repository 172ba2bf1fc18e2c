import { randomUUID } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  openSync,
  readlinkSync,
  statfsSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openRegular } from '../../system/open-regular.ts';
import { MAX_IN_MEMORY_BYTES } from '../output-limit.ts';

const FOLDER = '/dev/shm';
/** Type of a tmpfs (TMPFS_MAGIC of the kernel). */
const TMPFS = 0x01021994;
/** Memory that must be free: as much as a flood may print before it is cut. */
const MIN_FREE_BYTES = 256 * 2 ** 20;

/**
 * A file that is in memory alone, and has no name: what a workload prints into it reaches no disk while it runs, and nothing of it is left
 * when this process ends, however it does. `path` leads to it as long as it is open, for this process.
 */
export class MemoryFile {
  readonly #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Makes a file; null: there is no file system in memory here, or no room in it. */
  static make(folder = FOLDER): MemoryFile | null {
    try {
      const { type, bavail, bsize } = statfsSync(folder);
      if (type !== TMPFS || bavail * bsize < MIN_FREE_BYTES) return null;
      const path = join(folder, `joulediff-${randomUUID()}`);
      const descriptor = openSync(path, 'ax+', 0o600);
      unlinkSync(path);
      return new MemoryFile(descriptor);
    } catch {
      return null;
    }
  }

  get path(): string {
    return `/proc/self/fd/${this.#descriptor}`;
  }

  /** Target of the links to it in /proc, for any process that has it open. */
  get name(): string {
    return readlinkSync(this.path);
  }

  /** Appends its content to another file, within the limit of output, and closes it. */
  async moveTo(logFile: string): Promise<void> {
    try {
      const to = openRegular(logFile, 'append');
      const from = createReadStream(this.path, { end: MAX_IN_MEMORY_BYTES - 1 });
      await pipeline(from, createWriteStream(logFile, { fd: to }));
    } finally {
      this.close();
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
