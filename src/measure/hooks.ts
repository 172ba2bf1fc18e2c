import { setTimeout as sleep } from 'node:timers/promises';
import { JoulediffError, MeasureError, messageOf } from '../errors.ts';
import { decorate } from '../executors/decorate.ts';
import { maskInSlices } from '../executors/discreet.ts';
import { hostMarks } from '../executors/environment.ts';
import { type Executor, forCleanup, type PreparedRun, type RunContext } from '../executors/executor.ts';
import { isGood, PlaceLostError } from '../executors/failures.ts';
import { rememberDue } from '../executors/leftovers/due.ts';
import { runOnHost } from '../executors/native/host-command.ts';
import { machineLimits } from '../executors/native/limits.ts';
import { quoteTail, readTail, sizeOf } from '../executors/output-tail.ts';
import type { MadeService, ServiceCommand } from '../executors/service.ts';
import type { Experiment, Hook, HookName } from '../experiment/experiment.ts';
import { endProcesses, findProcesses } from '../processes/left-processes.ts';
import { type Limits, limitText } from '../processes/limits.ts';
import { readStat } from '../processes/owner.ts';
import { RunGroup } from '../processes/run-group.ts';
import { listed } from '../text/plain.ts';

/** Time limit, seconds, for hooks that put things back when the program is being stopped. */
const HURRIED_S = 3;
const GRACE_S = 0.3;
const MAX_NAMES = 5;

/** A hook that failed. */
export class HookError extends MeasureError {
  constructor(variant: string | null, ...given: ConstructorParameters<typeof MeasureError>) {
    super(...given);
    this.variant = variant;
  }
}

export interface HooksSetup {
  readonly experiment: Pick<Experiment, 'hooks' | 'directory' | 'name'>;
  readonly experimentId: string;
  /** Variables of hooks on the host. */
  readonly env: Readonly<Record<string, string>>;
  /** Values that are masked in all that a hook prints. */
  readonly secrets: readonly string[];
  /** Log of hooks that belong to no run. */
  readonly logFile: string;
  log(line: string): void;
}

/** The place of a variant, in which its hooks run. */
interface Place {
  readonly executor: Executor;
  /** What the hooks share the network with; null: nothing of the variant is there. */
  network(): string | null;
}

type HookRun = Pick<RunContext, 'runId' | 'logFile' | 'signal'>;

/** The hooks of an experiment: commands that run around what is measured. */
export class Hooks {
  readonly #setup: HooksSetup;
  /** Number of hooks run on the host, for the names of their groups: what one leaves stays in its group, so the next needs another. */
  #made = 0;
  /** Places of the variants, by variant. */
  readonly #places = new Map<string, Place>();
  readonly #reported = new Set<string>();
  /** Hooks that were lost with their place, which may have come back with them. */
  readonly #unstopped: Pick<MadeService, 'stop'>[] = [];
  /** What hooks left on the host, by run: also servers that overwrite the environment that holds their marks. */
  readonly #left = new Map<number, (() => readonly number[])[]>();
  /** Forgets the note that `after-all` is due; absent: the experiment has not begun, so nothing is to be put back. */
  #forgetAfterAll: (() => void) | undefined;
  /** Runs that were stopped before their `cleanup`. */
  readonly #withoutCleanup: number[] = [];

  constructor(setup: HooksSetup) {
    this.#setup = setup;
  }

  /** Throws HookError where it fails, or the signal's reason. */
  async beforeAll(signal: AbortSignal): Promise<void> {
    this.#forgetAfterAll = this.#remember('after-all', 'The hook after-all');
    await this.#runEach('before-all', signal);
  }

  /** Throws HookError where it fails, or the signal's reason. */
  async beforeBlock(signal: AbortSignal): Promise<void> {
    await this.#runEach('before-block', signal);
  }

  /** Runs `after-all`, however the experiment ended, if it had begun. Gives sentences on what went wrong. */
  async afterAll(signal: AbortSignal): Promise<string[]> {
    if (this.#forgetAfterAll === undefined) return [];
    const lines =
      this.#withoutCleanup.length === 0
        ? []
        : [`The hook cleanup was not run after run ${listed(this.#withoutCleanup.map(String))}, which was stopped.`];
    const own = new AbortController();
    let hurried: NodeJS.Timeout | undefined;
    const hurry = () => {
      hurried = setTimeout(() => own.abort(), 1000 * HURRIED_S);
    };
    // A stop may come before the hook, or while it runs.
    signal.addEventListener('abort', hurry, { once: true });
    if (signal.aborted) hurry();
    const run = { runId: 0, logFile: this.#setup.logFile, signal: own.signal };
    for (const variant of this.#placesOfHook('after-all')) {
      await this.#run('after-all', run, variant).catch((thrown: unknown) => {
        const late = `The hook after-all${variant === null ? '' : ` of variant ${JSON.stringify(variant)}`} did not end within the ${HURRIED_S} s that it has when joulediff is stopped, and was ended.`;
        lines.push(own.signal.aborted ? late : messageOf(thrown));
      });
    }
    signal.removeEventListener('abort', hurry);
    clearTimeout(hurried);
    await this.#endLeft(0);
    this.#forgetAfterAll();
    this.#forgetAfterAll = undefined;
    return lines;
  }

