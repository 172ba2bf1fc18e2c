import type Docker from 'dockerode';
import { withDeadline } from '../../system/deadline.ts';
import { engineMessage, openDocker, statusOf } from './docker.ts';
import { IMAGE_LABEL } from './labels.ts';

/** As long as the result of an unfinished experiment is kept where its folder is gone. */
const KEPT_DAYS = 30;
const WITHIN_MS = 20_000;

/**
 * Removes images that were built for experiments, and for none in the last 30 days: a machine that measures for years would fill with them. An image that somebody
 * else gave a name, or that a container uses, stays; so does one whose engine doesn't tell since when it has its tag, which a build renews, and a resumed
 * experiment. Gives a line for the log for each; nothing where there is no engine to ask. For tests: another time, and the only tag that is looked at.
 */
export async function removeOldImages(nowMs = Date.now(), only?: string): Promise<string[]> {
  const lines: string[] = [];
  try {
    await withDeadline(async (abortSignal) => {
      const docker = openDocker();
      const options = {
        abortSignal,
        filters: { label: [only === undefined ? IMAGE_LABEL : `${IMAGE_LABEL}=${only}`] },
      };
      for (const { Id, Labels, RepoTags } of await docker.listImages(options)) {
        const tag = Labels?.[IMAGE_LABEL];
        if (tag === undefined || RepoTags?.length !== 1 || RepoTags[0] !== tag) continue;
        const days = (nowMs - (await taggedMs(docker, Id, abortSignal))) / 86_400_000;
        if (!(days > KEPT_DAYS)) continue;
        abortSignal.throwIfAborted();
        lines.push(...(await removeTagged(docker, tag, Math.floor(days))));
      }
    }, WITHIN_MS);
  } catch {
    // Whoever needs the engine is told why it doesn't answer.
  }
  return lines;
}

async function removeTagged(docker: Docker, tag: string, days: number): Promise<string[]> {
  try {
    await docker.getImage(tag).remove();
    return [`Removed the image ${tag}, which was built for an experiment ${days} days ago and not needed since.`];
  } catch (cause) {
    if (statusOf(cause) === 404 || statusOf(cause) === 409) return [];
    return [`The image ${tag}, not needed for ${days} days, could not be removed: ${engineMessage(cause)}.`];
  }
}

/** When it was given its tag last; NaN: not told. */
async function taggedMs(docker: Docker, id: string, abortSignal: AbortSignal): Promise<number> {
  // Its options are newer than the library's types.
  const { Metadata } = (await docker.getImage(id).inspect({ abortSignal } as never)) as unknown as {
    readonly Metadata?: { readonly LastTagTime?: string };
  };
  const ms = Date.parse(Metadata?.LastTagTime ?? '');
  // One that was never tagged has the first of January of the year 1.
  return ms > 0 ? ms : Number.NaN;
}
