import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { InputError, MeasureError, messageOf, withoutFullStop } from '../../errors.ts';
import { machineOf } from '../../hosts/address.ts';
import { type ClockPoint, windowHere } from '../../hosts/clock.ts';
import type { RemoteHost } from '../../hosts/host.ts';
import { HelperError, HostLostError } from '../../hosts/link.ts';
import { nowNs } from '../../system/clock.ts';
import { runMarks, type Stage } from '../environment.ts';
import type {
  Execution,
  Executor,
  ExecutorEnvironment,
  PlaceFacts,
  PreparedRun,
  RunContext,
  RunHooks,
  RunTelemetry,
  Usage,
} from '../executor.ts';
import { isGood, PlaceLostError, stageFailure, subjectOf } from '../failures.ts';
import { leftOutNote, MOST_OUTPUT, MOST_OUTPUT_BYTES } from '../output-limit.ts';
import { argvOf, repeated } from '../repeat.ts';
import type { Command, VariantBase } from '../variant.ts';

/** Brought from there, half from each end: what is kept of a log is less. */
const MOST_BROUGHT_BYTES = 16 * 2 ** 20;
const TAIL_CHARACTERS = 4000;
/** What a workload has to end in when it is stopped, and its helper to say so. */
const STOP_MS = 4000;
/** A helper ends what takes longer than its timeout by itself; one that is silent for so much longer is gone. */
const LATE_MS = 60_000;
/** A timer of Node.js holds no more than 2^31 - 1 ms, and fires at once beyond; a line that is dead for so long is found by its messages. */
const LONGEST_MS = 2_000_000_000;

const Started = z.object({
  start: z.number(),
  end: z.number(),
  cpu: z.number(),
  timed_out: z.boolean(),
  printed_too_much: z.boolean(),
  exit_code: z.number().nullable(),
  signal: z.string().nullable(),
  left: z.array(z.string()),
  remaining: z.array(z.string()),
});
type Ended = z.output<typeof Started>;
const Printed = z.object({ parts: z.array(z.string()), left_out: z.number() });

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
      const machine = host.machineIn(environment.experimentId);
      if (recorded !== undefined) checkMachine(host, machine, recorded.host_machine ?? null);
      await telling(() => place.check());
      return { host: machineOf(host.address), host_machine: machine };
    },
    async makeService() {
      throw new InputError('Services and hooks can’t be run on another machine yet.');
    },
    prepare: (context) => telling(() => place.prepare(context)),
    recover: (signal) => host.recover(signal),
  };
}

/** Runs of two machines are no neighbours of each other, whatever name both answer to. Throws MeasureError. */
function checkMachine(host: RemoteHost, now: string | null, before: PlaceFacts[string]): void {
  if (now !== null && now === before) return;
  if (now !== null && before !== null) throw host.anotherMachine();
  throw new MeasureError(
    `${host.address} doesn’t say which machine it is (it has no /etc/machine-id), so it may be another one than was measured.`,
    { advice: 'Begin a new experiment, without --resume.' },
  );
}

