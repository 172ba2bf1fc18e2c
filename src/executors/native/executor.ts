import { resolve } from 'node:path';
import type { Execution, RunTelemetry } from '../../contracts/execution.ts';
import type { Command, PlaceFacts, VariantBase } from '../../contracts/variant.ts';
import { messageOf } from '../../errors.ts';
import { type Limits, limitFacts } from '../../processes/limits.ts';
import { RunGroup } from '../../processes/run-group.ts';
import { withAdded } from '../added.ts';
import { hostMarks, type RunIdentity, type Stage, serviceHostMark } from '../environment.ts';
import {
  type Executor,
  type ExecutorEnvironment,
  forCleanup,
  type PreparedRun,
  type RunContext,
  type RunHooks,
} from '../executor.ts';
import { formatSubject, isGood, stageFailure } from '../failures.ts';
import { MAX_IN_MEMORY_BYTES } from '../output-limit.ts';
import { CheckpointLines } from '../phases/checkpoint-lines.ts';
import type { PhaseLine } from '../phases/phase-lines.ts';
import { noPhases, type ReportedPhases } from '../phases/phase-marks.ts';
import { scanLog } from '../phases/scan-log.ts';
import { NO_PIN, pinFacts } from '../pins.ts';
import type { ServiceHost, ServiceRunner } from '../service.ts';
import { type HostCommand, runOnHost } from './host-command.ts';
import { holdToLimits, polledLimits } from './limits.ts';
import { LogGrowth } from './log-growth.ts';
import { MemoryFile } from './memory-file.ts';
import { checkStart } from './program.ts';
import { makeNativeService } from './service.ts';
import { Survivors } from './survivors.ts';
import { NativeUsage } from './usage.ts';
import { findUser, type HostUser } from './user.ts';

/** Runs services on the host itself. */
export const makeHostRunner = (place: HostPlace, environment: ExecutorEnvironment): ServiceRunner =>
  servicesOf(stateOf(place, environment));

/** Runs workloads on the host itself. */
export function makeNativeExecutor(variant: HostVariant, environment: ExecutorEnvironment): Executor {
  const { workload } = variant;
  const { env, workdir, pin } = workload;
  const state: NativeState = {
    ...stateOf({ ...variant, env, workdir, ...(pin && { pin }) }, environment),
    variant,
    isReported: false,
  };
  const services = servicesOf(state);
  return {
    traces: 'host',
    async setup(signal) {
      const facts = await services.setup(signal);
      if (!environment.isMadeByHook) checkStart(variant, state.directory, hostEnvironment(state));
      return facts;
    },
    makeService: services.makeService,
    async prepare(context) {
      context.signal.throwIfAborted();
      const { prepare } = variant.workload;
      const end = endOfAll(state, context);
      let names: readonly string[] = [];
      if (prepare !== null) {
        try {
          const execution = await runStage(state, context, 'prepare', prepare, end);
          if (!isGood(execution)) throw stageFailure(variant, 'prepare', execution);
          names = await end.staying();
        } catch (thrown) {
          await end.end();
          throw thrown;
        }
      }
      const leftByPrepare = names.length === 0 ? null : { names, runOn: true };
      return { leftByPrepare, ...preparedRun(state, context, end) };
    },
  };
}

const NO_LIMITS: Limits = { pids: null, memoryBytes: null };
const MIN_MEMORY_BYTES = 512 * 2 ** 20;
const TO_DISK =
  'What native runs print is written to the disk while they run: there is no file system in memory at /dev/shm, or too little room in it.';

type HostVariant = VariantBase & HostLimits;

/** Settings of a variant on the host; absent ones are the user who started joulediff, and the limits of all processes there. */
interface HostLimits {
  readonly user?: string;
  readonly pids?: number;
  readonly memoryBytes?: number;
}

interface HostPlace extends ServiceHost, HostLimits {
  /** Working directory; null: the folder of the experiment. */
  readonly workdir: string | null;
}

/** State that runs on the host share with their services. */
interface HostState {
  readonly place: HostPlace;
  readonly environment: ExecutorEnvironment;
  readonly directory: string;
  /** User of the workload; null: joulediff's own. */
  user: HostUser | null;
  /** Limits that a control group enforces. */
  limits: Limits;
  /** Limits that no control group enforces, so that joulediff polls them. */
  watched: Limits;
}

