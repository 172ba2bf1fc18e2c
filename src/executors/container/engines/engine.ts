import { statSync } from 'node:fs';
import { basename } from 'node:path';
import Docker from 'dockerode';
import type { PlaceFacts } from '../../../contracts/variant.ts';
import { getErrorCode, MeasureError, messageOf } from '../../../errors.ts';
import { askProgram, isInstalled } from '../../../processes/ask-program.ts';
import { listed } from '../../../text/plain.ts';
import type { EngineName } from '../../engine-key.ts';
import type { ExecutorEnvironment } from '../../executor.ts';
import { answerTo, connectDocker, type EngineInfo, engineMessage, infoOf, openDocker, ping } from '../docker.ts';
import type { ContainerVariant } from '../variant.ts';
import { PodmanService } from './podman.ts';
import { getSocketPath, isSocket } from './sockets.ts';
import { rememberAmbient, rememberUse } from './used.ts';

const VERSION_MS = 5000;

/** The engine that makes a variant's containers. */
export interface Engine {
  readonly docker: Docker;
  /** Whether it is Podman, which makes a container's namespaces when its output is attached to; Docker's engine does when it is started. */
  readonly isPodman: boolean;
  /** Whether it runs as an ordinary user: then root in its containers is that user outside of them. */
  readonly isRootless: boolean;
  /** Name and version: `Podman 4.3.1`. */
  readonly text: string;
  /** Facts to record; empty for the Docker with root that a variant gets without naming an engine. */
  readonly facts: PlaceFacts;
  readonly info: EngineInfo;
  /** Connects again after the engine was lost. Throws MeasureError where it doesn't answer. */
  reconnect(): Promise<void>;
}

export type EngineRequest = Pick<ContainerVariant, 'name' | 'engine' | 'runtime'>;
type Session = Pick<ExecutorEnvironment, 'experimentId' | 'atEnd'>;

/** Podman services of this process, by what an experiment asks for: each is opened once for several variants or inspections. */
const services = new Map<string, PodmanService>();

/** Opens the engine that a variant asks for. Throws MeasureError that says why it can't be used, and what to do. */
export async function openEngine(asked: EngineRequest, session: Session): Promise<Engine> {
  const { engine: name, runtime } = asked;
  const line = name === undefined ? ambient() : lineTo(name, runtime, session);
  const { docker, reconnect } = line;
  await reconnect();
  const about = await fetchAbout(docker);
  const info = asHeld(await infoOf(docker), about);
  // Podman's interface accepts a runtime, but uses its own all the same.
  if (about.isPodman && runtime !== null && name !== 'podman') {
    throw new MeasureError(
      `Podman takes no runtime at a socket, and variant ${JSON.stringify(asked.name)} asks for ${runtime}.`,
      { advice: 'Give engine: podman, which starts a Podman with that runtime, or leave runtime out.' },
    );
  }
  if (name === undefined) {
    await rememberAmbient(docker, session);
  } else {
    checkName(name, about, info);
    await rememberUse(name, runtime, docker, session);
  }
  const { isPodman, version } = about;
  const facts: PlaceFacts = {
    engine: isPodman ? 'podman' : 'docker',
    engine_version: version,
    engine_rights: isRootless(info) ? 'rootless' : 'root',
    engine_storage: info.Driver ?? null,
  };
  return {
    docker,
    isPodman,
    info,
    reconnect,
    isRootless: isRootless(info),
    text: `${isPodman ? 'Podman' : "Docker's engine"}${isRootless(info) ? ' without root' : ''} ${version}`,
    facts: name === undefined && !isPodman && !isRootless(info) ? {} : facts,
  };
}

interface Line {
  readonly docker: Docker;
  reconnect(): Promise<void>;
}

/** Connection to the engine of DOCKER_HOST, or else at the usual socket. */
function ambient(): Line {
  let docker: Docker | null = null;
  return {
    get docker() {
      docker ??= openDocker();
      return docker;
    },
    async reconnect() {
      await connectDocker();
    },
  };
}

/** Whether Podman is started for an experiment. A service that runs has the runtime that it was started with, and its interface takes no other. */
const isStartedFor = (name: EngineName, runtime: string | null): boolean =>
  name === 'podman' && (runtime !== null || !isSocket(getSocketPath(name)));

function lineTo(name: EngineName, runtime: string | null, session: Session): Line {
  if (!isStartedFor(name, runtime)) return atSocket(getSocketPath(name), name);
  checkPodman();
  const service = serviceFor(runtime, session);
  return { docker: service.docker, reconnect: () => service.start() };
}

