import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limit } from '../../contracts/execution.ts';
import type { Pin } from '../../contracts/variant.ts';
import { MeasureError } from '../../errors.ts';
import { findProcesses, signalProcess } from '../../processes/left-processes.ts';
import { watchLimits } from '../../processes/limit-watch.ts';
import type { Limits } from '../../processes/limits.ts';
import { RunGroup } from '../../processes/run-group.ts';
import { rememberSession } from '../../processes/sessions.ts';
import { openRegular } from '../../system/open-regular.ts';
import { asWorkload } from '../../system/priority.ts';
import { hostMarks, inFolder } from '../environment.ts';
import { MAX_IN_MEMORY_BYTES, OutputLimit } from '../output-limit.ts';
import { readEnd, sizeOf } from '../output-tail.ts';
import { pinSession, pinWords } from '../pins.ts';
import { argvOf } from '../repeat.ts';
import type { MadeService, ServiceCommand, ServiceContext, ServiceEnd } from '../service.ts';
import { processesIo } from '../service-use.ts';
import { serviceSubject } from '../services/failures.ts';
import { findListeners } from '../services/listeners.ts';
import { MemoryFile } from './memory-file.ts';
import { startFailure } from './program.ts';
import { Survivors } from './survivors.ts';
import { processesCpuS } from './usage.ts';
import { canWait, takeWaiting, WAITING_WORDS } from './waiting.ts';

/** Interval between polls of the output's size: long, since nothing depends on it at once. */
const POLL_MS = 1000;
/** Bytes that are searched at each end of a longer output. */
const END_BYTES = 2 ** 20;
/** Interval between polls of a group's end. */
const GROUP_MS = 20;
/** Time limit for the end of killed processes; the kernel can't end some. */
const KILL_MS = 2000;

export interface NativeServiceSetup {
  readonly service: ServiceCommand;
  readonly context: ServiceContext;
  readonly variant: string;
  /** Working directory. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  readonly pin: Pin;
  /** Words in front of its command. */
  readonly before: readonly string[];
  readonly limits: Limits;
  /** Limits that no control group enforces, so that joulediff polls them. */
  readonly watched: Limits;
}

