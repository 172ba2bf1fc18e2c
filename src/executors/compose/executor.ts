import { basename } from 'node:path';
import type Docker from 'dockerode';
import type { Command } from '../../contracts/variant.ts';
import { InputError, MeasureError } from '../../errors.ts';
import { type Limits, limitFacts } from '../../processes/limits.ts';
import { tellsChange } from '../../system/digest-key.ts';
import {
  type Commanded,
  type ContainerCommand,
  hasStages,
  ownVolume,
  runCommand,
  SHELL_TRIAL,
  stageDispatcher,
  TRUE,
} from '../container/command.ts';
import { createContainer, removeContainer } from '../container/create.ts';
import { connectDocker, type EngineInfo, infoOf, lostEngine, titleOf } from '../container/docker.ts';
import { asHeld, checkLimits, fetchAbout, isRootless } from '../container/engines/engine.ts';
import { rememberAmbient } from '../container/engines/used.ts';
import { groupParent, isStarted, limitsOf, mountCheck, NO_SHELL, recoverEngine } from '../container/executor.ts';
import { copyFiles, keepWhatAgrees } from '../container/files.ts';
import type { FoundImage } from '../container/image.ts';
import { prepareContainerRun } from '../container/run.ts';
import { NO_OPTIONS } from '../container/variant.ts';
import { serviceHostMark } from '../environment.ts';
import type { Executor, ExecutorEnvironment, PreparedRun, RunContext } from '../executor.ts';
import { NoPlaceError } from '../failures.ts';
import type { Service } from '../service.ts';
import { composeEnvironment, composeVersion } from './command.ts';
import { factsOfImages, findImages } from './images.ts';
import { planInspections } from './inspections.ts';
import type { Stack } from './model.ts';
import { callProject, type MadeProject, makeProject, projectContainers, refusal, removeProject } from './project.ts';
import { digestOfHidden, readStack } from './read.ts';
import { limitsIn, meant, runFile, type WorkloadContainer } from './run-file.ts';
import type { ComposeVariant } from './variant.ts';
import { viewOf } from './view.ts';

const CREATE_S = 120;

interface Ready {
  readonly docker: Docker;
  readonly info: EngineInfo;
  readonly stack: Stack;
  readonly images: ReadonlyMap<string, FoundImage>;
  readonly limits: Limits;
  /** Driver by which the engine makes control groups. */
  readonly groupDriver: string | undefined;
  /** The variant's command; where that is the service's own, with the words of the file. */
  readonly commanded: Commanded;
  /** Words before a command that is a list. */
  readonly entrypoint: readonly string[];
  checkMounts(): void;
}

/**
 * Runs workloads in a project of Compose. The project is a service of every run: made, started and taken down where services are. The workload is
 * the container of one of its services with the command of the experiment, as `docker compose run` has it: it is made before the guard and started in
 * the window, like a container of its own.
 */
