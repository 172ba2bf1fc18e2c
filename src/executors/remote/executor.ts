import { resolve } from 'node:path';
import type { Execution, RunTelemetry, Usage } from '../../contracts/execution.ts';
import type { Command, VariantBase } from '../../contracts/variant.ts';
import { InputError, MeasureError, messageOf, withoutFullStop } from '../../errors.ts';
import { machineOf } from '../../hosts/address.ts';
import type { ClockPoint } from '../../hosts/clock.ts';
import type { RemoteHost } from '../../hosts/host.ts';
import { HelperError, HostLostError } from '../../hosts/link.ts';
import type { Reply } from '../../hosts/operations.ts';
import { nowNs } from '../../system/clock.ts';
import { appendRegular } from '../../system/open-regular.ts';
import { runMarks, type Stage, serviceHostMark } from '../environment.ts';
import {
  type Executor,
  type ExecutorEnvironment,
  forCleanup,
  type PreparedRun,
  type RunContext,
  type RunHooks,
} from '../executor.ts';
import { formatSubject, isGood, stageFailure } from '../failures.ts';
import { MAX_OUTPUT_BYTES } from '../output-limit.ts';
import { argvOf, repeated, startsOf } from '../repeat.ts';
import type { ServiceHost, ServiceRunner } from '../service.ts';
import {
  answerLimitMs,
  bringPrinted,
  checkMachine,
  onOurClock,
  type PrintedThere,
  printedTooMuch,
  stoppedBy,
  stoppedSince,
  tailThere,
  telling,
  textOf,
} from './machine.ts';
import { stampedPhases } from './phases.ts';
import { makeRemoteService } from './service.ts';

type Ended = Reply<'run'>;

interface StageEnd {
  readonly execution: Execution;
  /** End of the command; null: it was stopped, and its end was not heard of. */
  readonly ended: Ended | null;
}

/** Makes a runner of services on another machine. How they are reached is added by its users. */
export function makeRemoteRunner(
  { name, env, workdir }: ServiceHost & { readonly workdir: string | null },
  environment: ExecutorEnvironment,
  host: RemoteHost,
): ServiceRunner {
  const folder = (path: string | null, of: string) => folderThere({ environment, host }, path, of);
  return {
    async setup(_signal, recorded) {
      const machine = checkMachine(host, environment.experimentId, recorded);
      await telling(() => folder(workdir, variantName(name)));
      return { host: machineOf(host.address), ...machine };
    },
    async makeService(service, context) {
      const directory = () => folder(service.workdir ?? workdir, `service ${JSON.stringify(service.name)}`);
      const variables = { ...environment.passedEnv, ...env };
      const made = makeRemoteService({ host, service, context, variant: name, env: variables, directory });
      return { ...made, listens: async () => false, addresses: async () => [] };
    },
  };
}

const variantName = (name: string): string => `variant ${JSON.stringify(name)}`;

/** Folder there for a folder of the experiment, with all that it needs. Throws InputError where there is no such folder. */
async function folderThere(
  { environment: { directory }, host }: { readonly environment: ExecutorEnvironment; readonly host: RemoteHost },
  workdir: string | null,
  of: string,
): Promise<string> {
  const path = await host.pathOf(resolve(directory, workdir ?? '.'), directory);
  const { is } = await host.connection.ask('is_folder', { path });
  if (is) return path;
  throw new InputError(`The working directory of ${of}, ${path}, isn't a folder on ${host.address}.`, {
    advice: 'What lies in the repository of the experiment file is sent there; any other path is one of that machine.',
  });
}

/**
 * Runs workloads on another machine. The window is measured by its own clock, which is read before the rest and after the guard: between these, it
 * only has to run the workload.
 */
export function makeRemoteExecutor(variant: VariantBase, environment: ExecutorEnvironment, host: RemoteHost): Executor {
  const { env, workdir } = variant.workload;
  const services = makeRemoteRunner({ name: variant.name, env, workdir }, environment, host);
  const place = new RemotePlace(variant, environment, host);
  return {
    ...services,
    prepare: (context) => telling(() => place.prepare(context)),
    recover: (signal) => host.recover(signal),
  };
}

