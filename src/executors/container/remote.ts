import Docker from 'dockerode';
import type { Execution, Usage } from '../../contracts/execution.ts';
import { InputError, MeasureError, withoutFullStop } from '../../errors.ts';
import { machineOf } from '../../hosts/address.ts';
import type { Connection } from '../../hosts/connection.ts';
import { PLACE_LABEL } from '../../hosts/helper.ts';
import type { RemoteHost } from '../../hosts/host.ts';
import { EngineGoneError, HelperError } from '../../hosts/link.ts';
import { MACHINE_LABEL, machineMark, OWNER_LABEL } from '../../processes/labels.ts';
import { type Limits, limitFacts } from '../../processes/limits.ts';
import { nowNs, secondsToNs, sleepUntil } from '../../system/clock.ts';
import { appendRegular } from '../../system/open-regular.ts';
import type { Executor, ExecutorEnvironment, PreparedRun, RunContext, RunHooks } from '../executor.ts';
import { formatSubject, PlaceLostError } from '../failures.ts';
import { MAX_OUTPUT_BYTES } from '../output-limit.ts';
import {
  answerLimitMs,
  checkMachine,
  onOurClock,
  printedThere,
  printedTooMuch,
  stoppedBy,
  stoppedSince,
  tailThere,
  telling,
} from '../remote/machine.ts';
import { runCommand, TRUE } from './command.ts';
import { createContainer } from './create.ts';
import { infoOf, lostEngine, titleOf } from './docker.ts';
import { checkHeld } from './engines/engine.ts';
import { checkNetwork, formatPrivileges, limitsOf, RETRY_S, RETURN_S } from './executor.ts';
import { type FoundImage, findImage, findImageAgain } from './image.ts';
import { removeOldImages } from './old-images.ts';
import { checkPlatform, checkRuntime, optionFacts, proveOptions } from './trial.ts';
import type { ContainerVariant } from './variant.ts';

interface Window {
  readonly start: number;
  readonly end: number;
}

interface Ready {
  readonly image: FoundImage;
  readonly limits: Limits;
}

/**
 * Runs containers on another machine. Its engine makes and removes them, asked through the connection. The helper starts them, by whose clock the
 * window is measured; it also removes them if nothing here can do so any more.
 */
export function makeRemoteContainerExecutor(
  variant: ContainerVariant,
  environment: ExecutorEnvironment,
  host: RemoteHost,
): Executor {
  const env = { ...environment.passedEnv, ...variant.workload.env };
  const equipped = { ...variant, workload: { ...variant.workload, env } };
  const identityOf = (runId: number) => ({ experimentId: environment.experimentId, runId, variant: variant.name });
  const labels = () => {
    const { folder, owner, machine } = host.connection;
    return { [PLACE_LABEL]: folder, [OWNER_LABEL]: owner, [MACHINE_LABEL]: machineMark(machine) };
  };
  let ready: Ready | null = null;
  return {
    async setup(signal, recorded) {
      const machine = checkMachine(host, environment.experimentId, recorded);
      return await following(host, async () => {
        const docker = await engineOf(host);
        const log = (line: string): void => environment.log(line);
        const { image, limits } = await sayingWhere(host, async () => {
          if (variant.build !== null) {
            const needed = recorded === undefined ? [] : [recorded];
            for (const line of await removeOldImages({ docker, needed })) log(`On ${host.address}: ${line}`);
          }
          const image =
            recorded === undefined
              ? await findImage(docker, variant, log, signal, { isElsewhere: true })
              : await findImageAgain(docker, variant, recorded, log, signal);
          signal.throwIfAborted();
          checkPlatform(variant, image);
          await checkNetwork(docker, variant);
          const info = await infoOf(docker);
          checkRuntime(variant, info);
          checkHeld(variant, { info, text: titleOf(false) });
          const limits = limitsOf(info, variant);
          const started = { limits, logsOutput: false, labels: labels() };
          const make = (options: ContainerVariant, command = TRUE) =>
            createContainer(docker, options, image, identityOf(0), { ...started, command });
          // The engine itself knows best what it refuses.
          const trial = await make(equipped, runCommand(variant, image.entrypoint, 1));
          await trial.remove();
          await proveOptions(equipped, make, log, signal);
          return { image, limits };
        });
        ready = { image, limits };
        return {
          ...image.facts,
          ...optionFacts(variant),
          ...formatPrivileges(variant),
          ...limitFacts(limits),
          host: machineOf(host.address),
          ...machine,
        };
      });
    },
    async makeService() {
      throw new InputError('Services and hooks can’t be run on another machine yet.');
    },
    async prepare(context) {
      if (ready === null) throw new Error('setup() comes before prepare()');
      const { image, limits } = ready;
      context.signal.throwIfAborted();
      return await following(host, async () => {
        const docker = await engineOf(host);
        const created = await createContainer(docker, equipped, image, identityOf(context.runId), {
          command: runCommand(variant, image.entrypoint, 1),
          limits,
          logsOutput: false,
          labels: labels(),
        });
        return await preparedRun({ variant, host, context, created });
      });
    },
    recover: (signal) => recoverEngine(host, environment.log, signal),
  };
}

