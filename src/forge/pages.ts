import type { Octokit } from './api.ts';

/** Maximum pages: 10,000 items; it also ends a cycle of `next` links. */
const PAGES = 100;

type Values = Readonly<Record<string, string | number>>;

/**
 * Calls `read` with the answer to `route` and to all following `next` links. Servers without paging that send everything
 * at once (Gitea) send no link. Throws the API's errors, those of `read`, and an Error for too many pages.
 */
export async function readPages(
  octokit: Octokit,
  route: string,
  values: Values,
  read: (data: unknown) => void,
): Promise<void> {
  const first = octokit.request.endpoint(route, { ...values, per_page: 100 });
  let url: string | null = first.url;
  for (let page = 0; url !== null; page++) {
    if (page === PAGES) throw new Error(`The server’s list has more than ${PAGES} pages`);
    // octokit's paginate takes a truncated answer for an empty page, and would cause a second comment.
    const { data, headers } = await octokit.request({ method: 'GET', url });
    read(data);
    url = nextPage(headers.link, first.url);
  }
}

/** Address of the next page, only on the API's own origin, so that the token goes nowhere else. */
function nextPage(link: string | undefined, from: string): string | null {
  const target = /<([^<>]+)>;\s*rel="?next"?/.exec(link ?? '')?.[1];
  const url = target === undefined ? null : URL.parse(target, from);
  return url === null ? null : `${new URL(from).origin}${url.pathname}${url.search}`;
}
