import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { InputError, messageOf } from '../../errors.ts';
import { hostMarks, type Stage } from '../environment.ts';
import type {
  Execution,
  Executor,
  ExecutorEnvironment,
  PreparedRun,
  RunContext,
  RunHooks,
  RunTelemetry,
} from '../executor.ts';
import { stageFailure, subjectOf } from '../failures.ts';
import { endProcesses, type FoundProcess, findProcesses } from '../leftovers/processes.ts';
import { CheckpointLines } from '../phases/checkpoint-lines.ts';
import type { PhaseLine } from '../phases/phase-lines.ts';
import { keptInWindow, noPhases, type ToldPhases } from '../phases/phase-marks.ts';
import { scanLog } from '../phases/scan-log.ts';
import { repeatInWindow } from '../repeat.ts';
import type { Command, VariantBase } from '../variant.ts';
import { type HostCommand, type HostExecution, runOnHost } from './host-command.ts';
import { LogGrowth } from './log-growth.ts';
import { checkProgram } from './program.ts';
import { NativeUsage } from './usage.ts';

/** SIGTERM to SIGKILL for what a workload left behind; short, because it eats into the guard after the window. */
const LEFTOVER_GRACE_MS = 300;

/** Runs workloads on the host itself. */
export function makeNativeExecutor(variant: VariantBase, environment: ExecutorEnvironment): Executor {
  const directory = resolve(environment.directory, variant.workload.workdir ?? '.');
  const state: NativeState = { variant, environment, directory, leftoversTold: false };
  return {
    async setup() {
      checkStart(state);
      return {};
    },
    async prepare(context) {
      context.signal.throwIfAborted();
      const { prepare } = variant.workload;
      if (prepare !== null) {
        const execution = await runStage(state, context, 'prepare', prepare, null);
        if (execution.exitCode !== 0) {
          await endMarked(context);
          throw stageFailure(variant, 'prepare', execution);
        }
      }
      return preparedRun(state, context);
    },
  };
}

interface NativeState {
  readonly variant: VariantBase;
  readonly environment: ExecutorEnvironment;
  readonly directory: string;
  leftoversTold: boolean;
}

function preparedRun(state: NativeState, context: RunContext): PreparedRun {
  const { workload } = state.variant;
  let disposed = false;
  let telemetry = async (): Promise<RunTelemetry> => ({ marks: [], phaseProblem: null, usage: null });
  return {
    async execute(hooks, times = 1) {
      context.signal.throwIfAborted();
      const groups = new Set<number>();
      const growth = new LogGrowth(context.logFile);
      const usage = new NativeUsage(context.runId);
      const birth = {
        enter: () => usage.memory.enter(),
        leave() {
          usage.memory.leave();
          growth.awake();
        },
      };
      try {
        const { group: _last, ...execution } = await repeatInWindow(times, hooks, async (edges) => {
          const once = await runStage(state, context, 'run', workload.run, workload.timeoutS, edges, birth);
          if (once.group !== null) groups.add(once.group);
          return once;
        });
        growth.stop();
        const used = usage.end();
        telemetry = async () => {
          const { marks, problem } = await nativePhases(context.logFile, growth, execution, context.phaseLines ?? []);
          return { marks, phaseProblem: problem, usage: used };
        };
        await endLeftovers(state, context, groups);
        return execution;
      } finally {
        growth.stop();
        usage.memory.remove();
      }
    },
    telemetry: () => telemetry(),
    async dispose() {
      if (disposed) return;
      disposed = true;
      try {
        // A stop leaves no time for it, and whatever is prepared again before the next run.
        if (workload.cleanup === null || context.signal.aborted) return;
        const execution = await runStage(state, context, 'cleanup', workload.cleanup, null);
        if (execution.exitCode !== 0 && !context.signal.aborted) {
          throw stageFailure(state.variant, 'cleanup', execution);
        }
      } finally {
        await endMarked(context);
      }
    },
  };
}

