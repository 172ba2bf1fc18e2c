import type Docker from 'dockerode';
import type { PlaceFacts } from '../../contracts/variant.ts';
import { IMAGE_LABEL } from '../../processes/labels.ts';
import { withDeadline } from '../../system/deadline.ts';
import { engineMessage, openDocker, statusOf } from './docker.ts';
import { listedImages } from './listed-images.ts';
import { isOlder, lastTagged, renewing } from './renewed.ts';

/** Days for which an image is kept: as long as an unfinished result whose folder is gone. */
const KEPT_DAYS = 30;
const WITHIN_MS = 20_000;

export interface OldImages {
  /** Facts of the places of an experiment that goes on, whose images are kept. */
  readonly needed?: readonly PlaceFacts[];
  /** Engine of another machine; absent: the usual one here. */
  readonly docker?: Docker;
  /** Time and tag for tests: other images are not looked at. */
  readonly nowMs?: number;
  readonly only?: string;
}

/**
 * Removes images that were built for experiments, and for none in the last 30 days: a machine that measures for years would fill with them. An image that somebody
 * else gave a name, that a container uses, or that an experiment which goes on was begun with, stays; so does one whose engine doesn't tell since when it has
 * its tag, which a build renews, and a resumed experiment. Gives a line for the log for each; nothing where there is no engine to ask.
 */
export async function removeOldImages({
  needed = [],
  docker: given,
  nowMs = Date.now(),
  only,
}: OldImages = {}): Promise<string[]> {
  const lines: string[] = [];
  const stay = new Set(needed.flatMap(imageIds));
  try {
    await withDeadline(async (abortSignal) => {
      const docker = given ?? openDocker();
      const options = {
        abortSignal,
        filters: { label: [only === undefined ? IMAGE_LABEL : `${IMAGE_LABEL}=${only}`] },
      };
      for (const { Id, Labels, RepoTags } of await listedImages(docker, options)) {
        const tag = Labels?.[IMAGE_LABEL];
        const names = RepoTags ?? [];
        if (tag === undefined || stay.has(Id) || names.length === 0) continue;
        if (!names.every((name) => name === tag || name === renewing(tag) || isOlder(name, tag))) continue;
        const days = (nowMs - Date.parse((await lastTagged(docker, Id, abortSignal)) ?? '')) / 86_400_000;
        if (!(days > KEPT_DAYS)) continue;
        abortSignal.throwIfAborted();
        lines.push(...(await removeTagged(docker, tag, names, Math.floor(days))));
      }
    }, WITHIN_MS);
  } catch {
    // An engine that doesn't answer is reported by whatever needs it.
  }
  return lines;
}

/** IDs of images in facts: a container has one image, a Compose project one for each service. */
const imageIds = (facts: PlaceFacts): readonly unknown[] =>
  Object.entries(facts).flatMap(([name, value]) => (/(?:^|_)image_id$/.test(name) ? [value] : []));

async function removeTagged(docker: Docker, tag: string, names: readonly string[], days: number): Promise<string[]> {
  try {
    for (const name of names) await docker.getImage(name).remove();
    return [`Removed the image ${tag}, which was built for an experiment ${days} days ago and not needed since.`];
  } catch (cause) {
    if (statusOf(cause) === 404 || statusOf(cause) === 409) return [];
    return [`The image ${tag}, not needed for ${days} days, could not be removed: ${engineMessage(cause)}.`];
  }
}
