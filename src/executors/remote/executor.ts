import { resolve } from 'node:path';
import * as z from 'zod';
import type { Execution, RunTelemetry, Usage } from '../../contracts/execution.ts';
import type { Command, VariantBase } from '../../contracts/variant.ts';
import { InputError, MeasureError, messageOf, withoutFullStop } from '../../errors.ts';
import { machineOf } from '../../hosts/address.ts';
import { Names, Seconds, TimeNs } from '../../hosts/answers.ts';
import type { ClockPoint } from '../../hosts/clock.ts';
import type { RemoteHost } from '../../hosts/host.ts';
import { HelperError } from '../../hosts/link.ts';
import { nowNs } from '../../system/clock.ts';
import { appendRegular } from '../../system/open-regular.ts';
import { runMarks, type Stage, serviceHostMark } from '../environment.ts';
import type { Executor, ExecutorEnvironment, PreparedRun, RunContext, RunHooks } from '../executor.ts';
import { isGood, stageFailure, subjectOf } from '../failures.ts';
import { MAX_OUTPUT_BYTES } from '../output-limit.ts';
import { argvOf, repeated } from '../repeat.ts';
import type { MadeService, ServiceCommand, ServiceContext } from '../service.ts';
import {
  answerLimitMs,
  bringPrinted,
  checkMachine,
  onOurClock,
  type PrintedThere,
  printedThere,
  printedTooMuch,
  stoppedBy,
  stoppedSince,
  TAIL_CHARACTERS,
  telling,
  textOf,
} from './machine.ts';
import { stampedPhases } from './phases.ts';
import { makeRemoteService } from './service.ts';

const Started = z.object({
  start: TimeNs,
  end: TimeNs,
  cpu: Seconds,
  timed_out: z.boolean(),
  printed_too_much: z.boolean(),
  exit_code: z.int().nullable(),
  signal: z.string().max(20).nullable(),
  left: Names,
  remaining: Names,
});
type Ended = z.output<typeof Started>;

interface StageEnd {
  readonly execution: Execution;
  /** Null: it was stopped, and nothing was heard of its end. */
  readonly ended: Ended | null;
}

/**
 * Runs workloads on another machine. Begin and end of a window are told by its own clock, which is looked at before the rest and after the guard:
 * in between, nothing is asked of it but to run the workload.
 */
