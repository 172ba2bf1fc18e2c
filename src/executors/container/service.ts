import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Added } from '../../contracts/observing.ts';
import type { Command } from '../../contracts/variant.ts';
import { MeasureError } from '../../errors.ts';
import type { Limits } from '../../processes/limits.ts';
import { withDeadline } from '../../system/deadline.ts';
import { withAdded } from '../added.ts';
import { argvOf } from '../repeat.ts';
import type { MadeService, ServiceCommand, ServiceContext, ServiceEnd } from '../service.ts';
import { serviceSubject } from '../services/failures.ts';
import { listensIn } from '../services/listeners.ts';
import { AttachedOutput } from './attached-output.ts';
import { containerCommand } from './command.ts';
import { createContainer } from './create.ts';
import { answerTo, engineMessage, lostEngine, titleOf } from './docker.ts';
import type { Engine } from './engines/engine.ts';
import type { FoundImage } from './image.ts';
import { limitOfService } from './limit-met.ts';
import { containerUse } from './usage.ts';
import type { ContainerVariant } from './variant.ts';
import { waitForNextExit } from './wait.ts';
import { ContainerWatch } from './watch.ts';

const START_MS = 120_000;
const KILL_MS = 2000;
const CONNECT_MS = 1000;

export interface ContainerServiceSetup {
  readonly engine: Pick<Engine, 'docker' | 'isPodman' | 'isRootless'>;
  /** The variant, with the environment of the service's container in place of its workload's. */
  readonly variant: ContainerVariant;
  readonly image: Pick<FoundImage, 'id' | 'volumes'>;
  readonly limits: Limits;
  readonly groupParent?: string | undefined;
  readonly service: ServiceCommand;
  readonly context: ServiceContext;
}

/** A service in a container of its variant's image and options; the first of a run has their network and ports, the others join it. */
export async function makeContainerService(setup: ContainerServiceSetup): Promise<MadeService> {
  const { engine, image, limits, groupParent, service, context } = setup;
  const { docker } = engine;
  const title = titleOf(engine.isPodman);
  const variant = withNetwork(setup.variant, context.joins);
  const identity = { experimentId: context.experimentId, runId: context.runId, variant: variant.name };
  const command = containerCommand(service.run, variant.entrypoint);
  const started = { command, limits, logsOutput: false, groupParent, stage: 'service' as const };
  const created = await createContainer(docker, variant, image, identity, started);
  const { container } = created;
  const output = new AttachedOutput(container, context);
  const { promise: ended, resolve: end } = Promise.withResolvers<ServiceEnd>();
  const watch = await ContainerWatch.open(docker, container.id, title).catch(async (thrown: unknown) => {
    await created.remove();
    throw thrown;
  });
  // An engine that is stopped ends its containers first: the exit code alone would be that of a service that failed.
  watch.lost.catch((lost: unknown) => end({ exitCode: null, signal: null, limit: null, lost }));
  let isRunning = false;
  let isStopping = false;
  let closeWait = () => {};
  let pid: number | null = null;
  let ips: readonly string[] = [];
  let isApart = false;
  const kill = async (signal: string): Promise<void> => {
    // An error means that the container isn't running any more, or that the engine is gone: the removal tells which.
    await withDeadline((abortSignal) => container.kill({ signal, abortSignal }), KILL_MS).catch(() => {});
  };
  return {
    ended,
    network: `container:${context.joins === null ? container.id : idOf(context.joins)}`,
    async start() {
      await withDeadline(output.attach(), START_MS);
      const wait = await waitForNextExit(docker, container.id, () => {}, title);
      closeWait = wait.close;
      wait.end.then(
        async ({ exitCode }) => {
          isRunning = false;
          // The reason of an end by `stop` is not needed; that of any other end is, since a client waits to hear it.
          const limit = isStopping ? null : await limitOfService(container, exitCode, context.signal);
          // Its end is reported on another connection than its last output, which may say why.
          if (!isStopping) await output.tail({ byte: 0, clock: 0n });
          end({ exitCode, signal: null, limit });
        },
        (thrown: unknown) => end({ exitCode: null, signal: null, limit: null, lost: lostEngine(thrown, title) }),
      );
      try {
        await withDeadline((abortSignal) => container.start({ abortSignal }), START_MS);
        isRunning = true;
      } catch (cause) {
        throw startRefusal(service, cause, title);
      }
      const found = await answerTo((options) => container.inspect(options));
      pid = found.State.Pid || null;
      const { joins } = context;
      const owner =
        joins === null ? found : await answerTo((options) => docker.getContainer(idOf(joins)).inspect(options));
      ({ ips, isApart } = networkOf(owner, engine));
    },
    output: () => output.text(),
    async listens(port) {
      if (listensIn(container.id, pid, port)) return true;
      for (const ip of ips) if (await accepts(ip, port)) return true;
      return false;
    },
    addresses: async () => ips,
    isApart: () => isApart,
    used: () => (pid === null ? [] : [containerUse(container.id)]),
    succeeds: (command, signal) => succeedsIn(container, command, signal),
    // Its processes end with the container.
    left: () => [],
    async stop(withinS) {
      isStopping = true;
      watch.close();
      let killed = false;
      if (isRunning) {
        const waiting = new AbortController();
        await kill(service.stop.signal);
        const late = sleep(1000 * withinS, 'late', { signal: waiting.signal }).catch(() => 'late');
        killed = (await Promise.race([ended, late])) === 'late' && service.stop.signal !== 'SIGKILL';
        waiting.abort();
        if (killed) await kill('SIGKILL');
      }
      closeWait();
      if (killed || !isRunning) await output.copy();
      else output.detach();
      await created.remove().catch((thrown: unknown) => {
        throw lostEngine(thrown, title);
      });
      return { killed, left: [] };
    },
  };
}

