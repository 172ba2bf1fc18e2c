import { download } from './download.ts';
import type { ForgeEvent } from './event.ts';
import { field, text } from './untrusted.ts';

/** Limits for a request that only improves links. */
const LIMITS = { mostBytes: 100_000, totalMs: 30_000 };

/**
 * Adds to the event how run pages are addressed, which only the server knows: Gitea before 1.26 uses the run's number in the repository, and
 * since then its id (go-gitea/gitea#36842), and a Forgejo runner may claim to be Gitea's. If the version does not decide it, such as in a
 * custom build, the server is asked for this run's page; older ones can't answer. Never throws: an unknown value stays null,
 * because a link to a wrong run is worse than none.
 */
export async function withRunPages(event: ForgeEvent, token: string, limits = LIMITS): Promise<ForgeEvent> {
  const { apiUrl, serverUrl, pagesBy, repository, runId } = event;
  // The token belongs to the job's own server, and is sent to no other.
  if (pagesBy !== null || apiUrl === null || new URL(apiUrl).origin !== new URL(serverUrl).origin) return event;
  const ask = async (path: string): Promise<unknown> =>
    JSON.parse((await download(`${apiUrl}/${path}`, token, limits)).toString());
  try {
    const known = parsePageType(text(field(await ask('version'), 'version'), 100));
    if (known !== null || repository === null || runId === 0) return { ...event, pagesBy: known };
    const run = await ask(`repos/${repository.owner}/${repository.name}/actions/runs/${runId}`);
    return { ...event, pagesBy: pagesLike(text(field(run, 'html_url'), 2000), event) };
  } catch {
    return event;
  }
}

/** Which number ends the page address that the server gives for this run. */
function pagesLike(page: string, event: ForgeEvent): ForgeEvent['pagesBy'] {
  const number = Number(/\/actions\/runs\/(\d{1,16})$/.exec(page)?.[1]);
  return (['runId', 'runNumber'] as const).find((by) => event[by] === number) ?? null;
}

/** Address type by version: `1.25.3`, `1.27.0+dev-12-g0123456789`, or Forgejo's `15.0.1+gitea-1.22.0`. */
function parsePageType(version: string): ForgeEvent['pagesBy'] {
  const [, major, minor, more = ''] = /^v?(\d{1,4})\.(\d{1,4})\.(\d{1,4}.*)$/.exec(version) ?? [];
  if (more.includes('+gitea-')) return 'runNumber';
  // Development versions between 1.25 and 1.26 may use either.
  if (major !== '1' || (minor === '26' && /^0[-+]/.test(more))) return null;
  return Number(minor) < 26 ? 'runNumber' : 'runId';
}