export function makeComposeExecutor(variant: ComposeVariant, environment: ExecutorEnvironment): Executor {
  let ready: Ready | null = null;
  let running: { readonly runId: number; readonly project: MadeProject } | null = null;
  let own: readonly Service[] = [];
  const env = composeEnvironment(environment.inheritedEnv);
  const project = basename(variant.file);
  const isReady = (): Ready => {
    if (ready === null) throw new Error('setup() comes first');
    return ready;
  };
  const identityOf = (runId: number) => ({ experimentId: environment.experimentId, runId, variant: variant.name });
  const fileOf = (context: Pick<RunContext, 'runId' | 'observed'>, workload: WorkloadContainer | null): string => {
    const { stack, images, limits, groupDriver } = isReady();
    const parent = groupParent(context.observed, groupDriver);
    return runFile({ stack, images, identity: identityOf(context.runId), limits, workload, groupParent: parent });
  };
  /** A container of an image outside of the project. */
  const alone = (image: Pick<FoundImage, 'id' | 'volumes'>, command: ContainerCommand) => {
    const { docker, limits } = isReady();
    const { name, workload } = variant;
    const bare = { ...NO_OPTIONS, kind: 'container' as const, name, workload, network: 'none' };
    return createContainer(docker, bare, image, identityOf(0), { command, limits, logsOutput: false });
  };
  return {
    traces: 'image',
    inspections() {
      const { stack, images } = isReady();
      return planInspections(variant, stack, images);
    },
    services(given) {
      own = servicesOf(variant, project, given);
      return own;
    },
    async setup(signal, recorded) {
      const version = await composeVersion(env, signal);
      const stack = await readStack(variant, { env, signal });
      checkWorkdir(variant, stack);
      const digest = recorded?.compose_digest;
      const hiddenDigest = digestOfHidden(stack, variant, environment.experimentId);
      const begunWith = recorded?.compose_hidden_digest ?? null;
      const hasChanged = typeof digest === 'string' && digest !== stack.digest;
      if (hasChanged || (begunWith !== null && tellsChange(String(begunWith), hiddenDigest))) {
        throw new MeasureError(`${variant.file} has changed since the experiment began.`, {
          advice: 'Start again without --resume: runs of two projects do not make one experiment.',
        });
      }
      const docker = await connectDocker();
      await rememberAmbient(docker, environment);
      const { log } = environment;
      const images = await findImages({ docker, variant, stack, env, recorded, signal, log });
      signal.throwIfAborted();
      const about = await fetchAbout(docker);
      const info = asHeld(await infoOf(docker), about);
      for (const [service, one] of Object.entries(stack.model.services)) {
        const who = `service ${JSON.stringify(service)} of variant ${JSON.stringify(variant.name)}`;
        checkLimits(who, limitsIn(one), { info, text: titleOf(about.isPodman) });
      }
      const limits = limitsOf(info, { memoryBytes: null });
      const binds = Object.values(stack.model.services).flatMap(({ volumes = [] }) =>
        volumes.filter(({ type }) => type === 'bind'),
      );
      const volumes = binds.map(({ source = '' }) => `${source}:/`);
      const { run, entrypoint } = wordsOf(variant, stack, images);
      const isReadOnly = stack.workload !== null && stack.model.services[stack.workload]?.read_only === true;
      const commanded = {
        ...variant,
        entrypoint: null,
        workload: { ...variant.workload, run },
        ...(isReadOnly && { readOnly: true as const }),
      };
      const checkMounts = mountCheck({ name: variant.name, volumes });
      const groupDriver = info.CgroupDriver;
      ready = { docker, info, stack, images, limits, groupDriver, commanded, entrypoint, checkMounts };
      return {
        compose_version: version,
        compose_digest: stack.digest,
        compose_hidden_digest: hiddenDigest,
        ...factsOfImages(images),
        ...limitFacts(limits),
      };
    },
    async repeatProblem(signal) {
      const { stack, images, commanded } = isReady();
      const { workload } = stack;
      if (workload === null || hasStages(commanded) || typeof variant.workload.run === 'string') return null;
      const trial = await alone(images.get(workload) ?? { id: '', volumes: [] }, SHELL_TRIAL);
      try {
        return (await isStarted(trial.container, signal)) ? null : NO_SHELL;
      } finally {
        await trial.remove();
      }
    },
    async prepare(context) {
      try {
        return await prepareWorkload(context);
      } catch (thrown) {
        throw lostEngine(thrown);
      }
    },
    async makeService({ name }, context) {
      const service = own.find((one) => one.name === name);
      if (service === undefined) throw new Error(`nothing of a project is called ${name}`);
      const { docker, info, stack, checkMounts } = isReady();
      const identity = identityOf(context.runId);
      if (service.name !== project) {
        const output = () => running?.project.outputText(service.name) ?? '';
        return viewOf({ docker, isRootless: isRootless(info), stack, identity, service, variant, output });
      }
      checkMounts();
      try {
        const file = fileOf(context, null);
        const made = await makeProject({ docker, variant, stack, env, service, context, file, log: environment.log });
        running = { runId: context.runId, project: made };
        return made;
      } catch (thrown) {
        throw lostEngine(thrown);
      }
    },
    async filesOf(paths, into) {
      const byId = new Map([...isReady().images.values()].map((image) => [image.id, image]));
      const parts: string[] = [];
      for (const image of byId.values()) {
        const part = parts.length === 0 ? into : `${into}-${parts.length}`;
        const { container, remove } = await alone(image, TRUE);
        try {
          await copyFiles(container, paths, part);
          parts.push(part);
        } finally {
          await remove();
        }
      }
      keepWhatAgrees(paths, parts);
    },
    recover: (signal) => recoverEngine(environment, signal),
  };

  async function prepareWorkload(context: RunContext): Promise<PreparedRun> {
    const { docker, stack, commanded, entrypoint } = isReady();
    const { workload } = stack;
    if (workload === null) throw new NoPlaceError('Its command runs on the host.');
    const { executions = 1, ownStarts = false, outputToDisk: logsOutput = false, signal } = context;
    const command = hasStages(commanded)
      ? stageDispatcher(commanded)
      : runCommand(commanded, entrypoint, ownStarts ? 1 : executions, context.tracer?.inside?.words);
    const others = own.filter(({ place, name }) => place === 'variant' && name !== project);
    const [server] = others;
    const workloadEnv = {
      ...environment.passedEnv,
      ...variant.workload.env,
      ...(others.length === 1 && serviceHostMark(() => server?.name ?? '')),
    };
    const file = fileOf(context, {
      command,
      env: workloadEnv,
      workdir: variant.workload.workdir,
      ownFolder: ownVolume(commanded, context.tracer),
      logsOutput,
    });
    const identity = identityOf(context.runId);
    const words = ['up', '--no-start', '--no-build', '--no-deps', '--no-recreate', workload];
    // Without a project of this run, as in an inspection, everything that Compose makes here belongs to this container.
    const isAlone = running?.runId !== context.runId;
    try {
      const made = await callProject({ docker, variant, env, identity }, words, file, { withinS: CREATE_S, signal });
      const [found] = made.code === 0 ? await projectContainers(docker, identity, workload) : [];
      if (found === undefined) throw refusal(variant, 'made', made.stderr);
      const { container } = found;
      const remove = async (): Promise<void> => {
        await removeContainer(container);
        if (isAlone) await removeProject(docker, identity);
      };
      return await prepareContainerRun({
        docker,
        variant: commanded,
        image: { entrypoint },
        created: { container, remove },
        context,
        log: environment.log,
      });
    } catch (thrown) {
      if (isAlone) await removeProject(docker, identity).catch(() => {});
      throw thrown;
    }
  }
}

