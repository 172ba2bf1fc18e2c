import type Docker from 'dockerode';
import type { PlaceFacts } from '../../contracts/variant.ts';
import { MeasureError, withoutFullStop } from '../../errors.ts';
import { withDeadline } from '../../system/deadline.ts';
import { answerTo, type EngineInfo, engineMessage, lostEngine, statusOf } from './docker.ts';
import type { FoundImage } from './image.ts';
import { normalPlatform } from './platform.ts';
import { ulimitText } from './ulimits.ts';
import type { ContainerVariant } from './variant.ts';

/** Time limit for the trial: gVisor takes some seconds to start, and one that hangs has to end. */
const TRIAL_MS = 60_000;

/** Options that an engine accepts when it makes a container, but may fail with when it starts it. */
type Unproved = Pick<ContainerVariant, 'runtime' | 'platform' | 'ulimits' | 'security'>;

/** Message of a missing program `true`; runc and crun word it differently. */
const NO_PROGRAM = /["'`]true["'`].*not found/;

/** The variant without the options that the trial tests. */
function withoutUnproved(variant: ContainerVariant): ContainerVariant {
  const { platform: _, ulimits: _u, security: _s, ...others } = variant;
  return { ...others, runtime: null };
}

function toProve({ runtime, platform, ulimits = {}, security = [] }: Unproved): string[] {
  return [
    ...(runtime === null ? [] : [`the runtime ${runtime}`]),
    ...(platform === undefined ? [] : [`the platform ${platform}`]),
    ...Object.entries(ulimits).map(([name, limit]) => `the ulimit ${name} ${ulimitText(limit)}`),
    ...security.map((option) => `the security option ${option}`),
  ];
}

/** Starts `true` in a container of these options and image; gives the engine's handle and how to take it away. */
export type MakeTrial = (
  variant: ContainerVariant,
) => Promise<{ readonly container: Docker.Container; remove(): Promise<void> }>;

/**
 * Runs `true` once in a container with the variant's options, where there are some that only a start proves. Throws MeasureError where it
 * doesn't end well in time. An image without such a program proves nothing: then `log` is told. `podman`: what that engine is called, which is proved itself, since
 * its runtime is that of all its containers.
 */
export async function proveOptions(
  variant: ContainerVariant,
  make: MakeTrial,
  log: (line: string) => void,
  stop: AbortSignal,
  podman: string | null = null,
): Promise<void> {
  const asked = toProve(variant);
  if (asked.length === 0 && podman !== null) asked.push(podman);
  if (asked.length === 0) return;
  const problem = await tryOnce(variant, make, stop);
  if (problem === null) return;
  // A container without these options shows whether they are the reason.
  const lacksProgram = async (): Promise<boolean> =>
    podman === null ? (await tryOnce(withoutUnproved(variant), make, stop)) !== null : NO_PROGRAM.test(problem.text);
  if (problem.refused && (await lacksProgram())) {
    log(`The image of ${variant.name} can't run "true", so that ${asked.join(', ')} could not be tried beforehand.`);
    return;
  }
  throw new MeasureError(
    `Variant ${JSON.stringify(variant.name)} can't run with ${asked.join(' and ')} on this machine: ${problem.text}.`,
    { advice: 'Leave it out, or fix what the engine says: it is tried with the program "true" before the first run.' },
  );
}

/** Runs the trial once. Null: it ended well. `refused`: the engine could not start it. */
async function tryOnce(
  variant: ContainerVariant,
  make: MakeTrial,
  stop: AbortSignal,
): Promise<{ readonly refused: boolean; readonly text: string } | null> {
  const { container, remove } = await make(variant);
  const over = new AbortController();
  const limit = { ms: TRIAL_MS, stop: AbortSignal.any([stop, over.signal]), stopMs: 0 };
  try {
    const ended = withDeadline((abortSignal) => container.wait({ condition: 'next-exit', abortSignal }), limit);
    // A failed start leaves this wait unanswered until the container is removed, in Podman for ever.
    ended.catch(() => {});
    await withDeadline((abortSignal) => container.start({ abortSignal }), limit);
    const { StatusCode: code } = await ended;
    return code === 0 ? null : { refused: false, text: `"true" ended with exit code ${code}` };
  } catch (cause) {
    stop.throwIfAborted();
    if (statusOf(cause) !== null) return { refused: true, text: withoutFullStop(engineMessage(cause)) };
    const lost = await answerTo((options) => container.inspect(options)).then(
      () => null,
      (gone: unknown) => lostEngine(gone),
    );
    if (lost !== null) throw lost;
    return { refused: false, text: `"true" had not ended after ${TRIAL_MS / 1000} s` };
  } finally {
    over.abort();
    await remove();
  }
}

/** Throws MeasureError where the engine has no such runtime. A name with a dot or a slash is for containerd to find. */
export function checkRuntime({ name, runtime }: ContainerVariant, info: EngineInfo): void {
  const known = Object.keys((info.Runtimes ?? {}) as object);
  if (runtime === null || known.includes(runtime) || /[./]/.test(runtime)) return;
  throw new MeasureError(
    `The engine has no runtime ${JSON.stringify(runtime)}, which variant ${JSON.stringify(name)} asks for; it has ${known.toSorted().join(', ')}.`,
    { advice: 'Runtimes are registered in /etc/docker/daemon.json, under "runtimes".' },
  );
}

/** Throws MeasureError where the image is for another platform than the one asked for. */
export function checkPlatform({ name, platform }: ContainerVariant, { platform: found, facts }: FoundImage): void {
  if (platform === undefined || found.startsWith(`${platform}/`)) return;
  if (normalPlatform(found) === normalPlatform(platform)) return;
  throw new MeasureError(
    `The image ${JSON.stringify(facts.image)} of variant ${JSON.stringify(name)} is for ${found}, not for ${platform}.`,
    {
      advice: `Pull that of the other platform first (docker pull --platform ${platform} …), or have it pulled always.`,
    },
  );
}

/** Options that the variant asks for, as facts to record; empty where there are none. */
export function optionFacts(variant: ContainerVariant): PlaceFacts {
  const { runtime, platform, network, cpuset, cpus, volumes, tmpfs = [], ulimits = {}, readOnly, ports = [] } = variant;
  const targets = volumes.map((volume) => volume.slice(volume.indexOf(':') + 1));
  const limits = Object.entries(ulimits).map(([name, limit]) => `${name} ${ulimitText(limit)}`);
  const facts = {
    runtime,
    platform: platform ?? null,
    network,
    ports: ports.join(', '),
    cpuset,
    cpus: cpus === null ? null : String(cpus),
    volumes: targets.join(', '),
    tmpfs: tmpfs.join(', '),
    ulimits: limits.join(', '),
    root: readOnly ? 'read-only' : null,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== ''));
}