  /** Wraps a variant's executor so that its runs are between `prepare` and `cleanup`. `network`: what else of the variant is there shares it. */
  around(executor: Executor, variant: string, network: Place['network']): Executor {
    this.#places.set(variant, { executor, network });
    const { hooks = {} } = this.#setup.experiment;
    if (hooks.prepare === undefined && hooks.cleanup === undefined) return executor;
    return decorate(executor, {
      prepare: async (context) => {
        const forget = this.#remember('cleanup', `The hook cleanup after run ${context.runId}`);
        const cleanUp = () => this.#cleanUp(context, variant).finally(forget);
        try {
          await this.#run('prepare', context, this.#inPlace('prepare') ? variant : null, variant);
          return withCleanup(await executor.prepare(context), cleanUp);
        } catch (thrown) {
          await cleanUp().catch(() => {});
          throw thrown;
        }
      },
    });
  }

  async #cleanUp(given: RunContext, variant: string): Promise<void> {
    const context = forCleanup(given);
    try {
      if (!context.signal.aborted)
        await this.#run('cleanup', context, this.#inPlace('cleanup') ? variant : null, variant);
      else if (this.#setup.experiment.hooks?.cleanup !== undefined) this.#withoutCleanup.push(context.runId);
    } finally {
      await this.#endLeft(context.runId);
    }
  }