/** Adds to an engine's error which machine it is on. */
async function sayingWhere<T>({ address }: RemoteHost, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    if (!(thrown instanceof MeasureError) || lostEngine(thrown) instanceof PlaceLostError) throw thrown;
    const { message, advice, cause } = thrown;
    throw new MeasureError(`On the machine ${address}: ${message}`, { advice: advice ?? undefined, cause });
  }
}

/** Engines that a connection's helper already knows, by connection. */
const opened = new WeakMap<Connection, Docker>();

/** The engine there. Throws MeasureError where it can't be asked, HostLostError, and PlaceLostError where it went away. */
async function engineOf({ connection, address }: RemoteHost): Promise<Docker> {
  const known = opened.get(connection);
  if (known !== undefined) return known;
  if (connection.engineSocket === null) throw new Error('the connection was made without the engine');
  const remaining = await openEngine(connection, address);
  if (remaining.length > 0) {
    throw new PlaceLostError(`The engine on ${address} could not remove ${remaining.slice(0, 5).join(', ')}.`);
  }
  const docker = new Docker({ socketPath: connection.engineSocket });
  try {
    await infoOf(docker);
  } catch {
    await askIfThere(connection);
    throw new MeasureError(`Docker’s engine on ${address} can’t be reached through ssh.`, {
      advice: 'Its sshd has to allow forwarding: AllowStreamLocalForwarding yes, and no DisableForwarding.',
    });
  }
  opened.set(connection, docker);
  return docker;
}

/** Turns the error of a lost engine into that of a lost place, or of a lost machine where the connection is gone as well. */
function following<T>(host: RemoteHost, action: () => Promise<T>): Promise<T> {
  const { connection } = host;
  return telling(async () => {
    try {
      return await action();
    } catch (thrown) {
      const lost = lostEngine(thrown);
      if (lost instanceof PlaceLostError) await askIfThere(connection);
      throw lost;
    }
  });
}

/** Throws HostLostError where the connection is lost, which is noticed a moment later than the loss of a socket inside it. */
const askIfThere = (connection: Connection): Promise<unknown> => connection.ask('clock', {});

async function openEngine(connection: Connection, address: string): Promise<readonly string[]> {
  try {
    return await connection.openEngine();
  } catch (thrown) {
    if (!(thrown instanceof HelperError)) throw thrown;
    throw new MeasureError(
      `Docker’s engine on ${address} can’t be asked at /var/run/docker.sock: ${withoutFullStop(thrown.message)}.`,
      {
        advice: 'As that user on that machine, docker version has to work. Membership in the group docker allows it.',
        cause: thrown,
      },
    );
  }
}

interface ContainerRun {
  readonly variant: ContainerVariant;
  readonly host: RemoteHost;
  readonly context: RunContext;
  readonly created: Awaited<ReturnType<typeof createContainer>>;
}