/** The engine that a variant names, as far as it can be asked without starting anything; null: Podman will be started. Throws MeasureError. */
export async function inspectEngine({ runtime }: EngineRequest, name: EngineName): Promise<Docker | null> {
  if (isStartedFor(name, runtime)) {
    checkPodman();
    return null;
  }
  const { docker, reconnect } = atSocket(getSocketPath(name), name);
  await reconnect();
  checkName(name, await fetchAbout(docker), await infoOf(docker));
  return docker;
}

function checkPodman(): void {
  if (!isInstalled('podman')) {
    throw new MeasureError(`Podman isn't installed on this machine: there is no program podman in PATH.`, {
      advice:
        'Install it (Debian, Ubuntu: sudo apt-get install podman), or leave the variants with engine: podman out.',
    });
  }
}

function serviceFor(runtime: string | null, { experimentId, atEnd }: Session): PodmanService {
  const key = JSON.stringify([experimentId, runtime]);
  const known = services.get(key);
  if (known !== undefined) return known;
  const service = new PodmanService(experimentId, runtime);
  services.set(key, service);
  atEnd?.(async () => {
    services.delete(key);
    await service.end();
  });
  return service;
}

function atSocket(path: string, name: EngineName): Line {
  const docker = new Docker({ socketPath: path });
  const reconnect = async (): Promise<void> => {
    try {
      await ping(docker);
    } catch (cause) {
      throw unreachable(path, name, cause);
    }
  };
  return { docker, reconnect };
}

interface About {
  readonly isPodman: boolean;
  readonly version: string;
}

/** Name and version of an engine, by its components, one of which has the engine's name. */
export async function fetchAbout(docker: Docker): Promise<About> {
  const { Version: version, Components: parts } = await answerTo(
    (options) => docker.version(options as never) as unknown as ReturnType<Docker['version']>,
  );
  return { isPodman: (parts ?? []).some(({ Name: name }) => /podman/i.test(name)), version };
}

/** Whether an engine runs without root: Docker's says so among its security options, Podman beside them. */
export const isRootless = (info: EngineInfo): boolean =>
  (info as { Rootless?: unknown }).Rootless === true ||
  ((info.SecurityOptions ?? []) as readonly string[]).some((option) => /^name=rootless\b/.test(option));

/**
 * The description with the limits that the engine enforces: Podman without root claims those of version 1 control groups, and denies those of
 * processors in version 2, where it looks for files of version 1.
 */
export function asHeld(info: EngineInfo, { isPodman }: About): EngineInfo {
  if (!isPodman) return info;
  if (info.CgroupVersion === '2') return { ...info, CpuCfsQuota: true, CPUSet: true, CPUShares: true };
  return isRootless(info) && info.CgroupVersion === '1'
    ? { ...info, PidsLimit: false, MemoryLimit: false, CgroupDriver: 'none' }
    : info;
}

/** Limits by key, grouped by the flag of an engine's description that says whether it enforces them. */
export type WantedLimits = Partial<
  Record<'PidsLimit' | 'MemoryLimit' | 'CpuCfsQuota' | 'CPUSet' | 'CPUShares', Readonly<Record<string, unknown>>>
>;
type Described = Pick<Engine, 'info' | 'text'>;

/** Throws MeasureError where `who` sets limits that the engine can't enforce: it leaves them out with no more than a warning. */
export function checkLimits(who: string, wanted: WantedLimits, { info, text }: Described): void {
  const ignored = Object.entries(wanted).filter(([flag]) => info.CgroupDriver === 'none' || info[flag] === false);
  const keys = ignored.flatMap(([, limits]) =>
    Object.entries(limits).flatMap(([key, value]) => (value === undefined || value === null ? [] : [key])),
  );
  if (keys.length === 0) return;
  throw new MeasureError(`${text} can’t enforce container limits here, and ${who} asks for ${listed(keys)}.`, {
    advice:
      'An engine without root needs control groups of version 2, which systemd delegates to it (Delegate=cpu cpuset io memory pids in a drop-in of user@.service); every engine needs a kernel with the controller (on a Raspberry Pi, cgroup_enable=memory in cmdline.txt). Or leave the limits out.',
  });
}

