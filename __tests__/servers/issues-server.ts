import {
  BOT,
  type CommentsServer,
  type Options,
  type Pager,
  startCommentsServer,
  type User,
} from './comments-server.ts';
import type { Reply, Request } from './http.ts';

/** Plays the issues of a forge: listed by state and time, opened, closed, commented. */
export interface IssuesServer extends CommentsServer {
  readonly issues: Issue[];
  /** Opens an issue of somebody's, as if in the browser. */
  open(body: string, user: User): Issue;
}

export interface Issue {
  readonly number: number;
  readonly title: string;
  body: string;
  state: 'open' | 'closed';
  readonly user: User;
  readonly updated_at: string;
  readonly reported: string[];
}

export async function startIssuesServer(options: Options = {}): Promise<IssuesServer> {
  const issues: Issue[] = [];
  const { repository = 'octo/demo', self = BOT } = options;
  const add = (title: string, body: string, user: User): Issue => {
    const updated = new Date().toISOString();
    const issue: Issue = {
      number: issues.length + 1,
      title,
      body,
      state: 'open',
      user,
      updated_at: updated,
      reported: [],
    };
    issues.push(issue);
    return issue;
  };
  const more = (request: Request, page: Pager): Reply | null => {
    const { method, url } = request;
    const [, number, comments] = new RegExp(`^/repos/${repository}/issues(?:/(\\d+)(/comments)?)?$`).exec(
      url.pathname,
    ) ?? [null];
    if (!url.pathname.startsWith(`/repos/${repository}/issues`)) return null;
    if (method !== 'GET' && options.access === 'read') {
      const headers = { 'x-accepted-github-permissions': 'issues=write' };
      return { status: 403, headers, json: { message: 'Resource not accessible by integration' } };
    }
    const given = method === 'GET' ? {} : (JSON.parse(request.body.toString()) as Record<string, string>);
    if (number === undefined) {
      if (method === 'POST') return { status: 201, json: add(given.title ?? '', given.body ?? '', self) };
      const [state, since] = [url.searchParams.get('state') ?? 'open', url.searchParams.get('since') ?? ''];
      const shown = issues.filter((one) => (state === 'all' || one.state === state) && one.updated_at >= since);
      return page(request, shown);
    }
    const issue = issues.find((one) => one.number === Number(number));
    if (issue === undefined) return { status: 404, json: { message: 'Not Found' } };
    if (comments !== undefined) {
      issue.reported.push(given.body ?? '');
      return { status: 201, json: { id: 1, body: given.body } };
    }
    issue.state = given.state === 'closed' ? 'closed' : 'open';
    issue.body = given.body ?? issue.body;
    return { status: 200, json: issue };
  };
  const server = await startCommentsServer({ ...options, more });
  return { ...server, issues, open: (body, user) => add('An issue', body, user) };
}
