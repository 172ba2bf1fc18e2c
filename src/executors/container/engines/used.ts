import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';
import * as z from 'zod';
import { MeasureError, systemMessage, withoutFullStop } from '../../../errors.ts';
import { isInstalled } from '../../../processes/ask-program.ts';
import { leftNotes, makeNote, removeFolder } from '../../../processes/left-folders.ts';
import { type IsAbandoned, ownerToken } from '../../../processes/owner.ts';
import { stateFolder } from '../../../system/state.ts';
import { type EngineName, recordedEngineName } from '../../engine-key.ts';
import type { ExecutorEnvironment } from '../../executor.ts';
import { answerTo, DEFAULT_SOCKET, engineMessage, engineSocket, statusOf } from '../docker.ts';
import { removeLabeledIn } from '../labeled.ts';
import { listedImages } from '../listed-images.ts';
import { PodmanService } from './podman.ts';
import { getSocketPath, isSocket } from './sockets.ts';

const PREFIX = 'joulediff-used-engine-';
/** Time after which a note is dropped: the containers of an engine that is gone for so long are gone, too. */
const KEPT_MS = 30 * 86_400_000;

/** Repository name of copied images in an engine, for as long as their experiment runs. */
const COPIED = 'localhost/joulediff-copied';

/** Tag of a copy: 128 characters at most, and without colons. */
function tagOfCopy(experimentId: string, imageId: string): string {
  const [boot = '', ...others] = ownerToken().split(':');
  const owner = [boot.replaceAll('-', ''), ...others].join('.');
  return `${owner}-${experimentId}-${imageId.replace(/^sha256:/, '').slice(0, 12)}`;
}

/** Maker of a copied image, by its name; null: the name is none of ours. */
function parseMaker(name: string): { readonly owner: string; readonly experiment: string } | null {
  const pattern =
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.(\d+)\.(\d+)\.(\d+)-(.+)-[0-9a-f]{12}$/;
  const found = name.startsWith(`${COPIED}:`) ? pattern.exec(name.slice(COPIED.length + 1)) : null;
  if (found === null) return null;
  const owner = [found.slice(1, 6).join('-'), ...found.slice(6, 9)].join(':');
  return { owner, experiment: found[9] ?? '' };
}

const recordedUse = z.object({ engine: recordedEngineName, socket: z.string(), experiment: z.string() });

/** Folders of the notes, by experiment and engine. */
const notes = new Map<string, string>();

type Used = { readonly engine?: EngineName; readonly runtime: string | null };

const keyOf = (experimentId: string, { engine, runtime }: Used): string =>
  JSON.stringify([experimentId, engine, runtime]);

/**
 * Writes down that an experiment makes containers in an engine that a later start would not look into otherwise; it does if this process is killed.
 * At the end, the note and the images that were copied into the engine are removed. Throws MeasureError where nothing can be written.
 */
export async function rememberUse(
  engine: EngineName,
  runtime: string | null,
  docker: Docker,
  { experimentId, atEnd }: Pick<ExecutorEnvironment, 'experimentId' | 'atEnd'>,
): Promise<void> {
  const key = keyOf(experimentId, { engine, runtime });
  if (notes.has(key)) return;
  const folder = noteUse(experimentId, engine);
  notes.set(key, folder);
  atEnd?.(async () => {
    notes.delete(key);
    const isOurs: IsAbandoned = ({ owner, experiment }) => owner === ownerToken() && experiment === experimentId;
    try {
      await removeCopies(docker, folder, experimentId, isOurs);
    } catch (cause) {
      throw new MeasureError(
        `What was copied into the engine ${engine} for this experiment may still be there, since that could not be removed: ${engineMessage(cause)}. The next start tries again.`,
        { cause },
      );
    }
    removeFolder(folder);
  });
}

/** Notes the engine of DOCKER_HOST at a socket in the same way, since a later start may run without that variable. */
export async function rememberAmbient(
  docker: Docker,
  environment: Pick<ExecutorEnvironment, 'experimentId' | 'atEnd'>,
): Promise<void> {
  const socket = engineSocket();
  if (socket === null || socket === DEFAULT_SOCKET) return;
  await rememberUse(`unix://${socket}`, null, docker, environment);
}

function noteUse(experimentId: string, engine: EngineName): string {
  try {
    // The note has the socket, too, since a later start may have another environment.
    return makeNote(PREFIX, experimentId, { engine, socket: getSocketPath(engine) });
  } catch (cause) {
    throw new MeasureError(
      `The engine ${engine} is not used: the note that containers are made there, by which they are found if joulediff is killed, could not be written to ${stateFolder()} (${withoutFullStop(systemMessage(cause))}).`,
      { advice: 'Make room there, or name another folder by XDG_STATE_HOME.', cause },
    );
  }
}

/**
 * Writes down what images are about to be copied into an engine that doesn't have them: until they have a name nothing else would tell whose they are.
 * Throws MeasureError where it can't be written.
 */
