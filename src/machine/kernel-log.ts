import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { MachineFiles } from './files.ts';

/** Size of a buffer that holds any record of the kernel's log (printk's own limit). */
const RECORD_BYTES = 8192;

export interface KernelMessage {
  /** Level of syslog: 3 is an error, 4 a warning, 6 information; lower is worse. */
  readonly level: number;
  readonly text: string;
}

/** The kernel's log (/dev/kmsg), read without waiting. */
export class KernelLog implements Disposable {
  readonly #log: number | null;

  constructor(files: MachineFiles) {
    this.#log = open(files.path('dev/kmsg'));
  }

  /** Messages since the last call, at first all that the kernel still has; null: this user may not read them. */
  newMessages(): KernelMessage[] | null {
    if (this.#log === null) return null;
    return kernelMessages(recordsOf(this.#log));
  }

  [Symbol.dispose](): void {
    if (this.#log !== null) closeSync(this.#log);
  }
}

/** Parses records of /dev/kmsg. */
export const kernelMessages = (records: Iterable<string>): KernelMessage[] =>
  [...records].flatMap((record) => messageIn(record) ?? []);

/** `6,1234,567890,-;text`: the level is in the lowest three bits of the first number. */
function messageIn(record: string): KernelMessage | null {
  const found = /^(\d+),\d+,\d+,[^;]*;(.*)$/.exec(record);
  if (found === null) return null;
  const [, priority, text = ''] = found;
  return { level: Number(priority) & 7, text };
}

function open(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** All waiting records: each read gives one, and fails when there is none left. */
function* recordsOf(log: number): Generator<string> {
  const record = Buffer.alloc(RECORD_BYTES);
  for (;;) {
    try {
      const length = readSync(log, record);
      if (length === 0) return;
      yield* record.toString('utf8', 0, length).split('\n');
    } catch (cause) {
      // EPIPE: records were overwritten before they were read; the next read gives the oldest that is left.
      if ((cause as NodeJS.ErrnoException).code === 'EPIPE') continue;
      return;
    }
  }
}
