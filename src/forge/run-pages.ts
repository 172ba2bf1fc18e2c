import { download } from './download.ts';
import type { ForgeEvent } from './event.ts';
import { field, text } from './untrusted.ts';

/** For the sake of links: a server that takes longer gets none. */
const LIMITS = { mostBytes: 100_000, totalMs: 30_000 };

/**
 * The event, with how the pages of runs are addressed where only the server itself can tell: Gitea counts the runs of a repository there before
 * 1.26 and takes their ids since (go-gitea/gitea#36842), and a runner of Forgejo may pose as Gitea's. A server whose version doesn't tell, such as one
 * that was built by hand, is asked for the page of this run; older ones can't say. Never throws: what is not known stays so,
 * because a link that leads to another run is worse than none.
 */
export async function withRunPages(event: ForgeEvent, token: string, limits = LIMITS): Promise<ForgeEvent> {
  const { apiUrl, serverUrl, pagesBy, repository, runId } = event;
  // The token is the job's own, and no business of any other server.
  if (pagesBy !== null || apiUrl === null || new URL(apiUrl).origin !== new URL(serverUrl).origin) return event;
  const ask = async (path: string): Promise<unknown> =>
    JSON.parse((await download(`${apiUrl}/${path}`, token, limits)).toString());
  try {
    const known = pagesOf(text(field(await ask('version'), 'version'), 100));
    if (known !== null || repository === null || runId === 0) return { ...event, pagesBy: known };
    const run = await ask(`repos/${repository.owner}/${repository.name}/actions/runs/${runId}`);
    return { ...event, pagesBy: pagesLike(text(field(run, 'html_url'), 2000), event) };
  } catch {
    return event;
  }
}

/** What the address that the server itself gives for this run ends with. */
function pagesLike(page: string, event: ForgeEvent): ForgeEvent['pagesBy'] {
  const number = Number(/\/actions\/runs\/(\d{1,16})$/.exec(page)?.[1]);
  return (['runId', 'runNumber'] as const).find((by) => event[by] === number) ?? null;
}

/** Versions such as `1.25.3`, `1.27.0+dev-12-g0123456789`, and Forgejo's `15.0.1+gitea-1.22.0`. */
function pagesOf(version: string): ForgeEvent['pagesBy'] {
  const [, major, minor, more = ''] = /^v?(\d{1,4})\.(\d{1,4})\.(\d{1,4}.*)$/.exec(version) ?? [];
  if (more.includes('+gitea-')) return 'runNumber';
  // Which way the builds between 1.25 and 1.26 have it, their version does not tell.
  if (major !== '1' || (minor === '26' && /^0[-+]/.test(more))) return null;
  return Number(minor) < 26 ? 'runNumber' : 'runId';
}
