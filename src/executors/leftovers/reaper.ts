import type Docker from 'dockerode';
import { messageOf } from '../../errors.ts';
import { removeLeftFolders } from '../checkout/folder.ts';
import { removeContainer } from '../container/create.ts';
import { openDocker, within } from '../container/docker.ts';
import { EXPERIMENT_LABEL, OWNER_LABEL } from '../container/labels.ts';
import { removeLeftGroups } from '../native/memory-group.ts';
import { ownerState, parseOwner } from './owner.ts';
import { endProcesses, findProcesses } from './processes.ts';

const ANSWER_MS = 3000;
const GRACE_MS = 1000;

export interface ReapRequest {
  /** Of this experiment, things whose owner can't be judged from here (in another pid namespace) are removed too. */
  readonly experimentId?: string;
}

/**
 * Removes what a killed joulediff left: containers, networks and volumes with its label, processes with its mark and their control groups,
 * and checkouts and other temporary folders, whose owner is dead. Without Docker it does the latter only. Never touches what carries no mark, or has a living owner.
 *
 * @returns a line for the log for each thing removed, or that could not be
 */
export async function reap(request: ReapRequest = {}): Promise<string[]> {
  const lines = [...(await reapEngine(request)), ...(await reapProcesses(request))];
  // Last: nothing is at work in them any more.
  removeLeftGroups();
  return [...lines, ...removeLeftFolders((owner, experiment) => isAbandoned(owner, experiment, false, request))];
}

async function reapProcesses(request: ReapRequest): Promise<string[]> {
  const names = await endProcesses(
    () =>
      findProcesses((found) => {
        const owner = found.variable('JOULEDIFF_OWNER');
        if (owner === null) return false;
        return isAbandoned(owner, found.variable('JOULEDIFF_EXPERIMENT'), false, request);
      }),
    GRACE_MS,
  );
  return names.map((name) => `Ended the process ${name} that an earlier experiment left.`);
}

interface Labelled {
  readonly what: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly running: boolean;
  remove(): Promise<unknown>;
}

async function reapEngine(request: ReapRequest): Promise<string[]> {
  const lines: string[] = [];
  for (const thing of await labelledThings()) {
    const experiment = thing.labels[EXPERIMENT_LABEL] ?? null;
    if (!isAbandoned(thing.labels[OWNER_LABEL] ?? null, experiment, thing.running, request)) continue;
    try {
      await thing.remove();
      lines.push(`Removed the ${thing.what} that an earlier experiment left.`);
    } catch (thrown) {
      lines.push(`The ${thing.what} of an earlier experiment could not be removed: ${messageOf(thrown)}`);
    }
  }
  return lines;
}

function isAbandoned(token: string | null, experiment: string | null, running: boolean, request: ReapRequest): boolean {
  const isOfRequest = request.experimentId !== undefined && experiment === request.experimentId;
  const owner = token === null ? null : parseOwner(token);
  if (owner === null) return isOfRequest;
  switch (ownerState(owner)) {
    case 'alive':
      return false;
    case 'dead':
      return true;
    case 'other-namespace':
      return isOfRequest;
    case 'other-boot':
      // No container of ours outlives a boot running: one that runs belongs to another machine that shares the engine.
      return isOfRequest || !running;
  }
}

/** In the order in which they can be removed. Empty when there is no engine to ask. */
async function labelledThings(): Promise<Labelled[]> {
  try {
    return await within(ANSWER_MS, (limit) => listLabelled(openDocker(), limit));
  } catch {
    return [];
  }
}

async function listLabelled(docker: Docker, limit: { abortSignal: AbortSignal }): Promise<Labelled[]> {
  const filters = { label: [EXPERIMENT_LABEL] };
  const [containers, networks, { Volumes: volumes }] = await Promise.all([
    docker.listContainers({ all: true, filters, ...limit }),
    docker.listNetworks({ filters, ...limit }),
    docker.listVolumes({ filters, ...limit }),
  ]);
  return [
    ...containers.map(({ Id, State, Labels }) => ({
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
