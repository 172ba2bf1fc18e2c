import { readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LeftRunning } from '../../contracts/execution.ts';
import { getErrorCode } from '../../errors.ts';
import { endProcesses, type FoundProcess, findProcesses, nameOf } from '../../processes/left-processes.ts';
import { openAs, orphanedSince, worksIn } from '../../processes/orphans.ts';
import { upTicks } from '../../processes/owner.ts';
import type { RunGroup } from '../../processes/run-group.ts';
import type { RunIdentity, Stage } from '../environment.ts';

/** Time between SIGTERM and SIGKILL for what a workload left; short, because it is part of the guard after the window. */
const GRACE_MS = 300;
const POLL_MS = 20;

export interface SurvivorsSetup {
  readonly identity: RunIdentity;
  /** Stage whose processes are looked for; null: all stages. */
  readonly stage: Stage | null;
  readonly logFile: string;
  readonly directory: string;
  /** The user who the workload runs as. */
  readonly uid: number;
  /** Whether all processes here belong to the job, as in its container; absent: the kernel tells. For tests. */
  readonly isContained?: boolean;
}

/**
 * Finds what a workload leaves running, however it hides: a daemon may leave its process group (`setsid`), its environment (`env -i`) and its output.
 * The control group that it was born in, where one can be made, has all of them. Otherwise they are known by marks, process group, or as orphans that
 * began in the run's time: no orphan is a child of a shell that somebody works in meanwhile. In a container, which is the job's own, orphans are
 * ended; elsewhere one that does nothing in the workload's folder may be somebody else's: it is only reported, and the run does not
 * count.
 */
export class Survivors {
  readonly #setup: SurvivorsSetup;
  readonly #sinceTicks = upTicks();
  readonly #groups = new Set<number>();
  readonly #born: RunGroup[] = [];
  #isComplete = true;

  /** To be made just before the processes are. */
  constructor(setup: SurvivorsSetup) {
    this.#setup = setup;
  }

  /** Takes note of a command: its process group, and the control group that all of it is in, where it was born in one. */
  note(processGroup: number | null, born: RunGroup | null): void {
    if (born?.entered) {
      if (!this.#born.includes(born)) this.#born.push(born);
      return;
    }
    this.#isComplete = false;
    if (processGroup !== null) this.#groups.add(processGroup);
    this.#forgetEmpty();
  }

  /** Processes that certainly belong to this run at this moment, including a command that has not ended. */
  running(processGroup: number, born: RunGroup): readonly number[] {
    this.note(processGroup, born);
    return findProcesses(this.#certainly()());
  }

  /** Names of running processes that certainly belong to this run. */
  now(): readonly string[] {
    return [...new Set(findProcesses(this.#certainly()()).map(nameOf))];
  }

  /** Names of processes that certainly belong to this run and go on; those that are about to end get time to do so. */
  async staying(): Promise<readonly string[]> {
    const certain = this.#certainly();
    const untilMs = performance.now() + GRACE_MS;
    let found = findProcesses(certain());
    while (found.length > 0 && performance.now() < untilMs) {
      await sleep(POLL_MS);
      found = findProcesses(certain());
    }
    return [...new Set(found.map(nameOf))];
  }

  /** Ends what certainly belongs to this run, and reports what went on; null: nothing did. */
  async end(): Promise<LeftRunning | null> {
    const certain = this.#certainly();
    for (const group of this.#born) group.seal();
    const ended = await endProcesses(() => findProcesses(certain()), GRACE_MS);
    const isSuspect = this.#isComplete ? () => false : this.#orphan();
    const isCertain = certain();
    const left = findProcesses((found) => isCertain(found) || isSuspect(found));
    if (ended.length === 0 && left.length === 0) return null;
    const remaining = left.map((pid) => `${nameOf(pid)}, process ${pid}`);
    return { ended: [...new Set(ended)], remaining };
  }

  /** Forgets the process groups that are empty, whose numbers the kernel may give to others. */
  #forgetEmpty(): void {
    for (const group of this.#groups) {
      try {
        process.kill(-group, 0);
      } catch (thrown) {
        if (getErrorCode(thrown) === 'ESRCH') this.#groups.delete(group);
      }
    }
  }

  /** Makes a new test for each search, so that processes born meanwhile are known, too. */
  #certainly(): () => (found: FoundProcess) => boolean {
    const { identity, stage, isContained = hasOwnNamespace() } = this.#setup;
    const orphan = this.#isComplete ? () => false : this.#orphan();
    return () => {
      this.#forgetEmpty();
      const members = new Set(this.#born.flatMap((group) => [...group.members()]));
      return (found) =>
        members.has(found.pid) ||
        this.#groups.has(found.group) ||
        isMarked(found, identity, stage) ||
        (orphan(found) && (isContained || this.#isAtWorkHere(found.pid)));
    };
  }

  /** Whether a process has the run's log open, or works in the workload's folder. */
  #isAtWorkHere(pid: number): boolean {
    const { logFile, directory } = this.#setup;
    return ['fd/1', 'fd/2'].some((name) => openAs(pid, name) === logFile) || worksIn(pid, directory);
  }

  /** Test for orphans that began in the run's time and, as far as is known, belong to nothing else. */
  #orphan(): (found: FoundProcess) => boolean {
    const { identity, stage, uid } = this.#setup;
    const isOrphan = orphanedSince(this.#sinceTicks, uid, [process.pid]);
    return (found) => {
      if (!isOrphan(found)) return false;
      const experiment = found.variable('JOULEDIFF_EXPERIMENT');
      if (experiment !== null && experiment !== identity.experimentId) return false;
      return !isBeside(found) || isMarked(found, identity, stage);
    };
  }
}

function isMarked(found: FoundProcess, { experimentId, runId, part }: RunIdentity, stage: Stage | null): boolean {
  return (
    found.variable('JOULEDIFF_EXPERIMENT') === experimentId &&
    found.variable('JOULEDIFF_RUN') === String(runId) &&
    (part === undefined || found.variable('JOULEDIFF_PART') === part) &&
    (stage === null ? !isBeside(found) : found.variable('JOULEDIFF_STAGE') === stage)
  );
}

/** Whether a process belongs to a service or a hook, and ends with that. */
const isBeside = (found: FoundProcess): boolean =>
  ['service', 'hook'].includes(found.variable('JOULEDIFF_STAGE') ?? '');

/** Name of the initial pid namespace, that of the machine (PROC_PID_INIT_INO in linux/proc_ns.h). */
const OF_THE_MACHINE = 'pid:[4026531836]';

function hasOwnNamespace(): boolean {
  try {
    return readlinkSync('/proc/self/ns/pid') !== OF_THE_MACHINE;
  } catch {
    return false;
  }
}