/** The same for the limits and pins of a container variant. */
export function checkHeld(variant: ContainerVariant, engine: Described): void {
  const { name, pids, memoryBytes, cpus, cpuset, workload } = variant;
  const wanted: WantedLimits = {
    PidsLimit: { pids },
    MemoryLimit: { memory: memoryBytes },
    CpuCfsQuota: { cpus },
    CPUSet: { cpuset, 'cpus.workload': workload.pin?.cpus },
    CPUShares: { 'nice.workload': workload.pin?.nice },
  };
  checkLimits(`variant ${JSON.stringify(name)}`, wanted, engine);
}

/** Throws MeasureError if a client on the host can't reach a variant's container: an engine without root keeps its networks to itself. */
export function checkReached(
  { name, workload, network, volumes, ports = [] }: ContainerVariant,
  engine: Pick<Engine, 'isPodman' | 'isRootless' | 'text'>,
): void {
  const { text } = engine;
  // With these networks, nothing can be published. Through a volume, the client may use a socket.
  const isUnpublished = /^(?:none|container:.*)$/.test(network ?? '') || (engine.isPodman && network === 'host');
  const isReached = ports.length > 0 || volumes.length > 0 || isUnpublished;
  if (!engine.isRootless || workload.place !== 'host' || isReached) return;
  throw new MeasureError(
    `A client on the host reaches containers of ${text} by published ports only, and variant ${JSON.stringify(name)} publishes none.`,
    { advice: 'Give them, such as ports: ["6379:6379"], and leave network: host out.' },
  );
}

/** Throws MeasureError where another engine answers than the one that is named. */
function checkName(name: EngineName, { isPodman }: About, info: EngineInfo): void {
  const wanted = { docker: 'Docker’s engine', podman: 'Podman', rootless: 'Docker’s engine without root' };
  if (!(name in wanted)) return;
  const isRight = name === 'podman' ? isPodman : !isPodman && (name === 'docker' || isRootless(info));
  if (isRight) return;
  const found = isPodman ? 'Podman' : isRootless(info) ? 'Docker’s engine without root' : 'Docker’s engine with root';
  throw new MeasureError(
    `At ${getSocketPath(name)} answers ${found}, and engine: ${name} is ${wanted[name as keyof typeof wanted]}.`,
    { advice: `To use what is there, name its socket: engine: unix://${getSocketPath(name)}` },
  );
}

function unreachable(path: string, name: EngineName, cause: unknown): MeasureError {
  const code = getErrorCode(cause);
  const isAbsent = code === 'ENOENT' || code === 'ECONNREFUSED';
  const why = isAbsent
    ? 'nothing answers there'
    : code === 'EACCES' || code === 'EPERM'
      ? 'this user may not talk to it'
      : engineMessage(cause) || messageOf(cause);
  const advice =
    name === 'rootless'
      ? 'Docker without root runs as one user, and is that of the user who starts joulediff: dockerd-rootless-setuptool.sh install, then systemctl --user start docker. That of another user is named by its socket: engine: unix:///run/user/1000/docker.sock'
      : name === 'docker'
        ? 'Start it: sudo systemctl start docker (or sudo service docker start).'
        : `Check it: curl --unix-socket ${path} http://localhost/_ping`;
  return new MeasureError(`The engine at ${path} can't be used: ${why}.`, { advice, cause });
}

/** Version of the runtime that was asked for, from its program; empty: it can't be asked. */
export function runtimeFacts({ runtime }: EngineRequest, { isPodman, info, docker }: Engine): PlaceFacts {
  if (runtime === null || (!isPodman && !mayNamePrograms(docker))) return {};
  const known = (info.Runtimes ?? {}) as Readonly<Record<string, { readonly path?: string } | undefined>>;
  const program = (isPodman ? null : known[runtime]?.path) ?? runtime;
  if (!/^[\w./-]+$/.test(program)) return {};
  const { status, stdout } = askProgram(program, ['--version'], VERSION_MS);
  const [first = ''] = status === 0 ? stdout.split('\n') : [];
  return first === '' ? {} : { runtime_version: first.replace(`${basename(program)} version `, '').slice(0, 80) };
}

/** Whether runtimes that the engine names may be started here: those of another user's or machine's engine must not run with this user's rights. */
function mayNamePrograms({ modem }: Docker): boolean {
  const { socketPath } = modem as { readonly socketPath?: unknown };
  try {
    return typeof socketPath === 'string' && [0, process.getuid?.()].includes(statSync(socketPath).uid);
  } catch {
    return false;
  }
}
