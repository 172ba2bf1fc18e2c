import { existsSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import type Docker from 'dockerode';
import type { ObservedGroup } from '../../contracts/observation.ts';
import type { Tracer } from '../../contracts/observing.ts';
import type { PlaceFacts } from '../../contracts/variant.ts';
import { MeasureError } from '../../errors.ts';
import { type Limits, limitFacts, MAX_PIDS, usableMemory } from '../../processes/limits.ts';
import { nowNs, secondsToNs, sleepUntil } from '../../system/clock.ts';
import { withDeadline } from '../../system/deadline.ts';
import { listed } from '../../text/plain.ts';
import type { Executor, ExecutorEnvironment } from '../executor.ts';
import { pinFacts } from '../pins.ts';
import { hasStages, ownVolume, runCommand, SHELL_TRIAL, stageDispatcher, TRUE } from './command.ts';
import { createContainer } from './create.ts';
import { answerTo, connectDocker, type EngineInfo, engineMessage, lostEngine, statusOf, titleOf } from './docker.ts';
import { checkHeld, checkReached, type Engine, openEngine, runtimeFacts } from './engines/engine.ts';
import { withUlimits } from './engines/podman-ulimits.ts';
import { findImageFor } from './engines/same-image.ts';
import { copyFiles } from './files.ts';
import type { FoundImage } from './image.ts';
import { removeRuns } from './labeled.ts';
import { containerUser } from './options.ts';
import { prepareContainerRun } from './run.ts';
import { equippedFor, makeContainerService, withAddedTo, withNetwork } from './service.ts';
import { checkPlatform, checkRuntime, optionFacts, proveOptions } from './trial.ts';
import { CALLER, type ContainerVariant, hostFolders, writableFolders } from './variant.ts';

/** How long an engine that went away may take to come back, seconds. */
export const RETURN_S = 60;
export const RETRY_S = 1;
/** Time after which a lost engine's answer counts: one that is being stopped still answers while it ends its containers. */
const STOPPING_S = 2;
/** Networks that every engine has, or that name another container. */
const OWN_NETWORK = /^(host|none|bridge|default|own|container:.*)$/;

/** Runs workloads in containers of their own, one a run. */
export function makeContainerExecutor(variant: ContainerVariant, environment: ExecutorEnvironment): Executor {
  let ready: {
    readonly docker: Docker;
    readonly engine: Engine;
    readonly image: FoundImage;
    readonly limits: Limits;
    readonly groupDriver: string | undefined;
    checkMounts(): void;
  } | null = null;
  const env = { ...environment.passedEnv, ...variant.workload.env };
  let equipped: ContainerVariant = { ...variant, workload: { ...variant.workload, env } };
  const commandOf = (image: FoundImage, executions: number, tracer?: Tracer) =>
    hasStages(variant)
      ? stageDispatcher(variant)
      : runCommand(variant, image.entrypoint, executions, tracer?.inside?.words);
  const identityOf = (runId: number) => ({ experimentId: environment.experimentId, runId, variant: variant.name });
  return {
    traces: 'image',
    async setup(signal, recorded) {
      const engine = await openEngine(variant, environment);
      const { docker, info } = engine;
      tellOther(engine, recorded, environment);
      const image = await findImageFor({ variant, engine, environment, signal }, recorded);
      signal.throwIfAborted();
      checkPlatform(variant, image);
      await checkNetwork(docker, variant);
      if (!engine.isPodman) checkRuntime(variant, info);
      checkHeld(variant, engine);
      checkReached(variant, engine);
      tellFilesOfRoot(variant, image, engine, environment);
      const limits = limitsOf(info, variant);
      equipped = withUlimits(equipped, engine, environment);
      // In an engine without root, a container's root is the caller. Every other user is one of the caller's subordinate IDs.
      if (engine.isRootless && variant.user === CALLER) equipped = { ...equipped, user: '0:0' };
      // The engine itself knows best what it refuses; its refusal should come before the first block, and not as a failed run.
      const trial = await createContainer(docker, equipped, image, identityOf(0), {
        command: commandOf(image, 1),
        limits,
        logsOutput: false,
      });
      await trial.remove();
      const started = { command: TRUE, limits, logsOutput: false };
      const make = (options: ContainerVariant) => createContainer(docker, options, image, identityOf(0), started);
      await proveOptions(equipped, make, environment.log, signal, engine.isPodman ? engine.text : null);
      ready = { docker, engine, image, limits, groupDriver: info.CgroupDriver, checkMounts: mountCheck(variant) };
      return {
        ...image.facts,
        ...engine.facts,
        ...optionFacts(variant),
        ...runtimeFacts(variant, engine),
        ...formatPrivileges(variant),
        ...pinFacts(variant.workload.pin),
        ...limitFacts(limits),
      };
    },
    async repeatProblem(signal) {
      if (ready === null) throw new Error('setup() comes before repeatProblem()');
      // A command that a shell starts anyway needs no test for one: it fails and says so.
      if (hasStages(variant) || typeof variant.workload.run === 'string') return null;
      const { docker, image, limits } = ready;
      const started = { command: SHELL_TRIAL, limits, logsOutput: false };
      const trial = await createContainer(docker, equipped, image, identityOf(0), started);
      try {
        return (await isStarted(trial.container, signal)) ? null : NO_SHELL;
      } finally {
        await trial.remove();
      }
    },
    async prepare(context) {
      if (ready === null) throw new Error('setup() comes before prepare()');
      context.signal.throwIfAborted();
      const { docker, engine, image, limits, groupDriver, checkMounts } = ready;
      const { executions = 1, ownStarts = false, outputToDisk: logsOutput = false } = context;
      checkMounts();
      try {
        const command = commandOf(image, ownStarts ? 1 : executions, context.tracer);
        const observed = engine.isPodman ? forPodman(context.observed, groupDriver) : context.observed;
        const within = observed?.inside.name;
        const joined = withNetwork(withAddedTo(equipped, image, context.added, null), context.joins ?? null);
        const created = await createContainer(docker, joined, image, identityOf(context.runId), {
          command,
          limits,
          logsOutput,
          serviceHost: context.serviceHost,
          groupParent: groupParent(observed, groupDriver),
          ownFolder: ownVolume(variant, context.tracer),
        });
        return await prepareContainerRun({
          docker,
          isPodman: engine.isPodman,
          variant,
          within,
          image,
          created,
          context,
          log: environment.log,
        });
      } catch (thrown) {
        throw lostEngine(thrown, titleOf(engine.isPodman));
      }
    },
    async makeService(service, context) {
      if (ready === null) throw new Error('setup() comes before makeService()');
      const { engine, image, limits, groupDriver, checkMounts } = ready;
      checkMounts();
      try {
        const made = withAddedTo(equippedFor(equipped, service), image, context.added, service.name);
        const observed = engine.isPodman ? forPodman(context.observed, groupDriver) : context.observed;
        const parent = groupParent(observed, groupDriver);
        return await makeContainerService({
          engine,
          variant: made,
          image,
          limits,
          groupParent: parent,
          service,
          context,
        });
      } catch (thrown) {
        throw lostEngine(thrown, titleOf(engine.isPodman));
      }
    },
    // An engine without control groups starts processes in the group that it is in itself.
    hasGroups: () => ready?.groupDriver !== 'none',
    async filesOf(paths, into) {
      if (ready === null) throw new Error('setup() comes before filesOf()');
      const { docker, image, limits } = ready;
      const started = { command: TRUE, limits, logsOutput: false };
      const { container, remove } = await createContainer(docker, equipped, image, identityOf(0), started);
      try {
        await copyFiles(container, paths, into);
      } finally {
        await remove();
      }
    },
    async recover(signal) {
      if (ready === null || variant.engine === undefined) return recoverEngine(environment, signal);
      const { docker, engine } = ready;
      const connect = () => engine.reconnect().then(() => docker);
      await recoverEngine(environment, signal, connect, titleOf(engine.isPodman));
    },
  };
}

/** Parent group in the engine's form: a path, or with systemd the last part of it. */
export function groupParent(observed: ObservedGroup | undefined, driver: string | undefined): string | undefined {
  if (observed === undefined) return undefined;
  return driver === 'systemd' ? basename(observed.inside.name) : `/${observed.inside.name}`;
}

/** Without systemd, Podman refuses a parent whose name ends like a slice, so it gets a group inside of that. */
function forPodman(observed: ObservedGroup | undefined, driver: string | undefined): ObservedGroup | undefined {
  if (observed === undefined || driver === 'systemd') return observed;
  const { inside } = observed;
  return { ...observed, inside: { name: `${inside.name}/podman`, folder: join(inside.folder, 'podman') } };
}

/**
 * Waits for an engine that went away, and removes what is left of this experiment's runs, none of which is in progress. Throws MeasureError where it
 * doesn't come back, or keeps something.
 */
export async function recoverEngine(
  { experimentId, log }: ExecutorEnvironment,
  signal: AbortSignal,
  connect: () => Promise<Docker> = connectDocker,
  title = titleOf(false),
): Promise<void> {
  await sleepUntil(nowNs() + secondsToNs(STOPPING_S), signal);
  const untilNs = nowNs() + secondsToNs(RETURN_S);
  for (let waited = false; ; waited = true) {
    try {
      await removeRuns(await connect(), experimentId);
      if (waited) log(`${title} is back.`);
      return;
    } catch (thrown) {
      if (nowNs() > untilNs) throw thrown;
      if (!waited) log(`Waiting up to a minute for ${title} to come back.`);
      await sleepUntil(nowNs() + secondsToNs(RETRY_S), signal);
    }
  }
}

/** Logs that the engine or its version is another than before, since runs on two engines can't be compared as neighbors. */
function tellOther({ facts, text }: Engine, recorded: PlaceFacts | undefined, { log }: ExecutorEnvironment): void {
  if (recorded === undefined) return;
  const nameOf = ({ engine = 'docker', engine_version: version = '', engine_rights: rights = 'root' }: PlaceFacts) =>
    `${engine} ${version} (${rights})`.replace('  ', ' ');
  const before = nameOf(recorded);
  if (before !== nameOf(facts)) log(`The engine is now ${text}; the experiment was begun with ${before}.`);
}

export const NO_SHELL = 'its image has no shell "sh"';
const START_MS = 120_000;

/** Whether the engine could start it. Throws what is no refusal of the engine. */
export async function isStarted(container: Docker.Container, stop: AbortSignal): Promise<boolean> {
  try {
    await withDeadline((abortSignal) => container.start({ abortSignal }), { ms: START_MS, stop, stopMs: 0 });
    return true;
  } catch (cause) {
    if (statusOf(cause) === null) throw lostEngine(cause);
    return false;
  }
}

/**
 * Remembers where the host folders of the volumes lead now. The engine follows links as the host's root: a workload that can write around a
 * folder could lay one in its place, and have any folder of the host mounted into the next container.
 */
export function mountCheck({ name, volumes }: Pick<ContainerVariant, 'name' | 'volumes'>): () => void {
  const leads = hostFolders(volumes).map((folder) => ({ folder, to: realPath(folder) }));
  return () => {
    const moved = leads.find(({ folder, to }) => realPath(folder) !== to);
    if (moved === undefined) return;
    throw new MeasureError(
      `The volume ${moved.folder} of variant ${JSON.stringify(name)} led to ${moved.to ?? 'nothing'} when the experiment began, and leads to ${realPath(moved.folder) ?? 'nothing'} now, so it is not mounted.`,
      { advice: 'Mount no folder that a workload can replace by a link.' },
    );
  };
}

function realPath(path: string): string | null {
  return existsSync(path) ? realpathSync(path) : null;
}

/** Limits that the engine can enforce on a container, by its own description. */
export function limitsOf(
  info: EngineInfo,
  { pids, memoryBytes }: { readonly pids?: number; readonly memoryBytes: number | null },
): Limits {
  return {
    pids: info.PidsLimit === false ? null : (pids ?? MAX_PIDS),
    memoryBytes: info.MemoryLimit === false ? null : (memoryBytes ?? usableMemory(info.MemTotal)),
  };
}

/** Privileges that the variant asks for beyond the usual ones. */
export function formatPrivileges({ capabilities = [], newPrivileges, security = [] }: ContainerVariant): PlaceFacts {
  const more = [...capabilities, ...(newPrivileges ? ['new-privileges'] : []), ...security];
  return more.length === 0 ? {} : { privileges: more.join(', ') };
}

export async function checkNetwork(docker: Docker, variant: ContainerVariant): Promise<void> {
  const { network } = variant;
  if (network === null || OWN_NETWORK.test(network)) return;
  try {
    await answerTo((options) => docker.getNetwork(network).inspect(options as never) as unknown as Promise<unknown>);
  } catch (cause) {
    throw new MeasureError(
      `The network of variant ${JSON.stringify(variant.name)} can't be used: ${engineMessage(cause)}.`,
      {
        advice: `Create it first: docker network create ${variant.network}.`,
        cause,
      },
    );
  }
}

/**
 * Says what a container that runs as root does to the folders of a caller who isn't: files that it makes there are root's, so a native variant fails
 * there, and the next job can't remove them. An engine without root maps that user to the caller.
 */
function tellFilesOfRoot(
  variant: ContainerVariant,
  image: FoundImage,
  { isRootless }: Engine,
  { log }: ExecutorEnvironment,
): void {
  const folders = writableFolders(variant.volumes);
  const user = containerUser(variant) ?? image.user;
  const isRoot = user === '' || /^(?:0|root)(?::|$)/.test(user);
  if (process.getuid?.() === 0 || isRootless || !isRoot || folders.length === 0) return;
  log(
    `The container of ${JSON.stringify(variant.name)} runs as root and can write into the mounted folder ${listed(folders)}: files that it makes there belong to root, so neither you nor a later job can change or remove them. With user: caller, they are yours.`,
  );
}
