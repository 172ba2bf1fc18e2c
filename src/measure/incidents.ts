import { MachineFiles } from '../machine/files.ts';
import { KernelLog } from '../machine/kernel-log.ts';
import { throttleCounters, timesThrottled } from '../machine/processors.ts';
import type { RunIncidents } from '../store/records.ts';

/**
 * Level up to which kernel messages are kept (syslog: warnings and worse). Those on heat or memory are kept at any level, and never the advice against
 * an interface: with control groups of version 1, the first container after a boot causes one.
 */
const WARNING = 4;
const TELLING = /throttl|temperature above|out of memory/i;
const ADVICE = /is deprecated/;
const MAX_MESSAGES = 20;
const MAX_CHARACTERS = 300;

/**
 * Watches what happens to the machine while a run is measured: how often its processors were throttled, and what the kernel said. It reads before and
 * after the guards, never between. What can't be read (in a virtual machine, without rights) is null.
 */
export class IncidentWatch implements Disposable {
  readonly #files: MachineFiles;
  readonly #counters: readonly string[];
  readonly #log: KernelLog;
  #throttled: number | null = null;

  /** `root` is another place of /sys and /dev, for tests. */
  constructor(root = '/') {
    this.#files = new MachineFiles(root);
    this.#counters = throttleCounters(this.#files);
    this.#log = new KernelLog(this.#files);
    this.#newMessages();
  }

  /** A run begins. */
  begin(): void {
    this.#throttled = timesThrottled(this.#files, this.#counters);
    this.#newMessages();
  }

  /** A run has ended: gives what happened since `begin`. */
  end(): RunIncidents {
    const now = timesThrottled(this.#files, this.#counters);
    const throttled = now === null || this.#throttled === null ? null : Math.max(0, now - this.#throttled);
    return { throttled, kernelMessages: this.#newMessages() };
  }

  [Symbol.dispose](): void {
    this.#log[Symbol.dispose]();
  }

  #newMessages(): string[] | null {
    const telling = this.#log
      .newMessages()
      ?.filter(({ level, text }) => TELLING.test(text) || (level <= WARNING && !ADVICE.test(text)));
    return telling?.slice(0, MAX_MESSAGES).map(({ text }) => text.slice(0, MAX_CHARACTERS)) ?? null;
  }
}
