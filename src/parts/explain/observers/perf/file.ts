import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ObserverError, type Tool } from '../tool.ts';

/** Of what is free on its disk, since several write at the same time, and the workload may, too. */
const MAX_OF_FREE = 0.1;
const MIN_MB = 8;
const MB = 2 ** 20;

/** What perf writes of one run into a file, which may have no more than there is room for. */
export class PerfFile {
  readonly path: string;
  readonly #mb: number;

  /** Throws ObserverError where the disk is nearly full. `freeBytes`: others for tests. */
  constructor(path: string, mostMb: number, freeBytes = freeAt(dirname(path))) {
    this.path = path;
    this.#mb = Math.min(mostMb, Math.floor((MAX_OF_FREE * freeBytes) / MB));
    if (this.#mb < MIN_MB) throw new ObserverError('no-room');
  }

  /** perf ends by itself where the file has all that it may have. */
  get words(): readonly string[] {
    return ['-o', this.path, '--max-size', `${this.#mb}M`];
  }

  /** Why perf is there no more before its time. */
  lost(tool: Tool): ObserverError {
    const size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    return size > 0.9 * this.#mb * MB ? new ObserverError('overrun') : tool.lost();
  }
}

function freeAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