  #inPlace(name: HookName): boolean {
    return this.#setup.experiment.hooks?.[name]?.place === 'variant';
  }

  /** Variants in whose places a hook runs; null: on the host. */
  #placesOfHook(name: HookName): readonly (string | null)[] {
    return this.#inPlace(name) ? [...this.#places.keys()] : [null];
  }

  async #runEach(name: HookName, signal: AbortSignal): Promise<void> {
    const run = { runId: 0, logFile: this.#setup.logFile, signal };
    for (const variant of this.#placesOfHook(name)) await this.#run(name, run, variant);
  }

  /** Runs a hook. `inVariant`: variant in whose place it runs; null: on the host. `ofVariant`: variant whose run it is for. */
  async #run(name: HookName, run: HookRun, inVariant: string | null, ofVariant = inVariant): Promise<void> {
    const hook = this.#setup.experiment.hooks?.[name];
    if (hook === undefined) return;
    run.signal.throwIfAborted();
    const subject = `The hook ${name}${inVariant === null ? '' : ` of variant ${JSON.stringify(inVariant)}`}`;
    const before = sizeOf(run.logFile);
    const place = inVariant === null ? undefined : this.#places.get(inVariant);
    const running =
      place === undefined
        ? this.#onHost(hook, subject, run, ofVariant ?? '')
        : this.#there(place, hook, { name: `hook-${name}`, subject }, run);
    const how = await running
      .finally(() => maskInSlices(run.logFile, this.#setup.secrets, before))
      .catch((thrown: unknown) => {
        if (!(thrown instanceof JoulediffError) || thrown instanceof PlaceLostError) throw thrown;
        throw new HookError(ofVariant, thrown.message, { advice: thrown.advice ?? undefined, cause: thrown });
      });
    run.signal.throwIfAborted();
    if (how === null) return;
    const tail = sizeOf(run.logFile) > before ? quoteTail(readTail(run.logFile, before)) : '';
    throw new HookError(ofVariant, `${subject} ended ${how}.${tail}`);
  }

  /** Runs a hook on the host. Null: it ended well; else how it ended. */
  async #onHost(
    hook: Hook,
    subject: string,
    { runId, logFile, signal }: HookRun,
    variant: string,
  ): Promise<string | null> {
    const { experiment, experimentId, env } = this.#setup;
    const wanted = machineLimits();
    const group = new RunGroup(`${runId}-hook-${++this.#made}`, wanted);
    const held = group.held();
    const limits: Limits = {
      pids: held.pids === null ? wanted.pids : null,
      memoryBytes: held.memoryBytes === null ? wanted.memoryBytes : null,
    };
    try {
      const ended = await runOnHost({
        command: hook.run,
        executions: 1,
        before: [],
        subject,
        directory: experiment.directory,
        env: { ...env, ...hostMarks({ experimentId, runId, variant }, 'hook') },
        logFile,
        timeoutS: hook.timeoutS,
        signal,
        limitsOutput: true,
        birth: group,
        watched: { limits, processes: (own) => findProcesses((found) => found.group === own) },
      });
      const find = () => {
        const members = group.members();
        // The session's first process has ended: a process with its number is another.
        const session = group.entered || readStat(ended.group ?? 0) !== null ? null : ended.group;
        return findProcesses((found) => members.has(found.pid) || found.session === session);
      };
      if (find().length > 0) this.#left.set(runId, [...(this.#left.get(runId) ?? []), find]);
      const execution = { ...ended, limit: group.reached() ?? ended.limit };
      if (isGood(execution)) return null;
      if (execution.timedOut) return atTimeout(hook);
      return execution.limit === null ? endOf(execution) : `${endOf(execution)}: ${limitText(execution.limit)}`;
    } finally {
      group.remove();
    }
  }

  /** As a service that is to end by itself: what it left running ends with it, as it does in a container. */
  async #there(
    { executor, network }: Place,
    hook: Hook,
    { name, subject }: { readonly name: string; readonly subject: string },
    { runId, logFile, signal }: HookRun,
  ): Promise<string | null> {
    const { experimentId, log } = this.#setup;
    for (const lost of this.#unstopped.splice(0)) await lost.stop(GRACE_S).catch(() => {});
    const stop = { signal: 'SIGTERM' as const, withinS: GRACE_S };
    const command: ServiceCommand = { name, run: hook.run, env: {}, workdir: null, stop, subject };
    const made = await executor.makeService(command, { experimentId, runId, logFile, joins: network(), signal });
    const waiting = new AbortController();
    const stopped = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true, signal: waiting.signal });
      if (signal.aborted) resolve(null);
    });
    try {
      await made.start();
      const late = hook.timeoutS === null ? stopped : sleep(1000 * hook.timeoutS, null, { signal: waiting.signal });
      late.catch(() => {});
      const end = await Promise.race([made.ended, stopped, late]);
      if (end?.lost !== undefined) throw end.lost;
      if (end === null) return atTimeout(hook);
      const left = made.left();
      if (left.length > 0 && !this.#reported.has(subject)) {
        this.#reported.add(subject);
        log(
          `${subject} left ${listed(left.slice(0, MAX_NAMES))} running, which ended with it: what a run needs is a service.`,
        );
      }
      return end.exitCode === 0 ? null : endOf(end);
    } finally {
      waiting.abort();
      await made.stop(GRACE_S).catch((thrown: unknown) => {
        this.#unstopped.push(made);
        throw thrown;
      });
    }
  }

  #remember(name: HookName, what: string): () => void {
    const { experimentId } = this.#setup;
    const { hooks, directory, name: experiment } = this.#setup.experiment;
    const run = hooks?.[name]?.run;
    return run === undefined ? () => {} : rememberDue({ what, experimentId, experiment, directory, run });
  }

  /** Ends what the hooks of a run left on the host; run 0: hooks that belong to no run. */
  async #endLeft(runId: number): Promise<void> {
    const marks = { EXPERIMENT: this.#setup.experimentId, RUN: String(runId), STAGE: 'hook' };
    const find = () =>
      findProcesses((found) =>
        Object.entries(marks).every(([name, value]) => found.variable(`JOULEDIFF_${name}`) === value),
      );
    const finds = [find, ...(this.#left.get(runId) ?? [])];
    await endProcesses(() => [...new Set(finds.flatMap((each) => each()))], 1000 * GRACE_S);
    this.#left.delete(runId);
  }
}

/** Adds the hook `cleanup` to a run's end. Of two errors the first is thrown: a cleanup often fails for the same reason. */
function withCleanup(run: PreparedRun, cleanUp: () => Promise<void>): PreparedRun {
  const telemetry = run.telemetry?.bind(run);
  const settle = run.settle?.bind(run);
  return {
    leftByPrepare: run.leftByPrepare,
    get services() {
      return run.services ?? [];
    },
    execute: (edges) => run.execute(edges),
    ...(settle && { settle }),
    ...(telemetry && { telemetry }),
    async dispose() {
      try {
        await run.dispose();
      } catch (thrown) {
        await cleanUp().catch(() => {});
        throw thrown;
      }
      await cleanUp();
    },
  };
}

const atTimeout = ({ timeoutS }: Hook): string => `at its timeout of ${timeoutS} s`;

const endOf = ({ exitCode, signal }: { readonly exitCode: number | null; readonly signal: string | null }): string =>
  signal === null ? `with exit code ${exitCode ?? 'unknown'}` : `by signal ${signal}`;