/**
 * The command of a variant, and the words before it where it is a list. The file's entry point works as an image's own: a list follows it, a string
 * replaces it. Throws InputError where there is no command.
 */
function wordsOf(
  { name, file, workload: { run: given } }: ComposeVariant,
  { workload, ownCommand, model }: Stack,
  images: ReadonlyMap<string, FoundImage>,
): { readonly run: Command; readonly entrypoint: readonly string[] } {
  const one = model.services[workload ?? ''];
  const image = images.get(workload ?? '');
  const entrypoint = one?.entrypoint?.map(meant) ?? image?.entrypoint ?? [];
  if (!ownCommand) return { run: given, entrypoint };
  // With an entry point in the file, the image's own command is not used.
  const run = one?.command?.map(meant) ?? (one?.entrypoint ? [] : (image?.command ?? []));
  if (run.length > 0 || entrypoint.length > 0) return { run, entrypoint };
  throw new InputError(
    `Variant ${JSON.stringify(name)} is to run the command of service ${JSON.stringify(workload)}, and neither ${basename(file)} nor the image has one.`,
    { advice: 'Give workload.run, or a command in the Compose file.' },
  );
}

/** Throws InputError where the command would have no working directory. */
function checkWorkdir({ name, workload: { workdir } }: ComposeVariant, { workload }: Stack): void {
  if (workload === null || workdir === null || workdir.startsWith('/')) return;
  throw new InputError(
    `The working directory of variant ${JSON.stringify(name)} is ${JSON.stringify(workdir)}; in a container of ${workload} it must start with "/".`,
    { advice: 'Give the variant a workdir of its own.' },
  );
}

/** The project as one service, in place of those that are started in the variant's place: each of these is one of the project's, by its name. */
function servicesOf(variant: ComposeVariant, project: string, given: readonly Service[]): readonly Service[] {
  const whole: Service = {
    name: project,
    run: [],
    env: {},
    workdir: null,
    place: 'variant',
    lifetime: 'run',
    ready: null,
    readyWithinS: variant.withinS,
    stop: { signal: 'SIGTERM', withinS: 10 },
  };
  const lasting = given.find(({ place, lifetime }) => place === 'variant' && lifetime === 'experiment');
  if (lasting !== undefined) {
    throw new InputError(
      `The service ${JSON.stringify(lasting.name)} can't last as long as the experiment in variant ${JSON.stringify(variant.name)}: a Compose project is made anew for every run.`,
      { advice: 'Give it lifetime: run, or place: host.' },
    );
  }
  const first = given.findIndex(({ place }) => place === 'variant');
  const at = first === -1 ? given.length : first;
  return [...given.slice(0, at), whole, ...given.slice(at)];
}
