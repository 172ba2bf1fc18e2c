import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limit } from '../contracts/execution.ts';
import { HELPER_LIMITS, limitSentence } from './helper-limits.ts';
import { endAtOnce, findProcesses, signalProcess } from './left-processes.ts';
import { watchLimits } from './limit-watch.ts';
import type { Limits } from './limits.ts';
import { ownerToken, withOwner } from './owner.ts';
import { RunGroup } from './run-group.ts';
import { underLimitOfUser } from './user-limit.ts';

const GONE_MS = 5000;
const PAUSE_MS = 10;
const MARK = 'JOULEDIFF_HELPER';
let made = 0;

/**
 * Limits one program that helps joulediff and is no workload: by a control group that it is born in, which also knows processes that hide; without a
 * group, its memory and processes are polled once a second. No helper is started in a window: to enter a group takes milliseconds.
 */
export class Helper {
  readonly #who: string;
  readonly #limits: Limits;
  readonly #group: RunGroup | null;
  readonly #name = `helper-${++made}`;
  #endWatch = () => {};
  /** Limit that a poll found exceeded. */
  #beyond: Limit | null = null;

  /**
   * `who`: its name in messages, such as `the program of a meter`. `inGroup` false: what it starts is to outlive joulediff, even a killed one, whose
   * groups the next start empties.
   */
  constructor(who: string, limits = HELPER_LIMITS, inGroup = true) {
    this.#who = who;
    this.#limits = limits;
    this.#group = inGroup ? new RunGroup(this.#name, limits) : null;
  }

  /** Adds the mark by which its processes are found without a group, and ended after a kill. Not for programs that start things that stay. */
  marked(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return { ...withOwner(env), [MARK]: this.#name };
  }

  /** Starts a process that is born under the limits. `onReached` is called where a poll, and not the kernel, has to end it. */
  born<T extends { readonly pid?: number | undefined }>(start: () => T, onReached: (child: T) => void): T {
    this.#group?.enter();
    // Between two polls, RLIMIT_NPROC limits what failed to get a group. It does not limit an engine: its containers are not its own processes.
    const isHeld = this.#group === null || this.#group.entered;
    try {
      const child = isHeld ? start() : underLimitOfUser(process.getuid?.() ?? 0, start);
      const { pid } = child;
      if (pid !== undefined && !this.#group?.entered) {
        this.#endWatch = watchLimits({
          limits: this.#limits,
          processes: () => descendants(pid),
          onReached: (limit) => {
            this.#beyond = limit;
            endAtOnce(() => descendants(pid));
            onReached(child);
          },
        });
      }
      return child;
    } finally {
      this.#group?.leave();
    }
  }

  /** Sentence on the limit that it met; null: none, as far as is known. To be called before `end`. */
  reached(): string | null {
    return limitSentence(this.#who, this.#limits, this.#beyond ?? this.#group?.reached() ?? null);
  }

  /** Ends all that is left of the program, however it hides. Never throws. */
  end(): Promise<void> {
    this.#group?.seal();
    return this.#leave(() => {
      for (const pid of this.#group?.members() ?? []) {
        // This process is in the group, too, where the kernel did not let it out again.
        if (pid !== process.pid) signalProcess(pid, 'SIGKILL');
      }
      if (this.#group !== null && !this.#group.entered) endAtOnce(() => markedWith(this.#name));
    });
  }

  /** Lets the program's remaining processes go on outside of the group: one may be the other end of a connection, and end by itself. Never throws. */
  release(): Promise<void> {
    return this.#leave(() => this.#group?.release());
  }

  async #leave(empty: () => void): Promise<void> {
    this.#endWatch();
    for (const deadline = Date.now() + GONE_MS; ; ) {
      empty();
      this.#group?.remove();
      if ((this.#group?.isRemoved ?? true) || Date.now() > deadline) return;
      await sleep(PAUSE_MS);
    }
  }
}

/** A process and its descendants, except those whose parent has ended. */
function descendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    return [pid, ...children.flatMap((child) => descendants(Number(child)))];
  } catch {
    return [pid];
  }
}

function markedWith(name: string): number[] {
  const owner = ownerToken();
  return findProcesses(({ variable }) => variable(MARK) === name && variable('JOULEDIFF_OWNER') === owner);
}
