import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Execution, Limit } from '../../contracts/execution.ts';
import type { Command, Pin } from '../../contracts/variant.ts';
import { MeasureError } from '../../errors.ts';
import { findProcesses, signalProcess } from '../../processes/left-processes.ts';
import { endedForMemory, type LimitWatch, watchLimits } from '../../processes/limit-watch.ts';
import { readStat, TICKS_PER_S, upTicks } from '../../processes/owner.ts';
import { openRegular } from '../../system/open-regular.ts';
import { asWorkload } from '../../system/priority.ts';
import { inFolder } from '../environment.ts';
import type { RunHooks } from '../executor.ts';
import { OutputLimit } from '../output-limit.ts';
import { readTail, sizeOf } from '../output-tail.ts';
import { NO_PIN, pinSession, pinWords } from '../pins.ts';
import { argvOf, repeated, startsOf } from '../repeat.ts';
import { limitTime } from '../time-limit.ts';
import { startFailure } from './program.ts';
import { canWait, takeWaiting, WAITING_WORDS } from './waiting.ts';

/** Time between SIGTERM and SIGKILL for a workload that is stopped. */
const GRACE_MS = 1000;
/** Longest delay of a stop, even if the kernel can't end a process (stuck in a driver). */
const GIVE_UP_MS = GRACE_MS + 2000;
const POLL_MS = 200;
/** Exit code after SIGKILL, as a shell gives it: 128 + 9. */
const KILLED = 137;

export interface HostCommand {
  readonly command: Command;
  /** How often the command is executed, one after the other. */
  readonly executions: number;
  /** Processors and nice value; absent: as everything else. */
  readonly pin?: Pin;
  /** Words in front of the command. */
  readonly before: readonly string[];
  /** `The run command of variant "native"`: the subject of error sentences. */
  readonly subject: string;
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly timeoutS: number | null;
  readonly signal: AbortSignal;
  /** Called just before the window and just after the process was made, or could not be made. */
  readonly birth?: Birth | undefined;
  /** What to poll where no control group limits the command; absent: nothing. */
  readonly watched?: Watched | undefined;
  /** Whether to check the size of its log, so that it can't fill the disk; in a window, the follower of its phases does that. */
  readonly limitsOutput: boolean;
}

export interface Birth {
  enter(): void;
  leave(): void;
  /** Moves the waiting process into a group before the window, instead of its birth there; false: it failed. Absent: `enter` and `leave` do. */
  readonly adopt?: ((pid: number) => boolean) | undefined;
}

export interface Watched extends Pick<LimitWatch, 'limits' | 'usedBefore'> {
  /** Processes of the run at this moment; `group`: process group of the command itself. */
  processes(group: number): readonly number[];
}

export interface HostExecution extends Execution {
  /** Process group that the command ran in. */
  readonly group: number | null;
}

/**
 * Runs a command on the host in a process group of its own and waits for its end; nothing is awaited or read meanwhile, since
 * the command writes straight into the log file. The window is from just before the process is made to the moment
 * its end is seen. When `signal` aborts, the group is ended and the execution is that of a command ended by a signal.
 *
 * Throws MeasureError when the command can't be started.
 */
export async function runOnHost(given: HostCommand, hooks: RunHooks = { onEdge() {} }): Promise<HostExecution> {
  const outputStart = sizeOf(given.logFile);
  const limit = given.limitsOutput ? new OutputLimit(given.logFile, outputStart) : null;
  const polling = limit && setInterval(() => limit.poll(sizeOf(given.logFile)), POLL_MS);
  const ended = await waitForEnd(given, hooks).finally(() => clearInterval(polling ?? undefined));
  limit?.poll(sizeOf(given.logFile));
  limit?.finish();
  const failed = ended.exitCode !== 0 || ended.timedOut;
  return { ...ended, outputTail: failed ? readTail(given.logFile, outputStart) : '' };
}

type Ended = Omit<HostExecution, 'outputTail'>;

