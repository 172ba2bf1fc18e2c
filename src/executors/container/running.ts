import { isOwnContainer } from '../../processes/labels.ts';
import { withDeadline } from '../../system/deadline.ts';
import { openDocker } from './docker.ts';

const ANSWER_MS = 3000;

export interface RunningContainer {
  readonly id: string;
  readonly name: string;
}

/** Containers that run on this machine's engine and were not made by joulediff; null: the engine can't be asked. */
export async function otherContainers(): Promise<RunningContainer[] | null> {
  try {
    const all = await withDeadline((abortSignal) => openDocker().listContainers({ abortSignal }), ANSWER_MS);
    return all
      .filter((container) => !isOwnContainer(container))
      .map(({ Id, Names }) => ({ id: Id, name: Names[0]?.slice(1) ?? Id.slice(0, 12) }));
  } catch {
    return null;
  }
}