/** A machine that went away is a place that did. */
async function telling<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    if (!(thrown instanceof HostLostError)) throw thrown;
    throw new PlaceLostError(thrown.message, { cause: thrown });
  }
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
  async check(): Promise<string> {
    const { directory } = this.#environment;
    const local = resolve(directory, this.#variant.workload.workdir ?? '.');
    const path = await this.#host.pathOf(local, directory);
    const { is } = await this.#host.connection.ask({ op: 'is_folder', path }, z.object({ is: z.boolean() }));
    if (is) return path;
    throw new InputError(
      `The working directory of variant ${JSON.stringify(this.#variant.name)}, ${path}, isn't a folder on ${this.#host.address}.`,
      {
        advice:
          'What lies in the repository of the experiment file is sent there; any other path is one of that machine.',
      },
    );
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
    let saved: Promise<string> | null = null;
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
          const after = await this.#host.clock();
          const window = windowHere({ startNs: BigInt(ended.start), endNs: BigInt(ended.end) }, before, after);
          if (window === null) {
            throw new PlaceLostError(
              `The clock of ${this.#host.address} did not run on evenly: the machine was suspended, or its clock was set.`,
            );
          }
          const { edgeS, lengthS, ...edges } = window;
          return { ...execution, ...edges, clock: { edgeS, lengthS } };
        }),
      telemetry: async () => {
        if (ended === null) return { marks: [], phaseProblem: null, usage: null };
        return saveOutput().then(
          (output) => told(output, ended as Ended),
          (thrown) => noTelemetry(messageOf(thrown)),
        );
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
    const limitMs = timeoutS === null ? Infinity : 1000 * timeoutS * executions + LATE_MS;
    const { connection } = this.#host;
    const asked = {
      op: 'run',
      argv: repeated(argvOf(command), executions),
      cwd: directory,
      env: { ...this.#environment.passedEnv, ...workload.env, ...runMarks(identity, stage) },
      // Of each execution.
      timeout: timeoutS,
      executions,
      most: MOST_OUTPUT_BYTES,
      ends_others: stage === 'run',
    };
    let giveUp: NodeJS.Timeout | undefined;
    const stop = () => {
      connection.tell({ op: 'stop' });
      giveUp = setTimeout(() => connection.drop('it did not end what it ran'), STOP_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    hooks.onEdge('start');
    const startNs = nowNs();
    try {
      const ended = await connection.ask(asked, Started, limitMs > LONGEST_MS ? null : limitMs);
      const endNs = nowNs();
      hooks.onEdge('end');
      if (ended.printed_too_much) {
        throw new MeasureError(
          `${subjectOf(this.#variant, stage)} printed more than ${MOST_OUTPUT}, and was ended for it: that much isn't kept on another machine.`,
        );
      }
      const failed = ended.exit_code !== 0 || ended.timed_out;
      const execution: Execution = {
        startNs,
        endNs,
        exitCode: ended.exit_code,
        signal: ended.signal,
        timedOut: ended.timed_out,
        outputTail: failed && !signal.aborted ? (await this.#printed()).slice(-TAIL_CHARACTERS) : '',
        leftRunning:
          stage === 'run' && ended.left.length > 0 ? { ended: ended.left, remaining: ended.remaining } : null,
        limit: null,
        startUpS: null,
      };
      return { execution, ended };
    } catch (thrown) {
      if (signal.aborted) {
        const stopped = { exitCode: null, signal: 'SIGKILL', timedOut: false, outputTail: '', leftRunning: null };
        return { execution: { startNs, endNs: nowNs(), ...stopped, limit: null, startUpS: null }, ended: null };
      }
      if (!(thrown instanceof HelperError)) throw thrown;
      const program = typeof command === 'string' ? 'sh' : (command[0] ?? '');
      throw new MeasureError(
        `${subjectOf(this.#variant, stage)} could not be started on ${this.#host.address}: ${program}: ${withoutFullStop(thrown.message)}.`,
        { cause: thrown },
      );
    } finally {
      clearTimeout(giveUp);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends what `prepare` and `cleanup` left there. */
  async #sweep({ runId, signal }: RunContext): Promise<void> {
    const { remaining } = await this.#host.connection.ask(
      { op: 'sweep' },
      z.object({ remaining: z.array(z.string()) }),
    );
    if (remaining.length === 0 || signal.aborted) return;
    this.#environment.log(
      `Processes that began in run ${runId} of variant ${JSON.stringify(this.#variant.name)} are still there on ${this.#host.address}, and could not be ended: ${remaining.slice(0, 5).join('; ')}.`,
    );
  }

  /** Adds what the last command printed to a log, and gives it. */
  async #bringOutput(logFile: string): Promise<string> {
    const output = await this.#printed();
    appendFileSync(logFile, output);
    return output;
  }

  async #printed(): Promise<string> {
    const asked = { op: 'printed', most: MOST_BROUGHT_BYTES };
    const { parts, left_out: leftOut } = await this.#host.connection.ask(asked, Printed);
    return parts.map((part) => Buffer.from(part, 'base64').toString()).join(leftOut > 0 ? leftOutNote(leftOut) : '');
  }
}

const noTelemetry = (why: string): RunTelemetry => ({
  marks: [],
  phaseProblem: `its output could not be brought here: ${withoutFullStop(why)}`,
  usage: null,
});

function told(output: string, { cpu }: Ended): RunTelemetry {
  const isMarked = /^::joulediff (?:phase|end)\b/m.test(output);
  const usage: Usage = {
    cpuS: cpu,
    peakMemoryBytes: null,
    readBytes: null,
    writtenBytes: null,
    unread: ['Memory and disk use are not read on another machine.'],
  };
  const phaseProblem = isMarked ? 'lines that are printed on another machine have no times' : null;
  return { marks: [], phaseProblem, usage };
}