/** The variant as a container in the network of a service. */
export function withNetwork(variant: ContainerVariant, network: string | null): ContainerVariant {
  if (network === null) return variant;
  const { ports: _, ...others } = variant;
  return { ...others, network };
}

/** The variant with a service's command, variables and working directory in place of the workload's. */
export function equippedFor(variant: ContainerVariant, service: ServiceCommand): ContainerVariant {
  const { workload } = variant;
  const env = { ...workload.env, ...service.env };
  return { ...variant, workload: { ...workload, env, workdir: service.workdir ?? workload.workdir } };
}

/** The variant with what observers add to one process in it: variables, beside those of its image, and a folder at its own path. */
export function withAddedTo(
  variant: ContainerVariant,
  image: Pick<FoundImage, 'env'>,
  added: readonly Added[] = [],
  of: Added['of'],
): ContainerVariant {
  const own = added.filter((one) => one.of === of);
  if (own.length === 0) return variant;
  const names = own.flatMap(({ words }) => Object.keys(words));
  const given = Object.fromEntries(names.flatMap((name) => (name in image.env ? [[name, image.env[name] ?? '']] : [])));
  const env = withAdded({ ...given, ...variant.workload.env }, own, of);
  const volumes = [
    ...variant.volumes,
    ...own.flatMap(({ folder }) => (folder === null ? [] : [`${folder}:${folder}`])),
  ];
  return { ...variant, volumes, workload: { ...variant.workload, env } };
}

/** Where this machine reaches the network of a container. That of an engine without root is in a namespace of its own, unless Podman shares the host's. */
export function networkOf(
  { NetworkSettings, HostConfig }: Docker.ContainerInspectInfo,
  { isPodman, isRootless }: Pick<Engine, 'isPodman' | 'isRootless'>,
): { readonly ips: readonly string[]; readonly isApart: boolean } {
  const networks = isRootless ? [] : Object.values(NetworkSettings.Networks ?? {});
  const ips = networks.map(({ IPAddress }) => IPAddress).filter((ip) => ip !== '');
  const isHosts = HostConfig.NetworkMode === 'host' && (isPodman || !isRootless);
  return { ips, isApart: ips.length === 0 && !isHosts };
}

const idOf = (joins: string): string => joins.replace(/^container:/, '');

export function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const finish = (isOpen: boolean) => {
      socket.destroy();
      done(isOpen);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
  });
}

/** Whether a command in the container succeeds. When the signal is aborted, it is given up, and ends with the container. */
export async function succeedsIn(container: Docker.Container, command: Command, signal: AbortSignal): Promise<boolean> {
  const options = { Cmd: [...argvOf(command)], AttachStdout: true, AttachStderr: true, abortSignal: signal };
  const exec = await container.exec(options);
  const stream = await exec.start({ abortSignal: signal } as never);
  stream.resume();
  await new Promise<void>((done) => {
    for (const event of ['end', 'close', 'error']) stream.once(event, () => done());
    signal.addEventListener('abort', () => done(), { once: true });
  });
  stream.destroy();
  signal.throwIfAborted();
  return (await exec.inspect()).ExitCode === 0;
}

function startRefusal(service: ServiceCommand, cause: unknown, title: string): unknown {
  const lost = lostEngine(cause, title);
  if (lost !== cause) return lost;
  const why = engineMessage(cause);
  return new MeasureError(`${serviceSubject(service)} could not be started in its container: ${why}.`, { cause });
}
