import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { LimitMet } from '../../contracts/execution.ts';
import { MeasureError, messageOf } from '../../errors.ts';
import { EXPERIMENT_LABEL, RUN_LABEL } from '../../processes/labels.ts';
import { appendRegular } from '../../system/open-regular.ts';
import { AttachedOutput } from '../container/attached-output.ts';
import { answerTo, connectDocker, lostEngine } from '../container/docker.ts';
import { removeAll } from '../container/labeled.ts';
import { limitOfService } from '../container/limit-met.ts';
import { containerUse } from '../container/usage.ts';
import { followEvents } from '../container/watch.ts';
import { hostMarks, type RunIdentity } from '../environment.ts';
import { PlaceLostError } from '../failures.ts';
import type { MadeService, Service, ServiceContext, ServiceEnd } from '../service.ts';
import { checkFree, diedError } from '../services/failures.ts';
import { compose } from './command.ts';
import { type ProjectContainer, readStates, type State, stuckError } from './health.ts';
import type { Stack } from './model.ts';
import { withoutLevels } from './read.ts';
import { projectName, publishedPorts, stopTimeS } from './run-file.ts';
import type { ComposeVariant } from './variant.ts';

const PROJECT_LABEL = 'com.docker.compose.project';
const SERVICE_LABEL = 'com.docker.compose.service';

const CREATE_S = 120;
/** Time limit of `down`, in addition to the grace time of the services. */
const DOWN_S = 60;
const ENGINE_MS = 3000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;

export interface ProjectSetup {
  readonly docker: Docker;
  readonly variant: ComposeVariant;
  readonly stack: Stack;
  readonly env: Readonly<Record<string, string>>;
  readonly service: Service;
  readonly context: ServiceContext;
  /** The Compose file of this run, without the workload's command. */
  readonly file: string;
  log(line: string): void;
}

/** One container of a project, with its output. */
interface Watched extends ProjectContainer {
  readonly output: AttachedOutput;
}

/** A project of a run, with the output of each service. */
export interface MadeProject extends MadeService {
  outputText(service: string): string;
}

/** What is needed to call Compose for one run. */
export interface ProjectCalls {
  readonly docker: Docker;
  readonly variant: ComposeVariant;
  readonly env: Readonly<Record<string, string>>;
  readonly identity: RunIdentity;
}

/** Runs a command of Compose for the project of a run. Throws PlaceLostError where the engine is gone. */
export async function callProject(
  { variant, env, identity }: ProjectCalls,
  words: readonly string[],
  file: string,
  { withinS, signal }: { readonly withinS: number; readonly signal: AbortSignal },
) {
  const directory = dirname(variant.file);
  const answer = await compose({
    words: [
      '-p',
      projectName(identity.experimentId, identity.runId),
      '--project-directory',
      directory,
      '-f',
      '-',
      ...words,
    ],
    // By these marks a later start finds the call, if this process is killed meanwhile.
    env: { ...env, ...hostMarks(identity, 'service') },
    directory,
    input: file,
    withinS,
    signal,
  });
  if (answer.code !== 0) await throwIfGone();
  return answer;
}

async function throwIfGone(): Promise<void> {
  try {
    await connectDocker(ENGINE_MS);
  } catch (cause) {
    throw new PlaceLostError("Docker's engine went away while Compose used it.", { cause });
  }
}

/** Removes everything of a run's project. Throws MeasureError where something is left. */
export function removeProject(docker: Docker, { experimentId, runId }: RunIdentity): Promise<void> {
  return removeAll(docker, [`${EXPERIMENT_LABEL}=${experimentId}`, `${RUN_LABEL}=${runId}`]);
}

/** The error of a refusal by Compose. */
export function refusal(variant: Pick<ComposeVariant, 'name'>, what: string, stderr: string): MeasureError {
  return new MeasureError(
    `The Compose project of variant ${JSON.stringify(variant.name)} could not be ${what}: ${withoutLevels(stderr)}`,
  );
}

