import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ObserverError, type Tool } from '../tool.ts';

/** Maximum share of the free disk space: several observers and the workload may write at the same time. */
const MAX_OF_FREE = 0.1;
const MIN_MB = 8;
const MB = 2 ** 20;

/** perf's output file for one run, with a size limit. */
export class PerfFile {
  readonly path: string;
  readonly #mb: number;

  /** Throws ObserverError if the disk is nearly full. `freeBytes`: other value for tests. */
  constructor(path: string, mostMb: number, freeBytes = freeAt(dirname(path))) {
    this.path = path;
    this.#mb = Math.min(mostMb, Math.floor((MAX_OF_FREE * freeBytes) / MB));
    if (this.#mb < MIN_MB) throw new ObserverError('no-room');
  }

  /** perf arguments for ending when the file reaches its limit. */
  get words(): readonly string[] {
    return ['-o', this.path, '--max-size', `${this.#mb}M`];
  }

  /** Error for a premature end of perf. */
  lost(tool: Tool): ObserverError {
    const size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    return size > 0.9 * this.#mb * MB ? new ObserverError('overrun') : tool.lost();
  }
}

function freeAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