export function noteCopy(used: Used, experimentId: string, imageIds: readonly string[]): void {
  const folder = noteOf(used, experimentId);
  try {
    for (const id of imageIds) writeFileSync(join(folder, id.replace(/^sha256:/, '')), '', { mode: 0o600 });
  } catch (cause) {
    throw new MeasureError(
      `No image is copied into the engine ${used.engine}: it could not be written down in ${folder} (${systemMessage(cause)}).`,
      { cause },
    );
  }
}

/** Private folder of the note of an engine's use; it is removed with the note. */
export function noteOf(used: Used, experimentId: string): string {
  const folder = notes.get(keyOf(experimentId, used));
  if (folder === undefined) throw new Error('rememberUse() comes before a copy');
  return folder;
}

/** Gives an image of the engine a name of the experiment's own, which is removed at its end. */
export async function nameCopy(docker: Docker, experimentId: string, imageId: string): Promise<void> {
  const named = { repo: COPIED, tag: tagOfCopy(experimentId, imageId) };
  await answerTo((options) => docker.getImage(imageId).tag({ ...options, ...named }));
}

/** Whether an image exists only as a copy, so that it would be removed with the experiment that it was copied for. */
export async function isOnlyCopy(docker: Docker, imageId: string): Promise<boolean> {
  const { RepoTags: names } = await answerTo((options) => docker.getImage(imageId).inspect(options));
  return (names ?? []).length > 0 && (names ?? []).every((name) => parseMaker(name) !== null);
}

/**
 * Takes the names of copies away that `isAbandoned` picks, and images that have no other; and what the note in the folder says was being copied when
 * there was no name yet. Gives how many. Throws what the engine says.
 */
async function removeCopies(
  docker: Docker,
  folder: string,
  ownExperiment: string,
  isAbandoned: IsAbandoned,
): Promise<number> {
  const filters = { reference: [COPIED] };
  const images = await answerTo((options) => listedImages(docker, { ...options, filters }));
  const tags = images
    .flatMap(({ RepoTags }) => RepoTags ?? [])
    .filter((name) => {
      const maker = parseMaker(name);
      // The note tells whose copies are of this machine.
      return maker !== null && isAbandoned({ ...maker, mayBeElsewhere: maker.experiment !== ownExperiment });
    });
  let removed = 0;
  for (const tag of tags) removed += await removeImage(docker, tag);
  for (const id of notedIn(folder)) {
    if (await isNameless(docker, `sha256:${id}`)) removed += await removeImage(docker, `sha256:${id}`);
  }
  return removed;
}

function notedIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[0-9a-f]{64}$/.test(name));
  } catch {
    // Somebody has removed the note.
    return [];
  }
}

/** Removes an image, and gives the number removed; 0: it was gone already. */
async function removeImage(docker: Docker, name: string): Promise<0 | 1> {
  try {
    await answerTo((options) => docker.getImage(name).remove(options));
    return 1;
  } catch (thrown) {
    if (statusOf(thrown) !== 404) throw thrown;
    return 0;
  }
}

async function isNameless(docker: Docker, id: string): Promise<boolean> {
  try {
    const { RepoTags: names } = await answerTo((options) => docker.getImage(id).inspect(options));
    return (names ?? []).length === 0;
  } catch (thrown) {
    if (statusOf(thrown) !== 404) throw thrown;
    return false;
  }
}

/** Removes what killed processes left in engines that were named. Gives a line for the log for each thing. */
export async function removeFromUsed(isAbandoned: IsAbandoned): Promise<string[]> {
  const lines: string[] = [];
  for (const { path, mark } of leftNotes(PREFIX, isAbandoned)) {
    const note = recordedUse.safeParse(mark);
    if (!note.success) continue;
    try {
      lines.push(...(await removeFromEngine(note.data, path, isAbandoned)));
      removeFolder(path);
    } catch (thrown) {
      lines.push(
        `What an earlier experiment left in the engine ${note.data.engine} could not be looked for: ${engineMessage(thrown)}`,
      );
      if (Date.now() - statSync(path).mtimeMs > KEPT_MS) removeFolder(path);
    }
  }
  return lines;
}

async function removeFromEngine(
  { engine, socket, experiment }: z.output<typeof recordedUse>,
  folder: string,
  isAbandoned: IsAbandoned,
): Promise<readonly string[]> {
  // All of Podman's services of a user see the same containers.
  const service =
    engine === 'podman' && !isSocket(socket) && isInstalled('podman') ? new PodmanService(experiment, null) : null;
  try {
    await service?.start();
    const docker = service?.docker ?? new Docker({ socketPath: socket });
    const lines = await removeLabeledIn(docker, isAbandoned);
    const copies = await removeCopies(docker, folder, experiment, isAbandoned);
    return copies === 0 ? lines : [...lines, `Removed an image that an earlier experiment copied into ${engine}.`];
  } finally {
    await service?.end();
  }
}
