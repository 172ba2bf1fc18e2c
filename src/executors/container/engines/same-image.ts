import type Docker from 'dockerode';
import type { PlaceFacts } from '../../../contracts/variant.ts';
import { MeasureError } from '../../../errors.ts';
import type { ExecutorEnvironment } from '../../executor.ts';
import { connectDocker, engineMessage } from '../docker.ts';
import { type FoundImage, findImage, findImageAgain, inspectImage, inTime } from '../image.ts';
import { followEngine } from '../progress.ts';
import type { ContainerVariant } from '../variant.ts';
import { contentIds } from './content-ids.ts';
import type { Engine } from './engine.ts';
import { imageArchive } from './image-archive.ts';
import { isOnlyCopy, nameCopy, noteCopy, noteOf } from './used.ts';

export interface Wanted {
  readonly variant: ContainerVariant;
  readonly engine: Engine;
  readonly environment: Pick<ExecutorEnvironment, 'experimentId' | 'log'>;
  readonly signal: AbortSignal;
}

/**
 * The image of a variant in the engine that it names. An image is the same in all engines of an experiment: what Docker's usual one has by the name, or
 * builds, is copied into the others, where they don't have it, and its ID there must be a digest of the same content. What Docker's
 * doesn't have is the engine's own business. Throws MeasureError.
 */
export async function findImageFor(wanted: Wanted, recorded: PlaceFacts | undefined): Promise<FoundImage> {
  const { variant, engine, environment, signal } = wanted;
  const { docker } = engine;
  const { log } = environment;
  if (variant.engine === undefined) {
    return recorded === undefined
      ? findImage(docker, variant, log, signal)
      : findImageAgain(docker, variant, recorded, log, signal);
  }
  if (recorded !== undefined) {
    const { image_id: id, image: name } = recorded;
    if (typeof id !== 'string' || typeof name !== 'string') throw new Error('the record names no image');
    const brought = await bringAgain(id, name, wanted);
    const again = { ...recorded, image_id: brought?.id ?? id };
    const { facts, ...found } = await findImageAgain(docker, variant, again, log, signal);
    return { ...found, facts: { ...facts, image_id: id } };
  }
  if (variant.build !== null) {
    const usual = await connectDocker();
    const built = await findImage(usual, variant, log, signal);
    return bring(usual, built, await findIds(usual, built, wanted), wanted);
  }
  const reference = variant.image ?? '';
  const own = await firstOf(docker, engine.isPodman ? localNames(reference) : [reference], reference);
  const usual = variant.pull === 'always' ? null : await usualEngine();
  const there = usual === null ? null : await inspectImage(usual, reference, reference);
  if (usual === null || there === null) {
    return own !== null && variant.pull !== 'always' ? own : findImage(docker, variant, log, signal);
  }
  const ids = await findIds(usual, there, wanted);
  if (own !== null && !ids.includes(own.id)) {
    log(
      `${engine.text} has another image by the name ${reference} (${short(own.id)}) than Docker's engine: variant ${JSON.stringify(variant.name)} runs that of Docker's (${short(there.id)}).`,
    );
  }
  return bring(usual, there, ids, wanted);
}

/** IDs that an engine's image may have in the variant's engine. */
function findIds(from: Docker, { id, facts }: FoundImage, wanted: Wanted): Promise<readonly string[]> {
  const { engine, variant, environment, signal } = wanted;
  const what = `The image ${JSON.stringify(facts.image)} was not looked for in ${engine.text}`;
  return inTime(variant, what, signal, async (stop) => {
    try {
      return await contentIds(from, id, engine.info, noteOf(variant, environment.experimentId), stop);
    } catch (cause) {
      stop.throwIfAborted();
      throw new MeasureError(`${what}: ${engineMessage(cause)}.`, { cause });
    }
  });
}