export function makeRemoteExecutor(variant: VariantBase, environment: ExecutorEnvironment, host: RemoteHost): Executor {
  const place = new RemotePlace(variant, environment, host);
  return {
    async setup(_signal, recorded) {
      const machine = checkMachine(host, environment.experimentId, recorded);
      await telling(() => place.check());
      return { host: machineOf(host.address), ...machine };
    },
    makeService: async (service, context) => place.makeService(service, context),
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

  /** Sends the files. Throws InputError where there is no such folder then. */
  check(): Promise<string> {
    return this.#folder(this.#variant.workload.workdir, `variant ${JSON.stringify(this.#variant.name)}`);
  }

  /** How it is reached is for those to say that it is for. */
  makeService(service: ServiceCommand, context: ServiceContext): MadeService {
    const { workload, name } = this.#variant;
    const made = makeRemoteService({
      host: this.#host,
      service,
      context,
      variant: name,
      env: { ...this.#environment.passedEnv, ...workload.env },
      directory: () => this.#folder(service.workdir ?? workload.workdir, `service ${JSON.stringify(service.name)}`),
    });
    return { ...made, listens: async () => false, addresses: async () => [] };
  }

  async #folder(workdir: string | null, of: string): Promise<string> {
    const { directory } = this.#environment;
    const local = resolve(directory, workdir ?? '.');
    const path = await this.#host.pathOf(local, directory);
    const { is } = await this.#host.connection.ask({ op: 'is_folder', path }, z.object({ is: z.boolean() }));
    if (is) return path;
    throw new InputError(`The working directory of ${of}, ${path}, isn't a folder on ${this.#host.address}.`, {
      advice:
        'What lies in the repository of the experiment file is sent there; any other path is one of that machine.',
    });
  }

  async prepare(context: RunContext): Promise<PreparedRun> {
    context.signal.throwIfAborted();
    const { prepare } = this.#variant.workload;
    // A machine that came back has none of the files.
    const directory = await this.check();
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
          if (!context.stampsOutput) return told(textOf(printed), ended);
          const usage = usageOf(ended);
          if (settled === null) return { marks: [], phaseProblem: null, usage };
          const { marks, problem } = await stampedPhases(this.#host, printed, {
            there: ended,
            here: settled,
            phaseLines: context.phaseLines ?? [],
          });
          return { marks, phaseProblem: problem, usage };
        } catch (thrown) {
          return noTelemetry(messageOf(thrown));
        }
      },
      dispose: () =>
        telling(async () => {
          if (disposed) return;
          disposed = true;
          if (this.#host.connection.isLost) {
            this.#tellNoCleanup(context);
            return context.onPrinted?.();
          }
          if (ended !== null) await saveOutput();
          context.onPrinted?.();
          try {
            // A stop leaves no time for it, and whatever is prepared again before the next run.
            if (workload.cleanup === null || context.signal.aborted) return;
            const { execution } = await stage('cleanup', workload.cleanup);
            await this.#bringOutput(context.logFile);
            if (!isGood(execution) && !context.signal.aborted) throw stageFailure(this.#variant, 'cleanup', execution);
          } finally {
            await this.#sweep(context);
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
      op: 'run',
      argv: repeated(argvOf(command), executions),
      cwd: directory,
      env: {
        ...this.#environment.passedEnv,
        ...workload.env,
        ...runMarks(identity, stage),
        ...serviceHostMark(context.serviceHost),
      },
      // Of each execution.
      timeout: timeoutS,
      executions,
      most: MAX_OUTPUT_BYTES,
      ends_others: stage === 'run',
      stamped: stage === 'run' && context.stampsOutput === true,
    };
    using _stopping = stoppedBy(signal, connection);
    hooks.onEdge('start');
    const startNs = nowNs();
    try {
      const ended = await connection.ask(asked, Started, answerLimitMs(timeoutS, executions));
      const endNs = nowNs();
      hooks.onEdge('end');
      if (ended.printed_too_much) {
        throw printedTooMuch(subjectOf(this.#variant, stage));
      }
      const failed = ended.exit_code !== 0 || ended.timed_out;
      const execution: Execution = {
        startNs,
        endNs,
        exitCode: ended.exit_code,
        signal: ended.signal,
        timedOut: ended.timed_out,
        outputTail: failed && !signal.aborted ? (await printedThere(this.#host)).slice(-TAIL_CHARACTERS) : '',
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
        `${subjectOf(this.#variant, stage)} could not be started on ${this.#host.address}: ${program}: ${withoutFullStop(thrown.message)}.`,
        { cause: thrown },
      );
    }
  }

  /** Ends what `prepare` and `cleanup` left there. */
  async #sweep({ runId, signal }: RunContext): Promise<void> {
    const { remaining } = await this.#host.connection.ask({ op: 'sweep' }, z.object({ remaining: Names }));
    if (remaining.length === 0 || signal.aborted) return;
    this.#environment.log(
      `Processes that began in run ${runId} of variant ${JSON.stringify(this.#variant.name)} are still there on ${this.#host.address}, and could not be ended: ${remaining.slice(0, 5).join('; ')}.`,
    );
  }

  /** Adds what the last command printed to a log, and gives it. */
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

function told(output: string, ended: Ended): RunTelemetry {
  const isMarked = /^::joulediff (?:phase|end)\b/m.test(output);
  const phaseProblem = isMarked ? 'lines that are printed on another machine have no times' : null;
  return { marks: [], phaseProblem, usage: usageOf(ended) };
}

const usageOf = ({ cpu }: Ended): Usage => ({
  cpuS: cpu,
  peakMemoryBytes: null,
  readBytes: null,
  writtenBytes: null,
  unread: ['Memory and disk use are not read on another machine.'],
});
