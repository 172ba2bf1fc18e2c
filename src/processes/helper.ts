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
 * Holds one program that helps joulediff, and is no workload, to limits: by a control group that it is born in, where one can be made, which also knows
 * what hides; else its memory and processes, with those of its children, are looked at once a second. None is born in a window: to go into a group takes milliseconds.
 */
export class Helper {
  readonly #who: string;
  readonly #limits: Limits;
  readonly #group: RunGroup | null;
  readonly #name = `helper-${++made}`;
  #endWatch = () => {};
  /** The limit that a poll found it beyond. */
  #beyond: Limit | null = null;

  /**
   * `who` may have no more, as in `the program of a meter`. `inGroup`: false where what it starts is to outlive joulediff, however that ends: what is in a
   * group of a joulediff that was killed is ended by the next start.
   */
  constructor(who: string, limits = HELPER_LIMITS, inGroup = true) {
    this.#who = who;
    this.#limits = limits;
    this.#group = inGroup ? new RunGroup(this.#name, limits) : null;
  }

  /** By which what it started is known where it is in no group, and a later start ends it where this one is killed. Not for what starts things that stay. */
  marked(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return { ...withOwner(env), [MARK]: this.#name };
  }

  /** What `start` starts is born under the limits. `onReached` is called where only the poll can end it. */
  born<T extends { readonly pid?: number | undefined }>(start: () => T, onReached: (child: T) => void): T {
    this.#group?.enter();
    // Between two polls the kernel holds what is in no group: to as many as a workload may have beside it. An engine's containers are not its own.
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

  /** Why it could not go on, as a sentence; null: no limit was met, as far as is known. To be asked before its end. */
  reached(): string | null {
    return limitSentence(this.#who, this.#limits, this.#beyond ?? this.#group?.reached() ?? null);
  }

  /** Ends what is left of it, however it hides. Never throws. */
  end(): Promise<void> {
    this.#group?.seal();
    return this.#leave(() => {
      for (const pid of this.#group?.members() ?? []) {
        // This process is there too, where the kernel did not let it out again.
        if (pid !== process.pid) signalProcess(pid, 'SIGKILL');
      }
      if (this.#group !== null && !this.#group.entered) endAtOnce(() => markedWith(this.#name));
    });
  }

  /** What is left of it goes on outside of the group: it may be the other end of a connection, which ends by itself, tidily. Never throws. */
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

/** A process and all that it started, but for what was left by its parent. */
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
