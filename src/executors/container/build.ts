import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type Docker from 'dockerode';
import { InputError, MeasureError, messageOf } from '../../errors.ts';
import { IMAGE_LABEL } from '../../processes/labels.ts';
import { usableMemory } from '../../processes/limits.ts';
import { isGiteaJob } from '../../system/gitea.ts';
import { withoutWorkspace } from '../../system/workspace.ts';
import { listed } from '../../text/plain.ts';
import { quoteTail } from '../output-tail.ts';
import { packContext } from './build-context.ts';
import { answerTo, infoOf, statusOf } from './docker.ts';
import { listedImages } from './listed-images.ts';
import { type EngineEvent, followEngine } from './progress.ts';
import { giveTag, isOlder, olderThan } from './renewed.ts';
import type { ImageBuild } from './variant.ts';

const TAIL_LINES = 20;
/** Upper bound on the paths that one line names. */
const MAX_NAMED = 5;
const WITHOUT_GIT =
  'The folder .git is not sent to the builder; if the build needs it, a line !.git in .dockerignore sends it.';

export interface BuiltImage {
  readonly id: string;
  readonly tag: string;
}

/**
 * Builds a variant's image. The tag is the same for the same Dockerfile in the same folder, and the image that had it before is removed, so
 * that a machine that measures often keeps one image for it, with its layers as the cache of the next build; old ones go one day (`removeOldImages`). Throws InputError when context or Dockerfile
 * aren't there, MeasureError with the end of the output when the build fails.
 */
export async function buildImage(
  docker: Docker,
  variant: string,
  build: ImageBuild,
  log: (line: string) => void,
  signal: AbortSignal,
  platform?: string,
): Promise<BuiltImage> {
  checkPaths(variant, build);
  const tag = tagOf(variant, build);
  log(`Building image ${tag}`);
  const lines: string[] = [];
  let id: string | null = null;
  const onEvent = (event: EngineEvent) => {
    id = event.aux?.ID ?? /^Built image: (sha256:\w+)/.exec(event.stream ?? '')?.[1] ?? id;
    for (const line of (event.error ?? event.stream ?? '').split('\n')) {
      if (line.trim() === '') continue;
      log(line);
      lines.push(line);
      if (lines.length > TAIL_LINES) lines.shift();
    }
  };
  await keepOlder(docker, tag);
  try {
    const stream = await startBuild(docker, build, tag, log, signal, platform);
    await followEngine(docker, stream, signal, onEvent);
  } catch (cause) {
    await removeOlder(docker, tag).catch(() => undefined);
    signal.throwIfAborted();
    throw new MeasureError(
      `The image of variant ${quoted(variant)} could not be built from ${resolve(build.context, build.dockerfile)}: ` +
        `${messageOf(cause).trim()}.${quoteTail(lines.join('\n'), TAIL_LINES)}`,
      { advice: lines.some((line) => /\.git\b/.test(line)) ? WITHOUT_GIT : undefined, cause },
    );
  }
  id ??= (await answerTo(() => docker.getImage(tag).inspect())).Id;
  await removeOlder(docker, tag);
  return { id, tag };
}

/** Gives the image with this tag a second name, by which it is found: labels would not do, since images made from it inherit them. */
export async function keepOlder(docker: Docker, tag: string): Promise<void> {
  try {
    const { Id: id } = await answerTo(() => docker.getImage(tag).inspect());
    await giveTag(docker, id, `${olderThan(tag)}${id.replace(/^sha256:/, '').slice(0, 12)}`);
  } catch (cause) {
    if (statusOf(cause) !== 404) throw cause;
  }
}

/** Removes images that had this tag before, except those that a container uses or somebody has tagged. */
export async function removeOlder(docker: Docker, tag: string): Promise<void> {
  const built = await answerTo((options) =>
    listedImages(docker, { ...options, filters: { label: [`${IMAGE_LABEL}=${tag}`] } }),
  );
  const names = built.flatMap(({ RepoTags }) => RepoTags ?? []).filter((name) => isOlder(name, tag));
  for (const name of names) {
    await answerTo((options) => docker.getImage(name).remove(options)).catch((cause: unknown) => {
      if (![404, 409].includes(statusOf(cause) ?? 0)) throw cause;
    });
  }
}

/**
 * With BuildKit, as `docker build` does, which holds its steps to no limit; with the classic builder where an engine has no BuildKit (Podman,
 * engines before 18.09), which holds them to one of memory.
 */
async function startBuild(
  docker: Docker,
  build: ImageBuild,
  tag: string,
  log: (line: string) => void,
  signal: AbortSignal,
  platform?: string,
) {
  const start = (version: '1' | '2', more: { readonly memory?: number; readonly memswap?: number } = {}) => {
    const { archive, dockerfile } = packContext(build.context, build.dockerfile, (paths) =>
      log(
        `Left out of the build context, as pipes and devices: ${listed(paths.slice(0, MAX_NAMED))}${paths.length > MAX_NAMED ? ', …' : ''}.`,
      ),
    );
    const target = build.target === null ? {} : { target: build.target };
    const options = {
      t: tag,
      dockerfile,
      buildargs: build.args,
      ...target,
      ...(platform !== undefined && { platform }),
      rm: true,
      forcerm: true,
      labels: { [IMAGE_LABEL]: tag },
      ...more,
    };
    return docker.buildImage(archive, { ...options, version, abortSignal: signal });
  };
  try {
    return await start('2');
  } catch (cause) {
    if (![400, 404, 405, 501].includes(statusOf(cause) ?? 0)) throw cause;
    const { MemTotal: machineBytes, MemoryLimit: holdsMemory } = await infoOf(docker);
    return start('1', holdsMemory === false ? {} : { memory: usableMemory(machineBytes), memswap: -1 });
  }
}

function tagOf(variant: string, build: ImageBuild): string {
  return builtTag(variant, [build.tagBy ?? [build.context, build.dockerfile].join('\0'), build.target ?? '']);
}

/** Prefix of the tags of all images that are built here. */
export const BUILT = 'joulediff/';

/** Tag of an image that is built here: the same for the same name and source, even if a runner gives each job a folder of its own. */
export function builtTag(name: string, source: readonly string[]): string {
  const lasting = isGiteaJob(process.env) ? source.map(withoutWorkspace) : source;
  const readable = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const hash = createHash('sha256')
    .update([name, ...lasting].join('\0'))
    .digest('hex')
    .slice(0, 12);
  return `${BUILT}${readable.replace(/^-|-$/g, '') || 'image'}:${hash}`;
}

/** Throws InputError where the context or the Dockerfile isn't there. */
export function checkPaths(variant: string, build: ImageBuild): void {
  if (!statSync(build.context, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InputError(`The build context of variant ${quoted(variant)}, ${build.context}, isn't a folder.`);
  }
  const dockerfile = resolve(build.context, build.dockerfile);
  if (!statSync(dockerfile, { throwIfNoEntry: false })?.isFile()) {
    throw new InputError(`The Dockerfile of variant ${quoted(variant)}, ${dockerfile}, isn't there.`);
  }
}

const quoted = JSON.stringify;