/** Containers of a run's project, with their services; `service`: only those of this one. */
export async function projectContainers(
  docker: Docker,
  { experimentId, runId }: RunIdentity,
  service?: string,
): Promise<ProjectContainer[]> {
  const label = [`${PROJECT_LABEL}=${projectName(experimentId, runId)}`];
  if (service !== undefined) label.push(`${SERVICE_LABEL}=${service}`);
  const found = await answerTo((options) => docker.listContainers({ ...options, all: true, filters: { label } }));
  return found.map(({ Id, Labels }) => ({ service: Labels[SERVICE_LABEL] ?? '', container: docker.getContainer(Id) }));
}

/**
 * The project of one run, as a service: its containers are made here, started and waited for by `start`, watched until `stop`, which takes
 * everything down. Nothing is left where this throws.
 */
export async function makeProject(setup: ProjectSetup): Promise<MadeProject> {
  const { docker, variant, stack, env, service, context, file, log } = setup;
  const identity = { experimentId: context.experimentId, runId: context.runId, variant: variant.name };
  const calls = { docker, variant, env, identity };
  const names = stack.steps.flat();
  for (const { service: name, host } of publishedPorts(stack)) checkFree({ name }, [host]);
  const sweep = () => removeProject(docker, identity);
  const { promise: ended, resolve: end } = Promise.withResolvers<ServiceEnd>();
  let watched: Watched[] = [];
  /** Services that must not end before the run does. */
  let needed = new Set<string>();
  let dead: Watched | null = null;
  let events: Readable | null = null;
  let isStopping = false;
  const lose = (cause?: unknown): void => {
    if (isStopping) return;
    end({
      exitCode: null,
      signal: null,
      limit: null,
      lost: new PlaceLostError("Docker's engine went away during the run.", { cause }),
    });
  };
  const onEvent = async (id: string, exitCode: number): Promise<void> => {
    const one = watched.find(({ container }) => container.id === id);
    if (isStopping || dead !== null || one === undefined || !needed.has(id)) return;
    dead = one;
    await arrived(one);
    end({ exitCode, signal: null, limit: await limitOf(one, exitCode), service: one.service });
  };
  const limitOf = ({ container }: Watched, exitCode: number): Promise<LimitMet | null> =>
    limitOfService(container, exitCode, context.signal);
  const textOf = ({ service: name, output }: Watched): string =>
    `${watched.length > 1 ? `== ${name} ==\n` : ''}${output.text()}`;
  const output = (): string => (dead === null ? watched.map(textOf).join('\n') : dead.output.text());

  /** Throws ServiceError for a container that ended too early. */
  const died = async (one: Watched, exitCode: number, limit: LimitMet | null): Promise<never> => {
    dead = one;
    await arrived(one);
    throw diedError({
      service: { ...service, name: one.service },
      end: { exitCode, signal: null, limit },
      wasReady: false,
      output: one.output.text(),
      left: [],
    });
  };
  const stuck = (one: Watched, state: State) =>
    stuckError(service, { service: one.service, output: one.output.text() }, state, variant.withinS);
  const judge = async (states: readonly State[]): Promise<'ready' | 'waiting'> => {
    for (const [i, state] of states.entries()) {
      const one = watched[i] as Watched;
      const isOut = state.kind === 'ended' && (state.exitCode !== 0 || !stack.completing.has(one.service));
      if (isOut) await died(one, state.exitCode, state.limit ?? (await limitOf(one, state.exitCode)));
      if (state.kind === 'unhealthy') throw stuck(one, state);
    }
    const isThere = ({ kind }: State, i: number): boolean =>
      stack.completing.has(watched[i]?.service ?? '') ? kind === 'ended' : kind === 'ready';
    return states.every(isThere) ? 'ready' : 'waiting';
  };
  try {
    if (names.length > 0) {
      const created = await callProject(calls, ['create', '--no-build', '--no-recreate', ...names], file, {
        withinS: CREATE_S,
        signal: context.signal,
      });
      if (created.code !== 0) throw refusal(variant, 'made', created.stderr);
    }
    const containers = await projectContainers(docker, identity);
    watched = containers.map((one) => ({ ...one, output: new AttachedOutput(one.container, context) }));
  } catch (thrown) {
    await sweep().catch(() => {});
    throw lostEngine(thrown);
  }
  return {
    ended,
    network: null,
    async start() {
      if (watched.length === 0) return;
      const filters = {
        label: [`${PROJECT_LABEL}=${projectName(context.experimentId, context.runId)}`],
        event: ['die'],
      };
      events = (await answerTo((options) => docker.getEvents({ ...options, filters }))) as unknown as Readable;
      const onEnd = ({ Actor }: EndEvent) => onEvent(Actor?.ID ?? '', Number(Actor?.Attributes?.exitCode));
      followEvents(events, onEnd, lose);
      await Promise.all(watched.map(({ output: own }) => own.attach()));
      const deadline = performance.now() + 1000 * variant.withinS;
      // `up` ends by itself where a condition can't come true; the states then tell why, and whether everything else is there.
      const started = await callProject(calls, ['up', '-d', '--no-build', '--no-recreate', ...names], file, {
        withinS: variant.withinS,
        signal: context.signal,
      }).catch(async (thrown: unknown) => {
        if (!(thrown instanceof MeasureError) || thrown instanceof PlaceLostError) throw thrown;
        return { code: 1, stdout: '', stderr: thrown.message };
      });
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        context.signal.throwIfAborted();
        const states = await readStates(watched);
        if ((await judge(states)) === 'ready') break;
        if (started.code !== 0 || performance.now() > deadline) {
          const i = states.findIndex(({ kind }) => kind === 'starting');
          const isRefused = performance.now() <= deadline && states.some((one) => 'isChecked' in one && !one.isChecked);
          if (i === -1 || isRefused) throw refusal(variant, 'started', started.stderr);
          throw stuck(watched[i] as Watched, states[i] as State);
        }
        await sleep(pauseMs, undefined, { signal: context.signal }).catch(() => {});
      }
      needed = new Set(
        watched.filter((one) => !stack.completing.has(one.service)).map(({ container }) => container.id),
      );
      // A container may have ended before its event could be heard, so the states are read once more.
      await judge(await readStates(watched));
    },
    output,
    outputText: (name) => watched.flatMap((one) => (one.service === name ? [one.output.text()] : [])).join('\n'),
    // The project is ready once it has started; as a whole it can't be asked anything.
    listens: async () => false,
    addresses: async () => [],
    succeeds: async () => false,
    used: () => watched.flatMap(({ container: { id } }) => (needed.has(id) ? [containerUse(id)] : [])),
    left: () => [],
    async stop(withinS) {
      isStopping = true;
      const isHurried = context.signal.aborted || withinS < service.stop.withinS;
      try {
        if (!isHurried) {
          // What `down` can't remove is removed by its labels.
          await callProject(calls, ['down', '--volumes', '--remove-orphans'], file, {
            withinS: DOWN_S + stopTimeS(stack),
            signal: context.signal,
          }).catch((thrown: unknown) => {
            // A stop meanwhile is in a hurry: the rest is ended at once.
            if (!context.signal.aborted) log(`${messageOf(thrown)} Data that services had not written may be lost.`);
          });
        }
        await sweep();
      } catch (thrown) {
        throw lostEngine(thrown);
      } finally {
        events?.destroy();
        for (const one of watched) {
          if (watched.length > 1) heading(context.logFile, one.service);
          await one.output.copy();
        }
      }
      return { killed: false, left: [] };
    },
  };
}

/** Waits for the rest of the output of a container that has ended. */
async function arrived({ output }: Watched): Promise<void> {
  await output.tail({ byte: 0, clock: 0n });
}

/** Writes a heading into a log. Never throws: a log is a help for people, and a full disk must not cost more than that. */
function heading(logFile: string, service: string): void {
  try {
    appendRegular(logFile, `== ${service} ==\n`);
  } catch {}
}

interface EndEvent {
  readonly Actor?: { readonly ID?: string; readonly Attributes?: { readonly exitCode?: string } };
}