async function preparedRun({ variant, host, context, created }: ContainerRun): Promise<PreparedRun> {
  let window: Window | null = null;
  let disposed = false;
  try {
    const before = await host.clock();
    return {
      leftByPrepare: null,
      execute: (hooks) =>
        telling(async () => {
          const run = await execute({ variant, host, context, created }, hooks);
          window = run.window;
          return run.execution;
        }),
      settle: (execution) =>
        telling(async () => (window === null ? execution : onOurClock(execution, window, before, host))),
      telemetry: async () => ({ marks: [], phaseProblem: null, usage: window === null ? null : UNREAD }),
      dispose: () =>
        following(host, async () => {
          if (disposed) return;
          disposed = true;
          try {
            if (window !== null) appendRegular(context.logFile, await printedThere(host));
          } finally {
            context.onPrinted?.();
            // After a lost connection the helper ends, and removes the container.
            if (!host.connection.isLost) await created.remove();
          }
        }),
    };
  } catch (thrown) {
    await created.remove().catch(() => {});
    throw thrown;
  }
}

const UNREAD: Usage = {
  cpuS: null,
  peakMemoryBytes: null,
  readBytes: null,
  writtenBytes: null,
  unread: ['What a container uses is not read on another machine.'],
};

async function execute(
  { variant, host, context: { signal }, created }: ContainerRun,
  hooks: RunHooks,
): Promise<{ readonly execution: Execution; readonly window: Window | null }> {
  signal.throwIfAborted();
  const { connection } = host;
  const { timeoutS } = variant.workload;
  const subject = formatSubject(variant, 'run');
  using _stopping = stoppedBy(signal, connection);
  hooks.onEdge('start');
  const startNs = nowNs();
  try {
    const asked = { container: created.container.id, timeout: timeoutS, most: MAX_OUTPUT_BYTES };
    const ended = await connection.ask('container', asked, answerLimitMs(timeoutS, 1));
    const endNs = nowNs();
    hooks.onEdge('end');
    if (ended.printed_too_much) throw printedTooMuch(subject);
    if (ended.exit_code === null || ended.end === null) {
      throw new PlaceLostError(`Docker’s engine on ${host.address} went away while a container ran.`);
    }
    const isBad = ended.exit_code !== 0 || ended.timed_out;
    const execution: Execution = {
      startNs,
      endNs,
      exitCode: ended.exit_code,
      signal: null,
      timedOut: ended.timed_out,
      outputTail: isBad && !signal.aborted ? await tailThere(host) : '',
      leftRunning: null,
      limit: ended.out_of_memory ? 'memory' : null,
      startUpS: ended.started,
    };
    return { execution, window: { start: ended.start, end: ended.end } };
  } catch (thrown) {
    if (signal.aborted) return { execution: stoppedSince(startNs), window: null };
    if (thrown instanceof EngineGoneError) {
      const why = withoutFullStop(thrown.message);
      throw new PlaceLostError(`Docker’s engine on ${host.address} went away: ${why}.`, { cause: thrown });
    }
    if (!(thrown instanceof HelperError)) throw thrown;
    throw new MeasureError(
      `${subject} could not be started in its container on ${host.address}: ${withoutFullStop(thrown.message)}.`,
      { cause: thrown },
    );
  }
}

/** Waits for the machine, and for its engine. Throws the last MeasureError where one doesn't come back, or the signal's reason. */
async function recoverEngine(host: RemoteHost, log: (line: string) => void, signal: AbortSignal): Promise<void> {
  const untilNs = nowNs() + secondsToNs(RETURN_S);
  for (let waited = false; ; ) {
    await host.recover(signal);
    try {
      opened.delete(host.connection);
      await engineOf(host);
      if (waited) log(`Docker’s engine on ${host.address} is back.`);
      return;
    } catch (thrown) {
      signal.throwIfAborted();
      if (nowNs() > untilNs) throw thrown;
      if (host.connection.isLost) continue;
      if (!waited) log(`Waiting up to a minute for Docker’s engine on ${host.address} to come back.`);
      waited = true;
      await sleepUntil(nowNs() + secondsToNs(RETRY_S), signal);
    }
  }
}
