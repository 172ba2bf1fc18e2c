import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { MeasureError } from '../../errors.ts';
import { EXPERIMENT_LABEL, labelsOf, RUN_LABEL } from '../../processes/labels.ts';
import { withDeadline } from '../../system/deadline.ts';
import type { RunIdentity } from '../environment.ts';
import { answerTo, engineMessage, statusOf } from './docker.ts';
import type { FoundImage } from './image.ts';
import { containerOptions, namedVolumes, type StartedWith } from './options.ts';
import { type ContainerVariant, OWN } from './variant.ts';

const CREATE_MS = 60_000;
const REMOVE_MS = 20_000;
const REMOVE_ATTEMPTS = 5;

/** A created container, and the named volumes and the network that had to be made for it. */
export interface CreatedContainer {
  readonly container: Docker.Container;
  /** Ends what runs in it and removes it with its anonymous volumes. Throws MeasureError when the engine can't. */
  remove(): Promise<void>;
}

/** Creates the container of one run. Throws MeasureError with the engine's reason when it refuses; nothing is left then. */
export async function createContainer(
  docker: Docker,
  variant: ContainerVariant,
  image: Pick<FoundImage, 'id' | 'volumes'>,
  identity: RunIdentity,
  started: StartedWith,
): Promise<CreatedContainer> {
  const volumes: Docker.Volume[] = [];
  let network: Docker.Network | null = null;
  const removeMade = async () => {
    for (const volume of volumes) await answerTo((options) => volume.remove(options)).catch(() => {}); // In use by somebody else by now: theirs.
    // A network that can't be removed now has its label, by which the next start removes it.
    const made = network;
    if (made !== null) {
      await answerTo((options) => made.remove(options as never) as unknown as Promise<unknown>).catch(() => {});
    }
  };
  try {
    for (const name of new Set(namedVolumes(variant.volumes))) {
      const made = await makeMissingVolume(docker, name, identity);
      if (made !== null) volumes.push(made);
    }
    if (variant.network === OWN) network = await makeNetwork(docker, identity);
    const placed = network === null ? variant : { ...variant, network: network.id };
    const options = containerOptions(placed, image, identity, started);
    const container = await withDeadline(
      (abortSignal) => docker.createContainer({ ...options, abortSignal }),
      CREATE_MS,
    );
    const remove = async () => {
      const wasThere = await removeContainer(container);
      if (!wasThere) await removeVolumes(docker, identity);
      await removeMade();
    };
    return { container, remove };
  } catch (cause) {
    await removeMade();
    throw new MeasureError(
      `The container of variant ${JSON.stringify(variant.name)} could not be created: ${engineMessage(cause)}.`,
      { advice: adviceFor(engineMessage(cause)), cause },
    );
  }
}

/**
 * The engine would make a named volume by itself, without a label, and keep it. What exists is the user's and stays as it is;
 * what doesn't is made here, and goes with the run.
 */
async function makeMissingVolume(docker: Docker, name: string, identity: RunIdentity): Promise<Docker.Volume | null> {
  const volume = docker.getVolume(name);
  try {
    await answerTo((options) => volume.inspect(options));
    return null;
  } catch (cause) {
    if (statusOf(cause) !== 404) throw cause;
  }
  const LABELS = labelsOf(identity.experimentId, identity.runId);
  await answerTo((options) => docker.createVolume({ ...options, Name: name, Labels: LABELS }));
  return volume;
}

/** A bridge network for one run. */
async function makeNetwork(docker: Docker, { experimentId, runId }: RunIdentity): Promise<Docker.Network> {
  const made = { Name: `joulediff-${randomUUID()}`, Driver: 'bridge', Labels: labelsOf(experimentId, runId) };
  return await answerTo((options) => docker.createNetwork({ ...options, ...made }));
}

/** Removes volumes of a run that no container uses: to remove a container by hand usually leaves those that its image declares. */
async function removeVolumes(docker: Docker, { experimentId, runId }: RunIdentity): Promise<void> {
  const filters = { label: [`${EXPERIMENT_LABEL}=${experimentId}`, `${RUN_LABEL}=${runId}`] };
  const { Volumes: left } = await answerTo((options) => docker.listVolumes({ ...options, filters }));
  for (const { Name: name } of left ?? []) {
    // A volume that another container of the run still uses goes with that container.
    await answerTo((options) => docker.getVolume(name).remove(options)).catch(() => {});
  }
}

/** Removes a container with its anonymous volumes by force. False: it was gone already. Throws MeasureError when the engine still has it after several tries. */
export async function removeContainer(container: Docker.Container): Promise<boolean> {
  let refusal: unknown;
  for (let attempt = 1; attempt <= REMOVE_ATTEMPTS; attempt++) {
    try {
      await withDeadline((abortSignal) => container.remove({ force: true, v: true, abortSignal }), REMOVE_MS);
      return true;
    } catch (cause) {
      if (statusOf(cause) === 404) return false;
      refusal = cause;
      // 409 (already being removed) and 500 (a mount is still busy) pass; an engine that doesn't answer is not asked again.
      if (statusOf(cause) === null) break;
      await sleep(100 * attempt);
    }
  }
  throw new MeasureError(
    `The container ${container.id.slice(0, 12)} could not be removed: ${engineMessage(refusal)}.`,
    {
      advice: `Remove it: docker rm -f ${container.id.slice(0, 12)}. joulediff also tries again the next time it starts.`,
      cause: refusal,
    },
  );
}

function adviceFor(message: string): string | undefined {
  if (/bind source path does not exist/.test(message)) {
    return "A volume's host folder must be there before the experiment starts.";
  }
  return undefined;
}
