import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import tar from 'tar-fs';
import type { Execution, PreparedProcesses, RunTelemetry } from '../../contracts/execution.ts';
import type { Command } from '../../contracts/variant.ts';
import { MeasureError, messageOf } from '../../errors.ts';
import { nsToSeconds } from '../../system/clock.ts';
import { withDeadline } from '../../system/deadline.ts';
import type { Stage } from '../environment.ts';
import { forCleanup, type PreparedRun, type RunContext, type RunHooks } from '../executor.ts';
import { formatSubject, isGood, NoShellError, PlaceLostError, stageFailure } from '../failures.ts';
import { repeatInWindow, startsOf } from '../repeat.ts';
import { limitTime } from '../time-limit.ts';
import { AttachedOutput } from './attached-output.ts';
import { type Commanded, hasStages, STAGE_FILE, stageFolder, stageScript } from './command.ts';
import type { CreatedContainer } from './create.ts';
import { engineMessage, lostEngine, statusOf, titleOf } from './docker.ts';
import { recordedEnd } from './engines/recorded-end.ts';
import { copyFiles } from './files.ts';
import type { FoundImage } from './image.ts';
import { LEFT_FILE, namesLeft } from './left-by-prepare.ts';
import { limitWithoutAccounts, wasOutOfMemory } from './limit-met.ts';
import { LoggedOutput, type Output } from './output.ts';
import { readClockOffset } from './phases.ts';
import { ContainerUsage } from './usage.ts';
import { waitForNextExit } from './wait.ts';
import { ContainerWatch } from './watch.ts';

const START_MS = 120_000;
const KILL_MS = 2000;
/** Time for a container that was killed to end. */
const ENDED_MS = 10_000;
/** Time to wait for Podman's events: it polls them four times a second, less often on a busy machine. */
const SAID_MS = 2000;
const CLEANED_UP_MS = [100, 500];

export interface ContainerRunRequest {
  readonly docker: Docker;
  /** Whether it is Podman, which makes the container's namespaces and network when its output is attached to, not when it is started. */
  readonly isPodman?: boolean;
  readonly variant: Commanded;
  /** Parent group of an observed container, if it is another one than that of `observed` in the context. */
  readonly within?: string | undefined;
  readonly image: Pick<FoundImage, 'entrypoint'>;
  readonly created: CreatedContainer;
  readonly context: RunContext;
  log(line: string): void;
}

/** A run in a container that was created for it: `prepare` has been run in it when this resolves. */
export async function prepareContainerRun(request: ContainerRunRequest): Promise<PreparedRun> {
  const { docker, isPodman = false, created } = request;
  let run: ContainerRun | null = null;
  try {
    run = new ContainerRun(request, await ContainerWatch.open(docker, created.container.id, titleOf(isPodman)));
    await run.prepare();
    return run;
  } catch (thrown) {
    await (run ?? created).remove().catch((cause: unknown) => {
      throw lostEngine(thrown) instanceof PlaceLostError ? thrown : cause;
    });
    throw thrown;
  }
}

