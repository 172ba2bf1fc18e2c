import { resolve } from 'node:path';
import type Docker from 'dockerode';
import type { PlaceFacts } from '../../contracts/variant.ts';
import { MeasureError, messageOf } from '../../errors.ts';
import { duration } from '../../text/numbers.ts';
import { baseImages } from './base-images.ts';
import { BUILT, buildImage, checkPaths } from './build.ts';
import { readBuildText } from './build-context.ts';
import { watchBuild } from './build-watch.ts';
import { answerTo, engineMessage, statusOf } from './docker.ts';
import { loginFor } from './logins.ts';
import { normalPlatform } from './platform.ts';
import { followEngine } from './progress.ts';
import { renewTag } from './renewed.ts';
import { type ContainerVariant, IMAGE_TIMEOUT_S, type ImageBuild } from './variant.ts';

/** An image as runs use it: by its ID, so that it stays the same even if its tag moves. */
export interface FoundImage {
  readonly id: string;
  /** Facts of the image; without a digest where no registry gave it one. */
  readonly facts: { readonly image: string; readonly image_digest: string | null; readonly image_id: string };
  /** The image's own ENTRYPOINT. */
  readonly entrypoint: readonly string[];
  /** Variables that it sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders that it declares as volumes: each container has one of its own there. */
  readonly volumes: readonly string[];
  /** The image's own USER; empty: root. */
  readonly user: string;
  /** The image's own CMD. */
  readonly command: readonly string[];
  /** `os/architecture[/variant]`. */
  readonly platform: string;
}

/**
 * Finds, pulls or builds a variant's image. `isElsewhere`: the engine is another machine's, on which nobody here can keep an eye. Throws MeasureError when there is none in the end,
 * with the engine's reason or the end of the build's output.
 */
export async function findImage(
  docker: Docker,
  variant: ContainerVariant,
  log: (line: string) => void,
  signal: AbortSignal,
  { isElsewhere = false } = {},
): Promise<FoundImage> {
  const { name, build } = variant;
  if (build !== null) {
    const make = async (end: AbortSignal) => {
      await pullBases(docker, build, variant, log, end);
      return buildImage(docker, name, build, log, end, variant.platform);
    };
    const what = `The image of variant ${quoted(name)} was not built from ${resolve(build.context, build.dockerfile)}`;
    const built = await inTime(variant, what, signal, (stop) =>
      isElsewhere ? make(stop) : watchBuild(what, stop, make),
    );
    return inspect(docker, built.id, built.tag, variant.platform);
  }
  const reference = variant.image ?? '';
  if (variant.pull !== 'always') {
    const found = await findPresent(docker, variant);
    if (found !== null) return found;
  }
  await pullInTime(docker, variant, reference, log, signal);
  return inspect(docker, reference, reference, variant.platform);
}

/** The image that a variant names, where it is on the engine's machine; null: it has to be pulled. Throws MeasureError where it may not be. */
export async function findPresent(
  docker: Docker,
  { image, platform, pull }: Pick<ContainerVariant, 'image' | 'platform' | 'pull'>,
): Promise<FoundImage | null> {
  const reference = image ?? '';
  const found = await inspectImage(docker, reference, reference, platform);
  if (found !== null || pull !== 'never') return found;
  throw new MeasureError(`The image ${imageFor(reference, platform)} isn't on this machine, and pull is never.`, {
    advice: 'Build or load it before, or set pull to missing.',
  });
}

function pullInTime(
  docker: Docker,
  variant: ContainerVariant,
  reference: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const what = `The image ${quoted(reference)} was not pulled`;
  return inTime(variant, what, signal, (stop) => pull(docker, reference, variant.platform, log, stop));
}