class RemotePlace {
  readonly #variant: VariantBase;
  readonly #environment: ExecutorEnvironment;
  readonly #host: RemoteHost;

  constructor(variant: VariantBase, environment: ExecutorEnvironment, host: RemoteHost) {
    this.#variant = variant;
    this.#environment = environment;
    this.#host = host;
  }

  async prepare(context: RunContext): Promise<PreparedRun> {
    context.signal.throwIfAborted();
    const { prepare } = this.#variant.workload;
    // A machine that came back has none of the files any more.
    const { workdir } = this.#variant.workload;
    const at = { environment: this.#environment, host: this.#host };
    const directory = await folderThere(at, workdir, variantName(this.#variant.name));
    const stage = (name: Stage, command: Command, more: object = {}) =>
      this.#run({ stage: name, command, directory, context, ...more });
    let names: readonly string[] = [];
    if (prepare !== null) {
      try {
        const { execution, ended } = await stage('prepare', prepare);
        await this.#bringOutput(context.logFile);
        if (!isGood(execution)) throw stageFailure(this.#variant, 'prepare', execution);
        names = ended?.left ?? [];
      } catch (thrown) {
        await this.#sweep(context).catch(() => {});
        throw thrown;
      }
    }
    const before = await this.#host.clock();
    return {
      leftByPrepare: names.length === 0 ? null : { names, runOn: true },
      ...this.#prepared(context, before, stage),
    };
  }

  #prepared(
    context: RunContext,
    before: ClockPoint,
    stage: (name: Stage, command: Command, more?: object) => Promise<StageEnd>,
  ): Omit<PreparedRun, 'leftByPrepare'> {
    const { workload } = this.#variant;
    let ended: Ended | null = null;
    let settled: Execution | null = null;
    let saved: Promise<PrintedThere> | null = null;
    /** Loss of the connection before all that is reported of the run was brought. */
    let loss: HostLostError | null = null;
    let disposed = false;
    const saveOutput = () => {
      saved ??= this.#bringOutput(context.logFile);
      return saved;
    };
    return {
      execute: (hooks) =>
        telling(async () => {
          const run = await stage('run', workload.run, { hooks, executions: context.executions ?? 1 });
          ended = run.ended;
          return run.execution;
        }),
      settle: (execution) =>
        telling(async () => {
          if (ended === null) return execution;
          settled = await onOurClock(execution, ended, before, this.#host);
          return settled;
        }),
      telemetry: async () => {
        if (ended === null) return { marks: [], phaseProblem: null, usage: null };
        try {
          const printed = await saveOutput();
          if (!context.stampsOutput) return reported(textOf(printed), ended);
          const usage = toUsage(ended);
          if (settled === null) return { marks: [], phaseProblem: null, usage };
          const { marks, problem } = await stampedPhases(this.#host, printed, {
            there: ended,
            here: settled,
            phaseLines: context.phaseLines ?? [],
          });
          return { marks, phaseProblem: problem, usage };
        } catch (thrown) {
          if (thrown instanceof HostLostError) loss = thrown;
          return noTelemetry(messageOf(thrown));
        }
      },
      dispose: () =>
        telling(async () => {
          if (disposed) return;
          disposed = true;
          const { connection } = this.#host;
          const own = forCleanup(context);
          try {
            try {
              if (ended !== null) await saveOutput();
              if (loss !== null) throw loss;
            } finally {
              if (connection.isLost) this.#tellNoCleanup(own);
              context.onPrinted?.();
            }
            // A stop leaves no time for `cleanup`; `prepare` comes again before the next run.
            if (workload.cleanup === null || own.signal.aborted) return;
            const { execution } = await stage('cleanup', workload.cleanup, { context: own });
            await this.#bringOutput(context.logFile);
            if (!isGood(execution) && !own.signal.aborted) throw stageFailure(this.#variant, 'cleanup', execution);
          } finally {
            // A lost connection takes them with it.
            if (!connection.isLost) await this.#sweep(context);
          }
        }),
    };
  }

  #tellNoCleanup({ runId, signal }: RunContext): void {
    if (this.#variant.workload.cleanup === null || signal.aborted) return;
    this.#environment.log(
      `The connection to ${this.#host.address} was lost, so the cleanup of variant ${JSON.stringify(this.#variant.name)} was not run after run ${runId}.`,
    );
  }

  async #run(given: {
    readonly stage: Stage;
    readonly command: Command;
    readonly directory: string;
    readonly context: RunContext;
    readonly hooks?: RunHooks;
    readonly executions?: number;
  }): Promise<StageEnd> {
    const { stage, command, directory, context, hooks = { onEdge() {} }, executions = 1 } = given;
    const { signal } = context;
    signal.throwIfAborted();
    const { name, workload } = this.#variant;
    const identity = { experimentId: context.experimentId, runId: context.runId, variant: name };
    const { timeoutS } = workload;
    const { connection } = this.#host;
    const asked = {
      argv: repeated(argvOf(command), executions),
      cwd: directory,
      env: {
        ...this.#environment.passedEnv,
        ...workload.env,
        ...runMarks(identity, stage),
        ...serviceHostMark(context.serviceHost),
      },
      // The limit holds for each execution.
      timeout: timeoutS,
      executions: startsOf(command, executions),
      most: MAX_OUTPUT_BYTES,
      ends_others: stage === 'run',
      stamped: stage === 'run' && context.stampsOutput === true,
    };
    using _stopping = stoppedBy(signal, connection);
    hooks.onEdge('start');
    const startNs = nowNs();
    try {
      const ended = await connection.ask('run', asked, answerLimitMs(timeoutS, startsOf(command, executions)));
      const endNs = nowNs();
      hooks.onEdge('end');
      if (ended.printed_too_much) {
        throw printedTooMuch(formatSubject(this.#variant, stage));
      }
      const failed = ended.exit_code !== 0 || ended.timed_out;
      const execution: Execution = {
        startNs,
        endNs,
        exitCode: ended.exit_code,
        signal: ended.signal,
        timedOut: ended.timed_out,
        outputTail: failed && !signal.aborted ? await tailThere(this.#host) : '',
        leftRunning:
          stage === 'run' && ended.left.length > 0 ? { ended: ended.left, remaining: ended.remaining } : null,
        limit: null,
        startUpS: null,
      };
      return { execution, ended };
    } catch (thrown) {
      if (signal.aborted) return { execution: stoppedSince(startNs), ended: null };
      if (!(thrown instanceof HelperError)) throw thrown;
      const program = typeof command === 'string' ? 'sh' : (command[0] ?? '');
      throw new MeasureError(
        `${formatSubject(this.#variant, stage)} could not be started on ${this.#host.address}: ${program}: ${withoutFullStop(thrown.message)}.`,
        { cause: thrown },
      );
    }
  }

  /** Ends processes that `prepare` and `cleanup` left there. */
  async #sweep(context: RunContext): Promise<void> {
    const { runId, signal } = forCleanup(context);
    const { remaining } = await this.#host.connection.ask('sweep', {});
    if (remaining.length === 0 || signal.aborted) return;
    this.#environment.log(
      `Processes that began in run ${runId} of variant ${JSON.stringify(this.#variant.name)} are still there on ${this.#host.address}, and could not be ended: ${remaining.slice(0, 5).join('; ')}.`,
    );
  }

  /** Appends the output of the last command to a log, and gives it. */
  async #bringOutput(logFile: string): Promise<PrintedThere> {
    const printed = await bringPrinted(this.#host);
    appendRegular(logFile, textOf(printed));
    return printed;
  }
}

const noTelemetry = (why: string): RunTelemetry => ({
  marks: [],
  phaseProblem: `its output could not be brought here: ${withoutFullStop(why)}`,
  usage: null,
});

function reported(output: string, ended: Ended): RunTelemetry {
  const isMarked = /^::joulediff (?:phase|end)\b/m.test(output);
  const phaseProblem = isMarked ? 'lines that are printed on another machine have no times' : null;
  return { marks: [], phaseProblem, usage: toUsage(ended) };
}

const toUsage = ({ cpu }: Ended): Usage => ({
  cpuS: cpu,
  peakMemoryBytes: null,
  readBytes: null,
  writtenBytes: null,
  unread: ['Memory and disk use are not read on another machine.'],
});
