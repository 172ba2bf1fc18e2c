import { mkdirSync, statSync } from 'node:fs';
import Docker from 'dockerode';
import { messageOf } from '../../../errors.ts';
import { stateFolder } from '../../../system/state.ts';
import { isInstalled } from '../../ask-program.ts';
import { type EngineName, recordedEngineName } from '../../engine/key.ts';
import type { ExecutorEnvironment } from '../../executor.ts';
import { leftFolders, makeMarkedFolder, removeFolder } from '../../leftovers/folders.ts';
import type { IsAbandoned } from '../../leftovers/owner.ts';
import { answerTo, statusOf } from '../docker.ts';
import { removeLabelledIn } from '../labelled.ts';
import { PodmanService } from './podman.ts';
import { isSocket, socketOf } from './sockets.ts';

const PREFIX = 'joulediff-used-engine-';
/** An engine that is gone for so long takes its containers with it. */
const KEPT_MS = 30 * 86_400_000;

/** Repository of the names that copies of images have in an engine, as long as their experiment runs. */
export const COPIED = 'localhost/joulediff-copied';

const nameOfCopy = (experimentId: string, imageId: string): string =>
  `${experimentId}-${imageId.replace(/^sha256:/, '').slice(0, 12)}`;

const remembered = new Set<string>();

/**
 * Writes down that an experiment makes containers in an engine that a later start would not look into: where this process is killed, it does. At the
 * end, what of images was copied into it is removed, and this note.
 */
export async function rememberUse(
  engine: EngineName,
  runtime: string | null,
  docker: Docker,
  { experimentId, atEnd }: Pick<ExecutorEnvironment, 'experimentId' | 'atEnd'>,
): Promise<void> {
  const key = JSON.stringify([experimentId, engine, runtime]);
  if (remembered.has(key)) return;
  remembered.add(key);
  mkdirSync(stateFolder(), { recursive: true, mode: 0o700 });
  const folder = makeMarkedFolder(stateFolder(), PREFIX, experimentId, { engine });
  atEnd?.(async () => {
    remembered.delete(key);
    await removeCopies(docker, experimentId);
    removeFolder(folder);
  });
}

/** Gives an image of the engine a name of the experiment's own, which goes at its end. */
export async function nameCopy(docker: Docker, experimentId: string, imageId: string): Promise<void> {
  const named = { repo: COPIED, tag: nameOfCopy(experimentId, imageId) };
  await answerTo((options) => docker.getImage(imageId).tag({ ...options, ...named }));
}

/** Takes those names away, and images that have no other. Throws what the engine says. */
async function removeCopies(docker: Docker, experimentId: string): Promise<number> {
  const filters = { reference: [COPIED] };
  const images = await answerTo((options) => docker.listImages({ ...options, filters }));
  const tags = images
    .flatMap(({ RepoTags }) => RepoTags ?? [])
    .filter((tag) => tag.startsWith(`${COPIED}:${experimentId}-`));
  for (const tag of tags) {
    await answerTo((options) => docker.getImage(tag).remove(options)).catch((thrown: unknown) => {
      if (statusOf(thrown) !== 404) throw thrown;
    });
  }
  return tags.length;
}

/** Removes what killed processes left in engines that were named. Gives a line for the log for each thing. */
export async function removeFromUsed(isAbandoned: IsAbandoned): Promise<string[]> {
  const lines: string[] = [];
  for (const { path, mark } of leftFolders(PREFIX, isAbandoned)) {
    const engine = recordedEngineName.safeParse(mark.engine);
    if (!engine.success || typeof mark.experiment !== 'string') continue;
    try {
      lines.push(...(await removeFromEngine(engine.data, mark.experiment, isAbandoned)));
      removeFolder(path);
    } catch (thrown) {
      lines.push(
        `What an earlier experiment left in the engine ${engine.data} could not be looked for: ${messageOf(thrown)}`,
      );
      if (Date.now() - statSync(path).mtimeMs > KEPT_MS) removeFolder(path);
    }
  }
  return lines;
}

async function removeFromEngine(
  engine: EngineName,
  experimentId: string,
  isAbandoned: IsAbandoned,
): Promise<readonly string[]> {
  const path = socketOf(engine);
  // All of Podman's services of a user see the same containers.
  const service =
    engine === 'podman' && !isSocket(path) && isInstalled('podman') ? new PodmanService(experimentId, null) : null;
  try {
    await service?.start();
    const docker = service?.docker ?? new Docker({ socketPath: path });
    const lines = await removeLabelledIn(docker, isAbandoned);
    const copies = await removeCopies(docker, experimentId);
    return copies === 0 ? lines : [...lines, `Removed an image that an earlier experiment copied into ${engine}.`];
  } finally {
    await service?.end();
  }
}