/** Gives the work's result, or after the variant's time for images a MeasureError that says `what` did not happen. */
export async function inTime<T>(
  { imageTimeoutS = IMAGE_TIMEOUT_S }: ContainerVariant,
  what: string,
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  if (imageTimeoutS === 'none') return work(signal);
  const limit = AbortSignal.timeout(Math.ceil(1000 * imageTimeoutS));
  try {
    return await work(AbortSignal.any([signal, limit]));
  } catch (cause) {
    signal.throwIfAborted();
    if (!limit.aborted) throw cause;
    throw new MeasureError(`${what} within ${duration(imageTimeoutS)}.`, {
      advice: `Where it needs longer, give the variant a longer image-timeout (default: ${duration(IMAGE_TIMEOUT_S)}; none: no limit).`,
      cause,
    });
  }
}

/**
 * The image that an unfinished experiment was started with, by its id: a tag may have moved since, and a build would make another. Where it is
 * gone it is pulled by the digest that its registry gave it. Throws MeasureError when it can't be had any more.
 */
export async function findImageAgain(
  docker: Docker,
  variant: ContainerVariant,
  { image: reference, image_id: id, image_digest: digest }: PlaceFacts,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<FoundImage> {
  if (typeof id !== 'string' || typeof reference !== 'string') throw new Error('the record names no image');
  const { platform } = variant;
  let found = await inspectImage(docker, id, reference, platform);
  if (found === null && typeof digest === 'string' && variant.build === null && variant.pull !== 'never') {
    await pullInTime(docker, variant, digest, log, signal);
    found = await inspectImage(docker, id, reference, platform);
  }
  if (found === null) {
    throw new MeasureError(
      `The image that variant ${quoted(variant.name)} was started with, ${reference} (${shortId(id)}), isn't on this machine any more.`,
      { advice: 'Start again without --resume: runs of two images do not make one experiment.' },
    );
  }
  const named = variant.build === null ? await inspectImage(docker, reference, reference, platform) : found;
  await keepBuilt(docker, reference, id);
  if (variant.build !== null) {
    log(
      `${reference} isn't built again: the experiment goes on with the image that it was begun with (${shortId(id)}).`,
    );
  } else if (named !== null && named.id !== id) {
    log(
      `${reference} now refers to another image (${shortId(named.id)}): the experiment continues with the one that it started with (${shortId(id)}).`,
    );
  }
  // The recorded digest is kept: an image may have several.
  return { ...found, facts: { ...found.facts, image_digest: typeof digest === 'string' ? digest : null } };
}

/** Renews the tag of an image that was built here: it counts as needed from the day when it was tagged last. */
async function keepBuilt(docker: Docker, reference: string, id: string): Promise<void> {
  if (!reference.startsWith(BUILT)) return;
  const built = await inspectImage(docker, reference, reference);
  if (built?.id === id) await renewTag(docker, id, reference);
}

const shortId = (id: string): string => id.slice(0, 19);

/** An image as it is there; null: there is none. Throws MeasureError with what else the engine says. */
export async function inspectImage(
  docker: Docker,
  name: string,
  reference: string,
  platform?: string,
): Promise<FoundImage | null> {
  try {
    return await inspect(docker, name, reference, platform);
  } catch (cause) {
    if (statusOf(cause) === 404) return null;
    throw refusal(`The image ${quoted(reference)} can't be used`, cause);
  }
}

/** The engine's description of an image. It is asked directly, since the client library has no option for the platform. */
function describe(docker: Docker, name: string, platform?: string): Promise<Docker.ImageInspectInfo> {
  const [os, architecture, variant] = platform === undefined ? [] : normalPlatform(platform).split('/');
  const options = platform === undefined ? {} : { platform: { os, architecture, variant } };
  const request = { path: `/images/${name}/json?`, method: 'GET', options, statusCodes: { 200: true } };
  return answerTo(
    () =>
      new Promise((done, fail) => {
        docker.modem.dial(
          request as never,
          ((thrown: unknown, found: Docker.ImageInspectInfo) => (thrown ? fail(thrown) : done(found))) as never,
        );
      }),
  );
}

async function inspect(docker: Docker, name: string, reference: string, platform?: string): Promise<FoundImage> {
  const image = await describe(docker, name, platform).catch(async (cause: unknown) => {
    if (platform === undefined || statusOf(cause) !== 404) throw cause;
    // Only containerd's store, which alone has descriptors, keeps one tag for several platforms. Elsewhere a pull would take the tag from another variant.
    const other = await describe(docker, name);
    if ('Descriptor' in other) throw cause;
    return other;
  });
  const entrypoint: string | string[] | null = image.Config?.Entrypoint ?? null;
  return {
    id: image.Id,
    facts: {
      image: reference,
      image_digest: digestOf(reference, image.RepoDigests ?? []),
      image_id: image.Id,
    },
    entrypoint: entrypoint === null ? [] : [entrypoint].flat(),
    env: Object.fromEntries(
      (image.Config?.Env ?? []).map((set) => [set.slice(0, set.indexOf('=')), set.slice(set.indexOf('=') + 1)]),
    ),
    volumes: Object.keys(image.Config?.Volumes ?? {}),
    user: image.Config?.User ?? '',
    command: image.Config?.Cmd ?? [],
    platform: [image.Os, image.Architecture, (image as { Variant?: string }).Variant].filter(Boolean).join('/'),
  };
}

/** `repository@sha256:…` of the repository that the reference names, where the image has several; null for one that no registry gave. */
function digestOf(reference: string, digests: readonly string[]): string | null {
  const repository = reference.replace(/@.*$/, '').replace(/:[^:/]*$/, '');
  return digests.find((digest) => digest.startsWith(`${repository}@`)) ?? digests[0] ?? null;
}

/**
 * Pulls what a Dockerfile builds on and what is only there after a login, as `docker build` would: the builder itself gets no login, because it asks
 * with the same one for whatever registry a Dockerfile names.
 */
async function pullBases(
  docker: Docker,
  build: ImageBuild,
  { name, platform, pull: when }: ContainerVariant,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  checkPaths(name, build);
  for (const reference of baseImages(readBuildText(resolve(build.context, build.dockerfile)), build.args)) {
    if ((await loginFor(reference)) === null || when === 'never') continue;
    if ((await inspectImage(docker, reference, reference, platform)) !== null) continue;
    // The builder may not need it.
    await pull(docker, reference, platform, log, signal).catch((thrown: unknown) => {
      signal.throwIfAborted();
      log(`${messageOf(thrown)} The builder goes on without it.`);
    });
  }
}

async function pull(
  docker: Docker,
  reference: string,
  platform: string | undefined,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const tagged = /@|:[^/:]+$/.test(reference) ? reference : `${reference}:latest`;
  log(`Pulling image ${tagged}`);
  try {
    // Without a tag the engine would pull every tag of the repository.
    const authconfig = await loginFor(tagged);
    const options = { ...(platform !== undefined && { platform }), ...(authconfig && { authconfig }) };
    const stream = await docker.pull(tagged, { ...options, abortSignal: signal });
    // Lines of a layer's steps; those with a percentage are too many, and left out.
    await followEngine(docker, stream, signal, ({ status, id, progress }) => {
      if (status && !progress) log(id ? `${id}: ${status}` : status);
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw refusal(`The image ${imageFor(reference, platform)} isn't on this machine and could not be pulled`, cause);
  }
}

function refusal(sentence: string, cause: unknown): MeasureError {
  return new MeasureError(`${sentence}: ${engineMessage(cause)}.`, {
    advice:
      'Check the name with "docker image ls" and "docker pull"; a private registry needs "docker login" by the user who runs joulediff.',
    cause,
  });
}

const quoted = JSON.stringify;
const imageFor = (reference: string, platform?: string): string =>
  `${quoted(reference)}${platform === undefined ? '' : ` for ${platform}`}`;
