import type { Usage } from '../executor.ts';
import { MemoryGroup } from './memory-group.ts';
import { type ChildrenUsage, readChildrenUsage } from './own-children.ts';

const NO_IO = 'Bytes read and written could not be read: this kernel keeps no account of them (/proc/self/io).';

/** Takes account of what a native workload uses: made before its window, ended right after it. */
export class NativeUsage {
  readonly memory: MemoryGroup;
  readonly #before: ChildrenUsage;

  constructor(runId: number) {
    this.memory = new MemoryGroup(`${process.pid}-${runId}`);
    this.#before = readChildrenUsage();
  }

  end(): Usage {
    const after = readChildrenUsage();
    const { peakBytes, problem } = this.memory.end();
    const difference = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : b - a);
    const readBytes = difference(this.#before.readBytes, after.readBytes);
    return {
      cpuS: Math.round(100 * (after.cpuS - this.#before.cpuS)) / 100,
      peakMemoryBytes: peakBytes,
      readBytes,
      writtenBytes: difference(this.#before.writtenBytes, after.writtenBytes),
      unread: [problem, readBytes === null ? NO_IO : null].filter((sentence) => sentence !== null),
    };
  }
}
