import type { Octokit } from './api.ts';
import { field } from './untrusted.ts';

/** Maximum pages: 10,000 items; it also ends a cycle of `next` links. */
const PAGES = 100;

type Values = Readonly<Record<string, string | number>>;

interface Answer {
  readonly data: unknown;
  readonly headers: { readonly link?: string | undefined };
}

/**
 * Calls `read` with every item of the list at `route`, from all pages: the answer, or its property `name`. Servers follow with `next` links; a Gitea
 * has none for lists in a property, and tells their `total_count`. Servers without paging send everything at once. Throws the API's errors, those
 * of `read`, and an Error for too many pages.
 */
export async function readPages(
  octokit: Octokit,
  route: string,
  values: Values,
  name: string,
  read: (item: unknown) => void,
): Promise<void> {
  // Gitea's name is `limit`.
  const first = octokit.request.endpoint(route, { ...values, per_page: 100, limit: 100 });
  let url: string | null = first.url;
  let count = 0;
  for (let page = 1; url !== null; page++) {
    if (page > PAGES) throw new Error(`The server’s list has more than ${PAGES} pages`);
    // octokit's paginate takes a truncated answer for an empty page, and would cause a second comment.
    const answer: Answer = await octokit.request({ method: 'GET', url });
    const { data, headers } = answer;
    const items: unknown = Array.isArray(data) ? data : field(data, name);
    if (!Array.isArray(items)) {
      const asked = name.replaceAll('_', ' ');
      throw new Error(`The server answered the request for ${asked} with something other than a list`);
    }
    for (const item of items as unknown[]) read(item);
    count += items.length;
    const isCut = headers.link === undefined && items.length > 0 && count < Number(field(data, 'total_count'));
    url = isCut ? `${first.url}&page=${page + 1}` : nextPage(headers.link, first.url);
  }
}

/** Address of the next page, only on the API's own origin, so that the token goes nowhere else. */
function nextPage(link: string | undefined, from: string): string | null {
  const target = /<([^<>]+)>;\s*rel="?next"?/.exec(link ?? '')?.[1];
  const url = target === undefined ? null : URL.parse(target, from);
  return url === null ? null : `${new URL(from).origin}${url.pathname}${url.search}`;
}