class ContainerRun implements PreparedRun {
  readonly #request: ContainerRunRequest;
  readonly #watch: ContainerWatch;
  readonly #output: Output;
  #removal: Promise<void> | null = null;
  #usage: ContainerUsage | null = null;
  #endedWell = true;
  #telemetry = async (): Promise<RunTelemetry> => ({ marks: [], phaseProblem: null, usage: null });
  readonly #gone = Promise.withResolvers<void>();
  readonly #end = () => {
    // A failure to remove is reported to whatever waits for the run; here it is ignored.
    this.remove().catch(() => {});
  };

  constructor(request: ContainerRunRequest, watch: ContainerWatch) {
    this.#request = request;
    this.#watch = watch;
    const { created, context } = request;
    const KEPT = context.outputToDisk ? LoggedOutput : AttachedOutput;
    this.#output = new KEPT(created.container, context);
    request.context.signal.addEventListener('abort', this.#end, { once: true });
  }

  leftByPrepare: PreparedProcesses | null = null;

  async prepare(): Promise<void> {
    const { variant, context } = this.#request;
    context.signal.throwIfAborted();
    if (variant.workload.prepare !== null) {
      await this.#runStage('prepare', variant.workload.prepare);
      const names = await namesLeft(this.#request.created.container, stageFolder(variant));
      if (names.length > 0) this.leftByPrepare = { names, runOn: false };
    }
    // This happens before the guard: in the window there is nothing but start and wait.
    if (context.tracer?.inside !== undefined) {
      const { files } = context.tracer.inside;
      const folder = stageFolder(variant);
      await this.#put(
        folder,
        files.map(({ path, ...file }) => ({ ...file, name: posix.relative(folder, path) })),
      );
    }
    if (hasStages(variant)) await this.#putStage('run', variant.workload.run, this.#executions);
  }

  get #title(): string {
    return titleOf(this.#request.isPodman ?? false);
  }

  /** Number of executions in one start. */
  get #executions(): number {
    const { executions = 1, ownStarts = false } = this.#request.context;
    return ownStarts ? 1 : executions;
  }

  async execute(hooks: RunHooks): Promise<Execution> {
    const { executions = 1, ownStarts = false } = this.#request.context;
    const usage = this.#takeAccount();
    this.#usage = usage;
    const start = this.#output.start();
    this.#endedWell = false;
    const execution = await repeatInWindow(ownStarts ? executions : 1, hooks, (edges) =>
      this.#start('run', { executions: this.#executions, hooks: edges, usage }),
    ).catch((thrown: unknown) => {
      throw this.#lost(thrown);
    });
    const end = readClockOffset();
    this.#endedWell = isGood(execution);
    this.#telemetry = async () => {
      const { marks, problem } = await this.#output.phases(execution, start, end);
      return { marks, phaseProblem: problem, usage: usage.total() };
    };
    return execution;
  }

  /** Adds the limit that was met. The kernel's log is read only now: in the window or the guard, that would be measured. */
  async settle(execution: Execution): Promise<Execution> {
    return this.#usage === null ? execution : this.#withLimit(execution, this.#usage);
  }

  async telemetry(): Promise<RunTelemetry> {
    const { created, context } = this.#request;
    const { inside } = context.tracer ?? {};
    if (inside !== undefined) await copyFiles(created.container, [inside.written], inside.into);
    return this.#telemetry();
  }

  #takeAccount(): ContainerUsage {
    const { created, context, variant, within } = this.#request;
    const joins = context.joins !== undefined || ('network' in variant && /^container:/.test(String(variant.network)));
    return new ContainerUsage(created.container.id, undefined, joins, within ?? context.observed?.inside.name ?? null);
  }

  /** Adds the limit to an execution that ended by itself, if the container's accounts were gone before they were read. */
  #withLimit(execution: Execution, usage: ContainerUsage): Execution {
    const { id } = this.#request.created.container;
    const isOpen = execution.limit === null && !execution.timedOut && !this.#request.context.signal.aborted;
    return isOpen && usage.isGone ? { ...execution, ...limitWithoutAccounts(id, execution.exitCode) } : execution;
  }

  async dispose(): Promise<void> {
    const { variant, context } = this.#request;
    const { cleanup } = variant.workload;
    try {
      if (!this.#endedWell) await this.#whoEndedIt();
      if (cleanup !== null && context.signal.aborted && !forCleanup(context).signal.aborted) {
        this.#request.log(
          `The cleanup of variant ${JSON.stringify(variant.name)} was not run after run ${context.runId}, since its container had to end with it.`,
        );
      }
      if (cleanup !== null && this.#removal === null && !context.signal.aborted) {
        await this.#output.copy();
        context.onPrinted?.();
        await this.#runStage('cleanup', cleanup);
      }
      this.#watch.throwIfLost();
    } catch (thrown) {
      if (!context.signal.aborted) {
        // If somebody has removed the container, that is the reason, and not the failed clean-up.
        this.#watch.throwIfLost();
        throw this.#lost(thrown);
      }
    } finally {
      await this.remove().catch((thrown: unknown) => {
        throw this.#lost(thrown);
      });
    }
  }

  /** Waits to hear who ended the container: Podman reports a stop or a removal after the container's end, Docker's engine before it. */
  async #whoEndedIt(): Promise<void> {
    const { context, isPodman } = this.#request;
    if (!isPodman) return;
    await withDeadline(this.#watch.lost, { ms: SAID_MS, stop: context.signal, stopMs: 0 }).catch(() => {});
  }

  #lost(thrown: unknown): unknown {
    return lostEngine(thrown, this.#title);
  }

  /** Saves the output, and removes the container: once, however often it is asked for. */
  remove(): Promise<void> {
    this.#removal ??= this.#remove();
    return this.#removal;
  }

  async #remove(): Promise<void> {
    const { created, context } = this.#request;
    context.signal.removeEventListener('abort', this.#end);
    this.#watch.close();
    if (context.signal.aborted) await this.#kill();
    await this.#output.copy();
    context.onPrinted?.();
    try {
      await created.remove();
    } finally {
      this.#gone.resolve();
    }
  }

  async #runStage(stage: Stage, command: Command): Promise<void> {
    const { variant, context } = this.#request;
    await this.#putStage(stage, command);
    const usage = this.#takeAccount();
    const ended = await this.#start(stage, { usage });
    const execution = hasOwnLog(stage) ? this.#withLimit(ended, usage) : ended;
    await this.#output.copy();
    context.signal.throwIfAborted();
    if (isGood(execution)) return;
    await this.#whoEndedIt();
    this.#watch.throwIfLost();
    throw stageFailure(variant, stage, execution);
  }

  async #putStage(stage: Stage, command: Command, executions = 1): Promise<void> {
    const { variant, image, context } = this.#request;
    const before = stage === 'run' ? (context.tracer?.inside?.words ?? []) : [];
    const script = stageScript(stage, command, variant, image.entrypoint, { executions, before });
    await this.#put(stageFolder(variant), [
      { name: STAGE_FILE, mode: 0o755, content: script },
      // The mode lets any user of the container write to it.
      { name: LEFT_FILE, mode: 0o666, content: '' },
    ]);
  }

  async #put(path: string, files: readonly { name: string; mode: number; content: string | Buffer }[]): Promise<void> {
    const { created } = this.#request;
    const archive = tar.pack('/', {
      entries: [],
      finalize: false,
      finish: (pack) => {
        for (const { content, ...header } of files) pack.entry(header, content);
        pack.finalize();
      },
    });
    await withDeadline(
      (abortSignal) => created.container.putArchive(archive as unknown as NodeJS.ReadableStream, { path, abortSignal }),
      START_MS,
    );
  }

  async #start(
    stage: Stage,
    {
      executions = 1,
      hooks = { onEdge() {} },
      usage,
    }: { readonly executions?: number; readonly hooks?: RunHooks; readonly usage?: ContainerUsage } = {},
  ): Promise<Execution> {
    const { docker, variant, created, context } = this.#request;
    const { timeoutS } = variant.workload;
    const { container } = created;
    context.signal.throwIfAborted();
    const outputStart = this.#output.start();
    const onEnd = () => hooks.onEdge('end');
    // In every engine, the window includes what is done to start a container.
    const { isPodman: startsAttached = false } = this.#request;
    // Podman's word of the end may come a quarter of a second late: a counter read only then would share its energy between load and idleness
    // as if both had the same power.
    const attach = () => withDeadline(this.#output.attach(startsAttached ? onEnd : undefined), START_MS);
    if (!startsAttached) await attach();
    const wait = await waitForNextExit(docker, container.id, onEnd, this.#title);
    let timedOut = false;
    let endLimit = () => {};
    let overdue: NodeJS.Timeout | undefined;
    try {
      context.signal.throwIfAborted();
      hooks.onEdge('start');
      let startNs = process.hrtime.bigint();
      const start = (abortSignal: AbortSignal) => container.start({ abortSignal });
      const again = () => {
        startNs = process.hrtime.bigint();
        return attach();
      };
      const attached = startsAttached ? attach().catch((cause) => attachAgain(again, cause)) : Promise.resolve();
      const starting = attached
        .then(() => withDeadline(start, START_MS))
        .catch((cause) => {
          if (!context.signal.aborted) throw startRefusal(formatSubject(variant, stage), cause);
        });
      await Promise.race([starting, this.#gone.promise, this.#watch.lost]);
      const startUpS = nsToSeconds(process.hrtime.bigint() - startNs);
      usage?.started();
      if (timeoutS !== null) {
        const onLate = () => {
          timedOut = true;
          this.#watch.expectEnd();
          this.#kill();
          overdue = setTimeout(() => {
            this.#output.detach();
            // The removal ends the wait, too.
            this.#end();
          }, ENDED_MS);
        };
        endLimit = limitTime({
          timeoutS,
          executions: startsOf(this.#request.variant.workload.run, executions),
          onLate,
          sinceS: () => sinceS(container),
        });
      }
      const { endNs: reportedNs, exitCode } = await Promise.race([wait.end, this.#removed(), this.#watch.lost]);
      const endNs = startsAttached ? await recordedEnd(container, startNs, reportedNs) : reportedNs;
      const succeeded = exitCode === 0 && !timedOut;
      const outputTail = succeeded ? '' : await this.#output.tail(outputStart);
      const wasEnded =
        !succeeded && !timedOut && (await wasOutOfMemory(container, exitCode, context.signal, hasOwnLog(stage)));
      const limit = wasEnded ? 'memory' : (usage?.limit() ?? null);
      return { startNs, endNs, exitCode, signal: null, timedOut, outputTail, leftRunning: null, limit, startUpS };
    } catch (thrown) {
      this.#output.detach();
      throw thrown;
    } finally {
      endLimit();
      clearTimeout(overdue);
      wait.close();
      usage?.ended();
    }
  }

  /** End of a run that was stopped and whose end the engine did not report, since the container is gone. */
  async #removed(): Promise<{ endNs: bigint; exitCode: number | null }> {
    await this.#gone.promise;
    return { endNs: process.hrtime.bigint(), exitCode: null };
  }

  async #kill(): Promise<void> {
    // An error means that the container isn't running any more, or that the engine is gone: the removal tells which.
    const { container } = this.#request.created;
    await withDeadline((abortSignal) => container.kill({ abortSignal }), KILL_MS).catch(() => {});
  }
}

/** Whether the kernel's log on a container is about this stage: in `cleanup`, it may be about the run before. */
const hasOwnLog = (stage: Stage): boolean => stage !== 'cleanup';

/**
 * Attaches again after a refusal. Podman cleans up after an end in a separate process, which on a busy machine may take what was just prepared for
 * the next start for left-overs, so that the attaching is refused. Throws the last refusal, and any other error at once.
 */
async function attachAgain(attach: () => Promise<void>, refused: unknown): Promise<void> {
  for (let pause = 0, cause = refused; ; pause++) {
    const ms = CLEANED_UP_MS[pause];
    if (ms === undefined || statusOf(cause) === null) throw cause;
    await sleep(ms);
    try {
      return await attach();
    } catch (thrown) {
      cause = thrown;
    }
  }
}

/** Output of `ps`: a row for each process. */
interface ProcessList {
  readonly Processes: readonly string[][];
}

/**
 * How long the youngest child of a container's first process has been running, seconds: the others are what earlier executions left. Null: it
 * has none. Throws what the engine answers.
 */
async function sinceS(container: Docker.Container): Promise<number | null> {
  const options: { ps_args: string; abortSignal?: AbortSignal } = { ps_args: '-o pid,ppid,etimes' };
  const ask = (abortSignal: AbortSignal) => container.top({ ...options, abortSignal }) as Promise<ProcessList>;
  const { Processes: rows } = await withDeadline(ask, KILL_MS);
  const processes = rows.map((row) => row.map(Number));
  const pids = new Set(processes.map(([pid]) => pid));
  const first = processes.find(([, parent]) => !pids.has(parent))?.[0];
  const ages = processes.flatMap(([, parent, age]) => (parent === first && age !== undefined ? [age] : []));
  return ages.length === 0 ? null : Math.min(...ages);
}

function startRefusal(subject: string, cause: unknown): MeasureError {
  const message = engineMessage(cause);
  // runc, crun and runsc each say it in their own way, and quote the program.
  if (/["'`]sh["'`]|stat sh:/.test(message)) {
    return new NoShellError(`${subject} could not be started: its image has no shell "sh".`, {
      advice:
        'prepare, cleanup, and a command that is one string need a shell in the image: give run as a list, ' +
        'and leave prepare and cleanup out, or add a shell to the image.',
      cause,
    });
  }
  return new MeasureError(`${subject} could not be started in its container: ${message || messageOf(cause)}.`, {
    cause,
  });
}
