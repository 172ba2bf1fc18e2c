import type Docker from 'dockerode';
import { MeasureError, messageOf } from '../../errors.ts';
import { EXPERIMENT_LABEL, isOfThisMachine, isOwnContainer, OWNER_LABEL, RUN_LABEL } from '../../processes/labels.ts';
import { type IsAbandoned, ownerToken } from '../../processes/owner.ts';
import { withDeadline } from '../../system/deadline.ts';
import { listed } from '../../text/plain.ts';
import { removeContainer } from './create.ts';
import { answerTo, engineMessage, openDocker, statusOf } from './docker.ts';

const ANSWER_MS = 3000;

/** Removes containers, networks and volumes with joulediff's label that killed processes left; nothing where there is no engine to ask. */
export async function removeLabeled(isAbandoned: IsAbandoned): Promise<string[]> {
  return removeEach(await labeledThings(), isAbandoned);
}

/** Does the same in this engine. Throws where it can't be asked. */
export async function removeLabeledIn(docker: Docker, isAbandoned: IsAbandoned): Promise<string[]> {
  return removeEach(await answerTo((options) => listLabeled(docker, [EXPERIMENT_LABEL], options)), isAbandoned);
}

async function removeEach(things: readonly Labeled[], isAbandoned: IsAbandoned): Promise<string[]> {
  const lines: string[] = [];
  for (const { what, labels, running, remove } of things) {
    const owner = labels[OWNER_LABEL] ?? null;
    // No container runs on after a reboot: one that runs is of another machine, which may be a copy of this one.
    const mayBeElsewhere = running || !isOfThisMachine(labels);
    if (!isAbandoned({ owner, experiment: labels[EXPERIMENT_LABEL] ?? null, mayBeElsewhere })) continue;
    try {
      await remove();
      lines.push(`Removed the ${what} that an earlier experiment left.`);
    } catch (thrown) {
      // The thing went with its container.
      if (statusOf(thrown) === 404) continue;
      lines.push(`The ${what} of an earlier experiment could not be removed: ${messageOf(thrown)}`);
    }
  }
  return lines;
}

/** Removes what this process made for single runs of an experiment, as `removeAll` does. What lasts as long as the experiment goes on. */
export function removeRuns(docker: Docker, experimentId: string): Promise<void> {
  const labels = [`${EXPERIMENT_LABEL}=${experimentId}`, `${OWNER_LABEL}=${ownerToken()}`];
  return removeAll(docker, labels, (thing) => thing.labels[RUN_LABEL] !== '0');
}

/** Removes what carries all of these labels, containers first, however much of it runs. Throws MeasureError where something is left. */
export async function removeAll(
  docker: Docker,
  labels: readonly string[],
  isMeant: (thing: Labeled) => boolean = () => true,
): Promise<void> {
  const things = (await answerTo((options) => listLabeled(docker, labels, options))).filter(isMeant);
  const left: string[] = [];
  let failure: unknown;
  const remove = ({ what, remove: end }: Labeled) =>
    end().catch((thrown: unknown) => {
      if (statusOf(thrown) === 404) return;
      left.push(what);
      failure ??= thrown;
    });
  for (const kind of ['container', 'network', 'volume']) {
    await Promise.all(things.filter(({ what }) => what.startsWith(kind)).map(remove));
  }
  if (left.length === 0) return;
  throw new MeasureError(`The ${listed(left)} could not be removed: ${engineMessage(failure)}.`, {
    advice: 'joulediff tries again the next time it starts; joulediff clean does so now.',
    cause: failure,
  });
}

interface Labeled {
  readonly what: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly running: boolean;
  remove(): Promise<unknown>;
}

/** Things with our labels, in the order in which they can be removed. */
async function labeledThings(): Promise<Labeled[]> {
  try {
    return await withDeadline(
      (abortSignal) => listLabeled(openDocker(), [EXPERIMENT_LABEL], { abortSignal }),
      ANSWER_MS,
    );
  } catch {
    return [];
  }
}

async function listLabeled(docker: Docker, label: readonly string[], options: object): Promise<Labeled[]> {
  const filters = { label: [...label] };
  const [containers, networks, { Volumes: volumes }] = await Promise.all([
    docker.listContainers({ all: true, filters, ...options }),
    docker.listNetworks({ filters, ...options }),
    docker.listVolumes({ filters, ...options }),
  ]);
  return [
    ...containers.filter(isOwnContainer).map(({ Id, State, Labels }) => ({
      what: `container ${Id.slice(0, 12)}`,
      labels: Labels,
      running: State === 'running' || State === 'paused',
      remove: () => removeContainer(docker.getContainer(Id)),
    })),
    ...networks.map(({ Id, Name, Labels }) => ({
      what: `network ${Name}`,
      labels: Labels ?? {},
      running: false,
      remove: () => docker.getNetwork(Id).remove(),
    })),
    ...(volumes ?? []).map(({ Name, Labels }) => ({
      what: `volume ${Name}`,
      labels: Labels,
      running: false,
      remove: () => docker.getVolume(Name).remove(),
    })),
  ];
}