function waitForEnd(given: HostCommand, hooks: RunHooks): Promise<Ended> {
  const adopt = canWait(given.env) ? given.birth?.adopt : undefined;
  const [program = '', ...args] = [
    ...pinWords(given.pin ?? NO_PIN),
    ...(adopt === undefined ? [] : WAITING_WORDS),
    ...given.before,
    ...repeated(argvOf(given.command), given.executions),
  ];
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const fail = (cause: unknown) =>
    reject(cause instanceof MeasureError ? cause : startFailure(given.subject, program, given.directory, cause));
  const log = openRegular(given.logFile, 'append');
  const start = () =>
    spawn(program, args, {
      ...inFolder(given.directory, given.env),
      detached: true,
      stdio: ['ignore', log, log],
    });
  let child: ChildProcess;
  let startNs = 0n;
  const endedBefore = endedForMemory();
  const isOutOfMemory = (exitCode: number | null, signal: string | null): boolean =>
    (exitCode === KILLED || signal === 'SIGKILL') &&
    limit === null &&
    !timedOut &&
    !given.signal.aborted &&
    endedForMemory() > endedBefore;
  try {
    if (adopt === undefined) {
      given.birth?.enter();
      hooks.onEdge('start');
      startNs = process.hrtime.bigint();
      child = asWorkload(start);
      pinSession(child.pid, given.pin ?? NO_PIN);
    } else {
      child = asWorkload(start);
      pinSession(child.pid, given.pin ?? NO_PIN);
      if (child.pid !== undefined) takeWaiting(given.subject, child.pid, adopt);
      hooks.onEdge('start');
      startNs = process.hrtime.bigint();
      if (child.pid !== undefined) signalProcess(child.pid, 'SIGCONT');
    }
  } catch (cause) {
    fail(cause);
    return promise;
  } finally {
    given.birth?.leave();
    closeSync(log);
  }
  let timedOut = false;
  let settled = false;
  let limit: Limit | null = null;
  let endLimit = () => {};
  let endWatch = () => {};
  const timers: NodeJS.Timeout[] = [];
  const settle = () => {
    settled = true;
    endLimit();
    endWatch();
    for (const timer of timers) clearTimeout(timer);
    given.signal.removeEventListener('abort', stop);
  };
  const end = (endNs: bigint, exitCode: number | null, signal: string | null) => {
    if (settled) return;
    settle();
    hooks.onEdge('end');
    resolve({
      startNs,
      endNs,
      exitCode,
      signal,
      timedOut,
      leftRunning: null,
      limit: limit ?? (isOutOfMemory(exitCode, signal) ? 'memory' : null),
      startUpS: null,
      group: child.pid ?? null,
    });
  };
  const giveUp = () => timers.push(setTimeout(() => end(process.hrtime.bigint(), null, 'SIGKILL'), GIVE_UP_MS));
  const stop = () => {
    if (child.pid === undefined || settled) return;
    const group = -child.pid;
    signalProcess(group, 'SIGTERM');
    timers.push(setTimeout(() => signalProcess(group, 'SIGKILL'), GRACE_MS));
    giveUp();
  };
  const { pid } = child;
  if (pid !== undefined && given.watched !== undefined) {
    const { watched } = given;
    const processes = () => watched.processes(pid);
    const onReached = (reached: Limit) => {
      limit = reached;
      for (const one of [-pid, ...processes()]) signalProcess(one, 'SIGKILL');
      giveUp();
    };
    endWatch = watchLimits({ ...watched, processes, onReached });
  }
  child.once('exit', (exitCode, signal) => end(process.hrtime.bigint(), exitCode, signal));
  child.once('error', (cause) => {
    settle();
    fail(cause);
  });
  given.signal.addEventListener('abort', stop, { once: true });
  if (given.signal.aborted) stop();
  if (given.timeoutS !== null) {
    endLimit = limitTime({
      timeoutS: given.timeoutS,
      executions: startsOf(given.command, given.executions),
      sinceS: async () => sinceS(child.pid),
      onLate() {
        timedOut = true;
        stop();
      },
    });
  }
  return promise;
}

/** How long the child of a process has been running, seconds; null: it has none. */
function sinceS(pid: number | undefined): number | null {
  const [child] = findProcesses(({ parent }) => parent === pid);
  const stat = child === undefined ? null : readStat(child);
  return stat === null ? null : (upTicks() - Number(stat.startTicks)) / TICKS_PER_S;
}
