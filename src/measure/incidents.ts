import { closeSync, constants, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { RunIncidents } from '../store/records.ts';

/** A record of the kernel's log is shorter than this (printk's own limit). */
const RECORD_BYTES = 8192;
/** Messages of warnings and worse (syslog's levels), and of what tells of heat at any level. */
const WARNING = 4;
const TELLING = /throttl|temperature above|out of memory/i;
const MOST_MESSAGES = 20;
const MOST_CHARACTERS = 300;

/**
 * What happens to the machine while a run is measured: how often its processors were throttled, and what the kernel said. Looked at before the
 * guards and after them, never between. What can't be read (in a virtual machine, without rights) is null.
 */
export class IncidentWatch implements Disposable {
  readonly #counters: readonly string[];
  readonly #log: number | null;
  #throttled: number | null = null;

  /** `root` is another place of /sys and /dev, for tests. */
  constructor(root = '/') {
    const cpus = join(root, 'sys/devices/system/cpu');
    const folders = namesIn(cpus, /^cpu\d+$/).map((cpu) => join(cpus, cpu, 'thermal_throttle'));
    this.#counters = folders.flatMap((folder) =>
      namesIn(folder, /^(core|package)_throttle_count$/).map((name) => join(folder, name)),
    );
    this.#log = openLog(join(root, 'dev/kmsg'));
    this.#newMessages();
  }

  /** A run begins. */
  begin(): void {
    this.#throttled = this.#count();
    this.#newMessages();
  }

  /** A run has ended: what there was since `begin`. */
  end(): RunIncidents {
    const now = this.#count();
    const throttled = now === null || this.#throttled === null ? null : Math.max(0, now - this.#throttled);
    return { throttled, kernelMessages: this.#newMessages() };
  }

  [Symbol.dispose](): void {
    if (this.#log !== null) closeSync(this.#log);
  }

  /** Counters of all processors; they count for as long as the machine is up. */
  #count(): number | null {
    if (this.#counters.length === 0) return null;
    try {
      return this.#counters.reduce((sum, path) => sum + Number(readFileSync(path, 'latin1')), 0);
    } catch {
      return null;
    }
  }

  /** Those that came since the last time. */
  #newMessages(): string[] | null {
    if (this.#log === null) return null;
    const messages: string[] = [];
    for (const record of recordsOf(this.#log)) {
      const message = messageIn(record);
      if (message !== null && messages.length < MOST_MESSAGES) messages.push(message);
    }
    return messages;
  }
}

/** `6,1234,567890,-;text`: the level is in the lowest three bits of the first number. */
function messageIn(record: string): string | null {
  const found = /^(\d+),\d+,\d+,[^;]*;(.*)$/.exec(record);
  if (found === null) return null;
  const [, priority, text = ''] = found;
  return (Number(priority) & 7) <= WARNING || TELLING.test(text) ? text.slice(0, MOST_CHARACTERS) : null;
}

function openLog(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** One read gives one record, and an error where there is no further one. */
function* recordsOf(log: number): Generator<string> {
  const record = Buffer.alloc(RECORD_BYTES);
  for (;;) {
    try {
      const length = readSync(log, record);
      if (length === 0) return;
      yield* record.toString('utf8', 0, length).split('\n');
    } catch (cause) {
      // Some were overwritten before they were read; the next one is there.
      if ((cause as NodeJS.ErrnoException).code === 'EPIPE') continue;
      return;
    }
  }
}

function namesIn(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => pattern.test(name));
  } catch {
    return [];
  }
}
