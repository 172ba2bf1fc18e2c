import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from '../../executors/limits.ts';
import { watchLimits } from '../../executors/native/limit-watch.ts';
import { RunGroup } from '../../executors/native/run-group.ts';

/** What no program needs that reads a meter; few enough that nothing else is harmed. */
export const PROGRAM_LIMITS: Limits = { pids: 1024, memoryBytes: 2 ** 30 };

const GONE_MS = 5000;
const PAUSE_MS = 10;
let made = 0;

/**
 * Holds one program to limits: by a control group that it is born in, where one can be made, which also knows what hides; else its memory, as that of its
 * children, is looked at once a second.
 */
export class ProgramLimits {
  readonly #limits: Limits;
  readonly #group: RunGroup;
  #endWatch = () => {};
  #isBeyond = false;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#group = new RunGroup(`meter-${++made}`, limits);
  }

  /** What `start` starts is born under the limits. `onReached` is called where nothing but the looking can end it. */
  born<T extends { readonly pid?: number | undefined }>(start: () => T, onReached: () => void): T {
    this.#group.enter();
    try {
      const child = start();
      const { pid } = child;
      if (pid !== undefined && !this.#group.entered) {
        const { memoryBytes } = this.#limits;
        this.#endWatch = watchLimits({
          limits: { pids: null, memoryBytes },
          processes: () => descendants(pid),
          onReached: () => {
            this.#isBeyond = true;
            onReached();
          },
        });
      }
      return child;
    } finally {
      this.#group.leave();
    }
  }

  /** Why it could not go on, as a sentence; null: no limit was met, as far as is known. */
  reached(): string | null {
    const limit = this.#isBeyond ? 'memory' : this.#group.reached();
    if (limit === null) return null;
    const { pids, memoryBytes } = this.#limits;
    return limit === 'memory'
      ? `It needed more memory than the program of a meter may have (${Math.round((memoryBytes ?? 0) / 2 ** 20)} MiB).`
      : `It needed more processes than the program of a meter may have (${pids}).`;
  }

  /** Ends what is left of it, however it hides. */
  async end(): Promise<void> {
    this.#endWatch();
    this.#group.seal();
    for (const deadline = Date.now() + GONE_MS; ; ) {
      for (const pid of this.#group.members()) kill(pid);
      this.#group.remove();
      if (this.#group.isRemoved || Date.now() > deadline) return;
      await sleep(PAUSE_MS);
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** A process and all that it started, but for what was left by its parent. */
function descendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    return [pid, ...children.flatMap((child) => descendants(Number(child)))];
  } catch {
    return [pid];
  }
}
