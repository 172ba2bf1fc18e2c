import type Docker from 'dockerode';
import { answerTo } from './docker.ts';

/** Prefix of an image's second name while another one is built under its tag. */
export const olderThan = (tag: string): string => `${tag}-before-`;

/** Registry in the names that Podman lists, which is not part of the tag. */
const PREFIX = /^(?:localhost|docker\.io)\//;

export const isOlder = (name: string, tag: string): boolean => name.replace(PREFIX, '').startsWith(olderThan(tag));

/** Second name of an image for the moment in which its own name is renewed. */
export const renewing = (tag: string): string => `${tag}-renewing`;

/**
 * Gives an image its tag again, so that it counts as needed from now on. An engine that keeps its images in containerd takes a tag that is there already
 * for done, and leaves its date: there the tag is taken away and given again, while a second name keeps the image.
 */
export async function renewTag(docker: Docker, id: string, tag: string): Promise<void> {
  const before = await lastTagged(docker, id);
  await giveTag(docker, id, tag);
  if (before === null || (await lastTagged(docker, id)) !== before) return;
  await giveTag(docker, id, renewing(tag));
  await remove(docker, tag);
  await giveTag(docker, id, tag);
  await remove(docker, renewing(tag));
}

/** When it was given a tag last, as the engine writes times; null: not told. */
export async function lastTagged(docker: Docker, id: string, abortSignal?: AbortSignal): Promise<string | null> {
  // Options and fields of this request are newer than the library's types.
  const inspect = (more: object) =>
    docker.getImage(id).inspect(more as never) as unknown as Promise<{
      readonly Metadata?: { readonly LastTagTime?: string };
    }>;
  const { Metadata } = await (abortSignal === undefined ? answerTo(inspect) : inspect({ abortSignal }));
  const reported = Metadata?.LastTagTime ?? '';
  // An image that was never tagged has the first of January of the year 1.
  return Date.parse(reported) > 0 ? reported : null;
}

export function giveTag(docker: Docker, id: string, name: string): Promise<unknown> {
  const colon = name.lastIndexOf(':');
  const [repo, tag] = [name.slice(0, colon), name.slice(colon + 1)];
  return answerTo((options) => docker.getImage(id).tag({ ...options, repo, tag }));
}

const remove = (docker: Docker, name: string): Promise<unknown> =>
  answerTo((options) => docker.getImage(name).remove({ ...options, noprune: true }));
