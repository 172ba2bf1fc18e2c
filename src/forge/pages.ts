import type { Octokit } from './api.ts';

/** 10,000 things; a `next` link that leads round in a circle ends here too. */
const PAGES = 100;

type Values = Readonly<Record<string, string | number>>;

/**
 * Calls `read` with the answer to `route`, and with those that `next` links lead to until there is none. A server that ignores paging and
 * sends everything at once (Gitea) sends no link either. Throws the API's errors, what `read` throws, and an Error where it takes no end.
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
    // Not octokit's paginate: it takes an answer that broke off for an empty page, and would let us write a second comment.
    const { data, headers } = await octokit.request({ method: 'GET', url });
    read(data);
    url = nextPage(headers.link, first.url);
  }
}

/** Address of the next page; always at the API's own origin, so that the token goes nowhere else. */
function nextPage(link: string | undefined, from: string): string | null {
  const target = /<([^<>]+)>;\s*rel="?next"?/.exec(link ?? '')?.[1];
  const url = target === undefined ? null : URL.parse(target, from);
  return url === null ? null : `${new URL(from).origin}${url.pathname}${url.search}`;
}