/** A service that is a process on the host, in a session and a control group of its own. */
export function makeNativeService(setup: NativeServiceSetup): MadeService {
  const before = [...pinWords(setup.pin), ...setup.before];
  const { service, context, variant, directory, uid, limits, watched } = setup;
  const { experimentId, runId } = context;
  // The part tells services from each other, so that each can be ended alone.
  const identity = { experimentId, runId, variant, part: service.name };
  const env = { ...setup.env, ...hostMarks(identity, 'service') };
  const memory = MemoryFile.make();
  const logFile = memory?.path ?? context.logFile;
  const name = `${runId}-service-${service.name}`;
  const group = new RunGroup(name, limits, undefined, undefined, context.observed);
  group.weigh(setup.pin.nice);
  const survivors = new Survivors({
    identity,
    directory,
    uid,
    stage: 'service',
    logFile: memory?.name ?? logFile,
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<ServiceEnd>();
  let child: ChildProcess | null = null;
  let forget = () => {};
  let stopPolling = () => {};
  let endWatch = () => {};
  let limit: Limit | null = null;
  return {
    ended,
    network: null,
    async start() {
      const isAdopted = context.observed !== undefined && canWait(env);
      const [program = '', ...args] = [
        ...pinWords(setup.pin),
        ...(isAdopted ? WAITING_WORDS : []),
        ...setup.before,
        ...argvOf(service.run),
      ];
      const log = openRegular(logFile, 'append');
      try {
        if (!isAdopted) group.enter();
        const options = {
          ...inFolder(directory, env),
          detached: true,
          stdio: ['ignore', log, log] as ['ignore', number, number],
        };
        child = asWorkload(() => spawn(program, args, options));
        child.once('exit', (exitCode, signal) => {
          endWatch();
          end({ exitCode, signal, limit: limit ?? group.reached() });
        });
        pinSession(child.pid, setup.pin);
        if (isAdopted && child.pid !== undefined) {
          takeWaiting(serviceSubject(service), child.pid, (pid) => group.takeIn(pid));
          signalProcess(child.pid, 'SIGCONT');
        }
      } catch (cause) {
        if (cause instanceof MeasureError) throw cause;
        throw startFailure(serviceSubject(service), program, directory, cause);
      } finally {
        group.leave();
        closeSync(log);
      }
      await new Promise<void>((done, fail) => {
        child?.once('spawn', done);
        child?.once('error', (cause) => fail(startFailure(serviceSubject(service), program, directory, cause)));
      });
      forget = rememberSession(child.pid as number, experimentId);
      stopPolling = watchSize(logFile, memory === null ? undefined : MAX_IN_MEMORY_BYTES);
      const pid = child.pid as number;
      survivors.note(pid, group);
      endWatch = watchLimits({
        limits: watched,
        processes: () => survivors.running(pid, group),
        onReached(reached) {
          limit = reached;
          for (const one of [-pid, ...survivors.running(pid, group)]) signalProcess(one, 'SIGKILL');
        },
      });
    },
    output: () => endsOf(logFile),
    listens: async (port) => findListeners('self').some((listener) => listener.port === port),
    addresses: async () => [],
    succeeds: (command, signal) =>
      succeeds([...before, ...argvOf(command)], {
        directory,
        env,
        signal,
        group: new RunGroup(`${runId}-${service.name}-ready`, limits),
      }),
    used() {
      const pid = child?.pid;
      if (pid === undefined) return [];
      const all = group.entered ? [...group.members()] : findProcesses(({ session }) => session === pid);
      const peakMemoryBytes = group.peak().peakBytes ?? 'no-memory-group';
      const cpuS = all.length === 0 ? 'gone' : processesCpuS(all);
      return [{ cpuS, peakMemoryBytes, ...processesIo(all), network: 'shared-network' }];
    },
    left: () => survivors.now(),
    async stop(withinS) {
      const pid = child?.pid;
      let killed = false;
      if (pid !== undefined && child?.exitCode === null && child.signalCode === null) {
        signalProcess(-pid, service.stop.signal);
        killed = !(await allEnd(pid, ended, 1000 * withinS)) && service.stop.signal !== 'SIGKILL';
        signalProcess(-pid, 'SIGKILL');
        await within(ended, KILL_MS);
      }
      endWatch();
      const left = pid === undefined ? null : await survivors.end();
      stopPolling();
      group.remove();
      forget();
      await memory?.moveTo(context.logFile).catch(() => {});
      return { killed, left: [...(left?.ended ?? []), ...(left?.remaining ?? [])] };
    },
  };
}

/**
 * Whether all processes of a group end in time; only the first one can be waited for: a shell that started a server may end by the signal before the
 * server has written what it has to.
 */
async function allEnd(group: number, ended: Promise<unknown>, ms: number): Promise<boolean> {
  const untilMs = performance.now() + ms;
  if (!(await within(ended, ms))) return false;
  while (findProcesses((found) => found.group === group).length > 0) {
    if (performance.now() > untilMs) return false;
    await sleep(GROUP_MS);
  }
  return true;
}

/** Whether the event happens in time. */
async function within(event: Promise<unknown>, ms: number): Promise<boolean> {
  const waiting = new AbortController();
  const late = sleep(ms, false, { signal: waiting.signal }).catch(() => false);
  try {
    return await Promise.race([event.then(() => true), late]);
  } finally {
    waiting.abort();
  }
}

function watchSize(logFile: string, mostBytes: number | undefined): () => void {
  const limit = new OutputLimit(logFile, sizeOf(logFile), mostBytes);
  const timer = setInterval(() => limit.poll(sizeOf(logFile)), POLL_MS);
  return () => {
    clearInterval(timer);
    limit.poll(sizeOf(logFile));
    limit.finish();
  };
}

/** The whole text of a short file, or both ends of a long one. */
function endsOf(path: string): string {
  const size = sizeOf(path);
  if (size === 0) return '';
  const file = openSync(path, 'r');
  try {
    if (size <= 2 * END_BYTES) return readEnd(file, size, size).toString();
    return `${readEnd(file, END_BYTES, END_BYTES)}\n${readEnd(file, size, END_BYTES)}`;
  } finally {
    closeSync(file);
  }
}

interface Trial {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly group: RunGroup;
}

function succeeds(
  [program = '', ...args]: readonly string[],
  { directory, env, signal, group }: Trial,
): Promise<boolean> {
  return new Promise((done) => {
    let child: ChildProcess;
    try {
      group.enter();
      child = asWorkload(() => spawn(program, args, { ...inFolder(directory, env), detached: true, stdio: 'ignore' }));
    } finally {
      group.leave();
    }
    const stop = () => child.pid !== undefined && signalProcess(-child.pid, 'SIGKILL');
    const finish = (isGood: boolean) => {
      signal.removeEventListener('abort', stop);
      group.remove();
      done(isGood);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    child.once('error', () => finish(false));
    child.once('exit', (code) => finish(code === 0));
  });
}
