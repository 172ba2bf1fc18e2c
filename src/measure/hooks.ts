import { MeasureError, messageOf } from '../errors.ts';
import { hostMarks } from '../executors/environment.ts';
import type { Executor, RunContext } from '../executors/executor.ts';
import { isGood } from '../executors/failures.ts';
import { endProcesses, findProcesses } from '../executors/leftovers/processes.ts';
import { runOnHost } from '../executors/native/host-command.ts';
import { quoteTail } from '../executors/output-tail.ts';
import type { Experiment, HookName } from '../experiment/experiment.ts';

/** When the program is stopped, what puts things back has no more time than that. */
const HURRIED_MS = 3000;
const GRACE_MS = 300;

export interface HooksSetup {
  readonly experiment: Pick<Experiment, 'hooks' | 'directory'>;
  readonly experimentId: string;
  readonly inheritedEnv: Readonly<Record<string, string>>;
  /** Where hooks of no run print. */
  readonly logFile: string;
}

type HookOf = Pick<RunContext, 'runId' | 'logFile' | 'signal'> & { readonly variant: string };

/** The commands that an experiment has around what is measured, on the host. */
export class Hooks {
  readonly #setup: HooksSetup;
  #isBegun = false;

  constructor(setup: HooksSetup) {
    this.#setup = setup;
  }

  /** Throws MeasureError where it fails, or the signal's reason. */
  async beforeAll(signal: AbortSignal): Promise<void> {
    this.#isBegun = true;
    await this.#run('before-all', this.#ofNoRun(signal));
  }

  /** Throws MeasureError where it fails, or the signal's reason. */
  async beforeBlock(signal: AbortSignal): Promise<void> {
    await this.#run('before-block', this.#ofNoRun(signal));
  }

  /** However the experiment ended, once it had begun. Gives what went wrong. */
  async afterAll(signal: AbortSignal): Promise<string[]> {
    if (!this.#isBegun) return [];
    try {
      const own = signal.aborted ? AbortSignal.timeout(HURRIED_MS) : new AbortController().signal;
      await this.#run('after-all', this.#ofNoRun(own));
      return [];
    } catch (thrown) {
      return [messageOf(thrown)];
    }
  }

  /** The executor of a variant, whose runs come between `prepare` and `cleanup`. */
  around(executor: Executor, variant: string): Executor {
    const { hooks = {} } = this.#setup.experiment;
    if (hooks.prepare === undefined && hooks.cleanup === undefined) return executor;
    const repeatProblem = executor.repeatProblem?.bind(executor);
    const recover = executor.recover?.bind(executor);
    const cleanUp = async (context: RunContext): Promise<void> => {
      try {
        if (!context.signal.aborted) await this.#run('cleanup', { ...context, variant });
      } finally {
        await this.#endLeft(context.runId);
      }
    };
    return {
      setup: (signal, recorded) => executor.setup(signal, recorded),
      makeService: (service, context) => executor.makeService(service, context),
      ...(repeatProblem && { repeatProblem }),
      ...(recover && { recover }),
      prepare: async (context) => {
        try {
          await this.#run('prepare', { ...context, variant });
          const run = await executor.prepare(context);
          const telemetry = run.telemetry?.bind(run);
          return {
            leftByPrepare: run.leftByPrepare,
            get services() {
              return run.services ?? [];
            },
            execute: (edges) => run.execute(edges),
            ...(telemetry && { telemetry }),
            dispose: () => run.dispose().finally(() => cleanUp(context)),
          };
        } catch (thrown) {
          await cleanUp(context).catch(() => {});
          throw thrown;
        }
      },
    };
  }

  #ofNoRun(signal: AbortSignal): HookOf {
    return { runId: 0, logFile: this.#setup.logFile, signal, variant: '' };
  }

  async #run(name: HookName, { runId, logFile, signal, variant }: HookOf): Promise<void> {
    const { experiment, experimentId, inheritedEnv } = this.#setup;
    const hook = experiment.hooks?.[name];
    if (hook === undefined) return;
    signal.throwIfAborted();
    const subject = `The hook ${name}`;
    const env = { ...inheritedEnv, ...hostMarks({ experimentId, runId, variant }, 'prepare') };
    const execution = await runOnHost({
      ...{ command: hook.run, executions: 1, before: [], subject, directory: experiment.directory },
      ...{ env, logFile, timeoutS: hook.timeoutS, signal, limitsOutput: true },
    });
    signal.throwIfAborted();
    if (isGood(execution)) return;
    const how = execution.timedOut
      ? `at its timeout of ${hook.timeoutS} s`
      : execution.signal === null
        ? `with exit code ${execution.exitCode}`
        : `by signal ${execution.signal}`;
    throw new MeasureError(`${subject} ended ${how}.${quoteTail(execution.outputTail)}`);
  }

  /** What the hooks of a run left on the host ends with it. */
  async #endLeft(runId: number): Promise<void> {
    const { experimentId } = this.#setup;
    await endProcesses(
      () =>
        findProcesses(
          (found) =>
            found.variable('JOULEDIFF_EXPERIMENT') === experimentId &&
            found.variable('JOULEDIFF_RUN') === String(runId) &&
            found.variable('JOULEDIFF_STAGE') === 'prepare',
        ),
      GRACE_MS,
    );
  }
}
