import { download } from './download.ts';
import type { ForgeEvent } from './event.ts';
import { field, text } from './untrusted.ts';

/** For the sake of links: a server that takes longer gets none. */
const LIMITS = { mostBytes: 10_000, totalMs: 30_000 };

/**
 * The event, with how the pages of runs are addressed where only the server itself can tell: Gitea counts the runs of a repository there before
 * 1.26 and takes their ids since (go-gitea/gitea#36842), and a runner of Forgejo may pose as Gitea's. Never throws: what is not known stays so,
 * because a link that leads to another run is worse than none.
 */
export async function withRunPages(event: ForgeEvent, token: string, limits = LIMITS): Promise<ForgeEvent> {
  const { apiUrl, serverUrl, pagesBy } = event;
  // The token is the job's own, and no business of any other server.
  if (pagesBy !== null || apiUrl === null || new URL(apiUrl).origin !== new URL(serverUrl).origin) return event;
  try {
    const answer: unknown = JSON.parse((await download(`${apiUrl}/version`, token, limits)).toString());
    return { ...event, pagesBy: pagesOf(text(field(answer, 'version'), 100)) };
  } catch {
    return event;
  }
}

/** Versions such as `1.25.3`, `1.27.0+dev-12-g0123456789`, and Forgejo's `15.0.1+gitea-1.22.0`. */
function pagesOf(version: string): ForgeEvent['pagesBy'] {
  const [, major, minor, more = ''] = /^v?(\d{1,4})\.(\d{1,4})\.(\d{1,4}.*)$/.exec(version) ?? [];
  if (more.includes('+gitea-')) return 'runNumber';
  // Which way the builds between 1.25 and 1.26 have it, their version does not tell.
  if (major !== '1' || (minor === '26' && /^0[-+]/.test(more))) return null;
  return Number(minor) < 26 ? 'runNumber' : 'runId';
}