function stateOf(place: HostPlace, environment: ExecutorEnvironment): HostState {
  const directory = resolve(environment.directory, place.workdir ?? '.');
  return { place, environment, directory, user: null, limits: NO_LIMITS, watched: NO_LIMITS };
}

function servicesOf(state: HostState): ServiceRunner {
  const { place } = state;
  return {
    async setup() {
      state.user = place.user === undefined ? null : findUser(place.user);
      const held = holdToLimits({ variant: place, uid: getUid(state) });
      state.limits = held.byGroup;
      state.watched = held.watched;
      const facts: PlaceFacts = place.user === undefined ? {} : { user: place.user };
      return { ...facts, ...pinFacts(place.pin), ...limitFacts(held, polledLimits(held.watched)) };
    },
    async makeService(service, context) {
      const { environment, limits, watched, user } = state;
      const env = { ...hostEnvironment(state), ...service.env };
      return makeNativeService({
        service,
        context,
        directory: service.workdir === null ? state.directory : resolve(environment.directory, service.workdir),
        limits,
        watched,
        variant: place.name,
        uid: getUid(state),
        env: withAdded(env, context.added, service.name),
        pin: place.pin ?? NO_PIN,
        before: user?.before ?? [],
      });
    },
  };
}

const hostEnvironment = ({ environment, user, place }: HostState): Record<string, string> => ({
  ...environment.inheritedEnv,
  ...user?.env,
  ...place.env,
});

interface NativeState extends HostState {
  readonly variant: HostVariant;
  /** Whether it was logged that there is no memory for output. */
  isReported: boolean;
}

/** Ends whatever `prepare` and `cleanup` leave, when the run is over; both are born in the group. */
interface EndOfAll extends Birth {
  /** Names of processes that are still running. */
  staying(): Promise<readonly string[]>;
  end(): Promise<void>;
}

function endOfAll(state: NativeState, context: RunContext): EndOfAll {
  const survivors = makeSurvivors(state, context, null);
  const group = new RunGroup(`${context.runId}-prepare`, state.limits);
  return {
    group,
    survivors,
    birth: group,
    staying: () => survivors.staying(),
    async end() {
      const left = await survivors.end();
      group.remove();
      if (left === null || left.remaining.length === 0 || forCleanup(context).signal.aborted) return;
      const names = left.remaining.slice(0, 5).join('; ');
      state.environment.log(
        `Processes that began in run ${context.runId} of variant ${JSON.stringify(state.variant.name)} are still there, and could not be ended or may be somebody else's: ${names}.`,
      );
    },
  };
}

function preparedRun(state: NativeState, context: RunContext, endOfAll: EndOfAll): Omit<PreparedRun, 'leftByPrepare'> {
  const { workload } = state.variant;
  let disposed = false;
  let telemetry = async (): Promise<RunTelemetry> => ({ marks: [], phaseProblem: null, usage: null });
  let saveOutput = async (): Promise<void> => {};
  return {
    async execute(hooks) {
      context.signal.throwIfAborted();
      const memory = memoryFor(state, context);
      const logFile = memory?.path ?? context.logFile;
      const growth = new LogGrowth(logFile, context.phaseLines, memory === null ? undefined : MAX_IN_MEMORY_BYTES);
      saveOutput = async () => {
        saveOutput = async () => {};
        growth.finish();
        // A log is a help for people: an experiment doesn't fail for it.
        await memory?.moveTo(context.logFile).catch(() => {});
      };
      const group = new RunGroup(String(context.runId), state.limits, undefined, undefined, context.observed);
      group.weigh(workload.pin?.nice ?? null);
      const usage = new NativeUsage(group);
      const survivors = makeSurvivors(state, { ...context, logFile: memory?.name ?? logFile }, 'run');
      const birth = {
        enter: () => group.enter(),
        leave() {
          group.leave();
          growth.awake();
        },
        // Otherwise all that joulediff's threads do between enter and leave would be counted.
        adopt: context.observed && ((pid: number) => group.takeIn(pid)),
      };
      try {
        // If containers are started for each execution, the same loop starts the command here, so that costs are alike; all that it starts is
        // in the group.
        const { executions } = context;
        const once = { ...context, logFile };
        const execution = await runStage(state, once, 'run', workload.run, {
          group,
          birth,
          survivors,
          executions,
          hooks,
        });
        growth.stop();
        const used = usage.end();
        telemetry = async () => {
          const { marks, problem } = await nativePhases(logFile, growth, execution, context.phaseLines ?? []);
          await saveOutput();
          return { marks, phaseProblem: problem, usage: used };
        };
        return { ...execution, leftRunning: await survivors.end() };
      } finally {
        growth.stop();
        group.remove();
      }
    },
    telemetry: () => telemetry(),
    async dispose() {
      if (disposed) return;
      disposed = true;
      await saveOutput();
      context.onPrinted?.();
      try {
        // A stop leaves no time for `cleanup`; `prepare` comes again before the next run.
        const own = forCleanup(context);
        if (workload.cleanup === null || own.signal.aborted) return;
        const execution = await runStage(state, own, 'cleanup', workload.cleanup, endOfAll);
        if (!isGood(execution) && !own.signal.aborted) {
          throw stageFailure(state.variant, 'cleanup', execution);
        }
      } finally {
        await endOfAll.end();
      }
    },
  };
}