/** The phases of a workload that wrote into its log file by itself, while `growth` looked at the file's size. */
async function nativePhases(
  logFile: string,
  growth: LogGrowth,
  window: Pick<Execution, 'startNs' | 'endNs'>,
  phaseLines: readonly PhaseLine[],
): Promise<ToldPhases> {
  try {
    const found = await scanLog(logFile, growth, new CheckpointLines(phaseLines));
    if (found.problem !== null) return noPhases(found.problem);
    if (found.told.length > 0 && growth.problem !== null) return noPhases(growth.problem);
    const marks = found.told.map(({ phase, at }) => keptInWindow({ ...growth.when(at), phase }, window));
    return { marks, problem: null };
  } catch (thrown) {
    return noPhases(`its output could not be read: ${messageOf(thrown)}`);
  }
}

function runStage(
  state: NativeState,
  context: RunContext,
  stage: Stage,
  command: Command,
  timeoutS: number | null,
  hooks?: RunHooks,
  birth?: HostCommand['birth'],
): Promise<HostExecution> {
  const { variant, environment, directory } = state;
  const identity = { experimentId: context.experimentId, runId: context.runId, variant: variant.name };
  const env = { ...environment.inheritedEnv, ...variant.workload.env, ...hostMarks(identity, stage) };
  const subject = subjectOf(variant, stage);
  return runOnHost(
    { command, subject, directory, env, logFile: context.logFile, timeoutS, signal: context.signal, birth },
    hooks,
  );
}

/**
 * Nothing but idleness may happen in the guard: what the run left running is ended, a daemon that left the group too.
 * What `prepare` started (a server that the workload talks to) stays until after `cleanup`.
 */
async function endLeftovers(state: NativeState, context: RunContext, groups: ReadonlySet<number>): Promise<void> {
  const ofThisRun = (found: FoundProcess) =>
    groups.has(found.group) || (isMarked(found, context) && found.variable('JOULEDIFF_STAGE') === 'run');
  const ended = await endProcesses(() => findProcesses(ofThisRun), LEFTOVER_GRACE_MS);
  if (ended.length === 0 || state.leftoversTold || context.signal.aborted) return;
  state.leftoversTold = true;
  const names = [...new Set(ended)].slice(0, 5).join(', ');
  state.environment.log(
    `The workload of variant ${JSON.stringify(state.variant.name)} ended but left processes running (${names}). They are ended ` +
      'after each run and their energy is not in its window: let the workload wait for them.',
  );
}

async function endMarked(context: RunContext): Promise<void> {
  await endProcesses(() => findProcesses((found) => isMarked(found, context)), LEFTOVER_GRACE_MS);
}

function isMarked(found: FoundProcess, context: RunContext): boolean {
  return (
    found.variable('JOULEDIFF_EXPERIMENT') === context.experimentId &&
    found.variable('JOULEDIFF_RUN') === String(context.runId)
  );
}

function checkStart(state: NativeState): void {
  const { variant, environment, directory } = state;
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InputError(
      `The working directory of variant ${JSON.stringify(variant.name)}, ${directory}, isn't a folder.`,
      {
        advice: "workdir is relative to the experiment file's folder.",
      },
    );
  }
  const { prepare, run } = variant.workload;
  // What prepare makes can't be looked for before it ran.
  const [stage, first]: [Stage, Command] = prepare === null ? ['run', run] : ['prepare', prepare];
  const program = typeof first === 'string' ? pathAtStart(first) : (first[0] ?? '');
  if (program === null) return;
  const env = { ...environment.inheritedEnv, ...variant.workload.env };
  checkProgram(subjectOf(variant, stage), program, directory, env);
}

/** The program of a shell command that is no more than a path and its arguments (`./bench.sh -n 3`); null: the shell alone can tell. */
function pathAtStart(command: string): string | null {
  if (/[;&|<>()`\n]/.test(command)) return null;
  return /^\s*((?:\.{0,2}\/|[\w.+-]+\/)[\w.+/-]+)(?=\s|$)/.exec(command)?.[1] ?? null;
}