/** The first of these images that the engine has; null: it has none. */
async function firstHeld(docker: Docker, ids: readonly string[], image: string): Promise<FoundImage | null> {
  for (const id of ids) {
    const found = await inspectImage(docker, id, image);
    if (found !== null) return found;
  }
  return null;
}

/** Docker's usual engine; null: there is none, which does not matter where another one is named. */
const usualEngine = (): Promise<Docker | null> => connectDocker().catch(() => null);

/** Names of a local image in Podman, which adds `localhost/`. */
const localNames = (reference: string): readonly string[] =>
  /^(?:localhost|[^/]*[.:][^/]*)\//.test(reference) ? [reference] : [`localhost/${reference}`, reference];

async function firstOf(docker: Docker, names: readonly string[], reference: string): Promise<FoundImage | null> {
  for (const name of names) {
    const found = await inspectImage(docker, name, reference);
    if (found !== null) return found;
  }
  return null;
}

/** Brings an image into the variant's engine again; null: Docker's usual engine does not have it either. */
async function bringAgain(id: string, name: string, wanted: Wanted): Promise<FoundImage | null> {
  const usual = await usualEngine();
  const there = usual === null ? null : await inspectImage(usual, id, name);
  if (usual === null || there === null) return inspectImage(wanted.engine.docker, id, name);
  return bring(usual, there, await findIds(usual, there, wanted), wanted);
}

/** The same image in the variant's engine: copied there where it isn't yet. */
async function bring(from: Docker, there: FoundImage, ids: readonly string[], wanted: Wanted): Promise<FoundImage> {
  const { engine, environment, variant } = wanted;
  const { docker, text } = engine;
  const { image } = there.facts;
  const isThere = (await firstHeld(docker, ids, image)) !== null;
  if (!isThere) {
    noteCopy(variant, environment.experimentId, ids);
    await copy(from, there, wanted);
  }
  const found = await firstHeld(docker, ids, image);
  if (found === null) {
    throw new MeasureError(
      `The image ${JSON.stringify(image)} of variant ${JSON.stringify(variant.name)} is another one in ${text} than in Docker's engine: it has no image ${short(there.id)} after it was copied there.`,
      { advice: 'Load it there yourself, and name it by what it is called there.' },
    );
  }
  if (!isThere || (await isOnlyCopy(docker, found.id))) await nameCopy(docker, environment.experimentId, found.id);
  if (!isThere) {
    environment.log(`The image ${image} (${short(there.id)}) was copied into ${text} for this experiment.`);
  }
  return { ...found, facts: there.facts };
}

/** Copies an image as `docker save` and `docker load` do, without a file between them. */
async function copy(from: Docker, { id, facts }: FoundImage, { engine, variant, signal }: Wanted): Promise<void> {
  const what = `The image ${JSON.stringify(facts.image)} was not copied into ${engine.text}`;
  await inTime(variant, what, signal, async (stop) => {
    try {
      await pass(id, from, engine.docker, stop);
    } catch (cause) {
      stop.throwIfAborted();
      throw new MeasureError(`${what}: ${engineMessage(cause)}.`, { cause });
    }
  });
}

/** Passes an image on. Throws the error of either engine or of the stream, and the reason of `stop`: neither notices the other's end by itself. */
async function pass(id: string, from: Docker, to: Docker, stop: AbortSignal): Promise<void> {
  const broken = new AbortController();
  const over = AbortSignal.any([stop, broken.signal]);
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  over.addEventListener('abort', () => ended.reject(over.reason), { once: true });
  const archive = await imageArchive(from, id, over);
  try {
    archive.once('error', (cause) => broken.abort(cause));
    const loading = to.loadImage(archive as never, { quiet: true, abortSignal: over } as never) as unknown;
    const answer = (await Promise.race([loading, ended.promise])) as unknown as NodeJS.ReadableStream;
    await followEngine(to, answer, over, () => {});
  } catch (cause) {
    over.throwIfAborted();
    throw cause;
  } finally {
    archive.destroy();
  }
}

const short = (id: string): string => id.slice(0, 19);