/** File in memory for the output of a run; null: it goes to the disk, because that was asked for, or memory is short. */
function memoryFor(state: NativeState, { outputToDisk = false }: RunContext): MemoryFile | null {
  // The file counts as the workload's memory, which must not run out for its output.
  if (outputToDisk || (state.limits.memoryBytes ?? Number.POSITIVE_INFINITY) < MIN_MEMORY_BYTES) return null;
  const file = MemoryFile.make();
  if (file === null && !state.isReported) state.environment.log(TO_DISK);
  state.isReported = true;
  return file;
}

/** Phases of a workload that wrote into its log file by itself; `growth` has watched the file's size. */
async function nativePhases(
  logFile: string,
  growth: LogGrowth,
  window: Pick<Execution, 'startNs' | 'endNs'>,
  phaseLines: readonly PhaseLine[],
): Promise<ReportedPhases> {
  try {
    const found = growth.finish() ?? (await scanLog(logFile, growth, new CheckpointLines(phaseLines)));
    if (found.problem !== null) return noPhases(found.problem);
    if (found.reported.length > 0 && growth.problem !== null) return noPhases(growth.problem);
    return { marks: found.inWindow((at) => growth.when(at), window), problem: null };
  } catch (thrown) {
    return noPhases(`its output could not be read: ${messageOf(thrown)}`);
  }
}

/** Where a command is born, and what knows its processes. */
interface Birth {
  readonly group: RunGroup;
  readonly birth: HostCommand['birth'];
  readonly survivors: Survivors;
}

async function runStage(
  state: NativeState,
  context: RunContext,
  stage: Stage,
  command: Command,
  {
    group,
    birth,
    survivors,
    executions = 1,
    hooks,
  }: Birth & { readonly executions?: number | undefined; readonly hooks?: RunHooks },
): Promise<Execution> {
  const { variant, directory } = state;
  const marks = hostMarks(identityOf(state, context), stage);
  const given = { ...hostEnvironment(state), ...marks };
  const env = withAdded(given, stage === 'run' ? context.added : [], null);
  Object.assign(env, serviceHostMark(context.serviceHost));
  const { timeoutS } = variant.workload;
  const { group: processGroup, ...execution } = await runOnHost(
    {
      command,
      executions,
      directory,
      env,
      timeoutS,
      birth,
      logFile: context.logFile,
      signal: context.signal,
      subject: formatSubject(variant, stage),
      limitsOutput: stage !== 'run',
      pin: variant.workload.pin ?? NO_PIN,
      before: [...(stage === 'run' ? (context.tracer?.host ?? []) : []), ...(state.user?.before ?? [])],
      watched: { limits: state.watched, processes: (own) => survivors.running(own, group) },
    },
    hooks,
  );
  survivors.note(processGroup, group);
  return { ...execution, limit: group.reached() ?? execution.limit };
}

/**
 * Ends what the run left running, since the machine must be idle in the guard. What `prepare` started (a server that the workload uses) stays until
 * after `cleanup`; then what all stages left is ended.
 */
function makeSurvivors(state: NativeState, context: RunContext, stage: Stage | null): Survivors {
  const { directory } = state;
  const uid = getUid(state);
  return new Survivors({ identity: identityOf(state, context), stage, logFile: context.logFile, directory, uid });
}

const getUid = ({ user }: HostState): number => user?.uid ?? process.geteuid?.() ?? 0;

function identityOf({ variant }: NativeState, { experimentId, runId }: RunContext): RunIdentity {
  return { experimentId, runId, variant: variant.name };
}
