import { setTimeout as sleep } from 'node:timers/promises';
import { type Reply, type Request, type Server, serve } from './http.ts';

/** Plays the part of a forge's REST API that comments on pull requests need, as GitHub does it or as Gitea does. */

export interface User {
  readonly id: number;
  readonly login: string;
  readonly type?: string;
}

export interface Comment {
  readonly id: number;
  body: string;
  readonly user: User | null;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
}

export interface CommentsServer extends Server {
  readonly comments: Comment[];
  readonly seen: Seen[];
  /** Adds a comment of somebody's, as if written in the browser. */
  add(body: string, user?: User): Comment;
  /** Answers the next request of this kind with `reply` instead of doing it, after calling `act`. */
  next(method: string, path: RegExp, reply: Reply, act?: () => void): void;
  /** Calls `act` just before the next request of this kind is answered as usual. */
  before(method: string, path: RegExp, act: () => void): void;
}

export interface Options {
  /** GitHub Enterprise Server is GitHub at another address. */
  readonly mode?: 'github' | 'ghes' | 'gitea';
  readonly access?: 'write' | 'read';
  /** Whether the token may ask who it is: people's may, a workflow's may not. */
  readonly tellsUser?: boolean;
  readonly self?: User;
  /** Whose other tokens are, by token. They may say who they are. */
  readonly users?: Readonly<Record<string, User & { readonly access?: 'write' | 'read' }>>;
  /** Runs of workflows that the repository has; absent: the token may not ask. */
  readonly runs?: readonly number[];
  /** Milliseconds before a request is answered, so that jobs at the same time get in each other's way. */
  readonly delayMs?: () => number;
  readonly repository?: string;
  readonly pullRequest?: number;
  /** Answers what is asked beside comments; null: it can't. */
  readonly more?: (request: Request, page: Pager) => Reply | null;
}

/** A page of a list, with its `Link` header, as the server pages. */
export type Pager = (request: Request, all: readonly unknown[], wrap?: (part: readonly unknown[]) => unknown) => Reply;

export const BOT: User = { id: 41898282, login: 'github-actions[bot]', type: 'Bot' };
export const PERSON: User = { id: 7, login: 'mallory', type: 'User' };

/** GitHub's limit, in characters. */
const MAX = 65_536;

export async function startCommentsServer(options: Options = {}): Promise<CommentsServer> {
  const { mode = 'github', access = 'write', tellsUser = false, self = BOT } = options;
  const { repository = 'octo/demo', pullRequest = 5 } = options;
  const base = { github: '', ghes: '/api/v3', gitea: '/api/v1' }[mode];
  const comments: Comment[] = [];
  const seen: Seen[] = [];
  const planned: { method: string; path: RegExp; reply?: Reply; act?: () => void }[] = [];
  let lastId = 100;

  const shown = (c: Comment) => ({
    ...c,
    html_url: `${server.url}/${repository}/pull/${pullRequest}#issuecomment-${c.id}`,
  });
  const add = (body: string, user: User = self) => {
    lastId += 1;
    const comment = { id: lastId, body, user };
    comments.push(comment);
    return comment;
  };

  const page: Pager = ({ url }, all, wrap = (part) => part) => {
    // Gitea's name and bound are its own, and lists inside an object have no header.
    const [parameter, most] = mode === 'gitea' ? (['limit', 50] as const) : (['per_page', 100] as const);
    const perPage = Math.min(most, Number(url.searchParams.get(parameter) ?? 30));
    const number = Number(url.searchParams.get('page') ?? 1);
    const pages = Math.ceil(all.length / perPage);
    const link = (n: number, rel: string) => {
      const target = new URL(url);
      target.searchParams.set('page', String(n));
      return `<${target.href}>; rel="${rel}"`;
    };
    const links = [
      ...(number > 1 ? [link(number - 1, 'prev')] : []),
      ...(number < pages ? [link(number + 1, 'next'), link(pages, 'last')] : []),
    ];
    const json = wrap(all.slice((number - 1) * perPage, number * perPage));
    const isLinked = links.length > 0 && (mode !== 'gitea' || Array.isArray(json));
    return { status: 200, ...(isLinked && { headers: { link: links.join(', ') } }), json };
  };
  const list = (request: Request): Reply =>
    mode === 'gitea' ? { status: 200, json: comments.map(shown) } : page(request, comments.map(shown));

  const userOf = (request: Request): (User & { readonly access?: 'write' | 'read' }) | undefined =>
    options.users?.[request.headers.authorization?.replace(/^token /, '') ?? ''];

  const write = (request: Request, done: (body: string) => Reply): Reply => {
    if ((userOf(request)?.access ?? access) === 'read') {
      if (mode === 'gitea') {
        const scopes = 'required=[write:issue], token scope=read:issue,read:repository';
        return { status: 403, json: { message: `token does not have at least one of required scope(s), ${scopes}` } };
      }
      return {
        status: 403,
        headers: { 'x-accepted-github-permissions': 'issues=write; pull_requests=write' },
        json: { message: 'Resource not accessible by integration', documentation_url: 'https://docs.github.com/rest' },
      };
    }
    const { body } = request.method === 'DELETE' ? { body: '-' } : JSON.parse(request.body.toString());
    if (typeof body !== 'string' || body === '' || (mode !== 'gitea' && body.length > MAX)) {
      const errors = [{ resource: 'IssueComment', code: 'custom', field: 'body', message: 'body is too long' }];
      return { status: 422, json: { message: 'Validation Failed', errors } };
    }
    return done(body);
  };

  const route = (request: Request): Reply => {
    const path = request.url.pathname;
    const notFound: Reply = { status: 404, json: { message: 'Not Found' } };
    if (!/^token \S+$/.test(request.headers.authorization ?? '')) {
      return { status: 401, json: { message: 'Bad credentials' } };
    }
    const user = userOf(request);
    if (options.users !== undefined && user === undefined) {
      return { status: 401, json: { message: 'invalid username, password or token' } };
    }
    if (path === `${base}/user`) {
      return tellsUser || user?.access === 'write'
        ? { status: 200, json: user ?? self }
        : { status: 403, json: { message: 'Resource not accessible by integration' } };
    }
    // What an app's token may not ask of REST, GraphQL tells.
    if (/^(\/api)?\/graphql$/.test(path) && mode !== 'gitea') {
      return { status: 200, json: { data: { viewer: { login: self.login, databaseId: self.id } } } };
    }
    const run = new RegExp(`^${base}/repos/${repository}/actions/runs/(\\d+)$`).exec(path);
    if (run) {
      if (options.runs === undefined)
        return { status: 403, json: { message: 'Resource not accessible by integration' } };
      return options.runs.includes(Number(run[1])) ? { status: 200, json: { id: Number(run[1]) } } : notFound;
    }
    const other = options.more?.(request, page) ?? null;
    if (other !== null) {
      return other;
    }
    const conversation = new RegExp(`^${base}/repos/${repository}/issues/(\\d+)/comments$`).exec(path);
    if (conversation) {
      if (Number(conversation[1]) !== pullRequest) {
        return mode === 'gitea' ? { status: 500, json: { message: 'issue does not exist' } } : notFound;
      }
      return request.method === 'POST'
        ? write(request, (body) => ({ status: 201, json: shown(add(body, user ?? self)) }))
        : list(request);
    }
    const one = new RegExp(`^${base}/repos/${repository}/issues/comments/(\\d+)$`).exec(path);
    const comment = comments.find((c) => c.id === Number(one?.[1]));
    if (comment === undefined) {
      return notFound;
    }
    if (request.method === 'GET') {
      return { status: 200, json: shown(comment) };
    }
    return write(request, (body) => {
      if (request.method === 'DELETE') {
        comments.splice(comments.indexOf(comment), 1);
        return { status: 204 };
      }
      comment.body = body;
      return { status: 200, json: shown(comment) };
    });
  };

  const server = await serve(async (request) => {
    if (options.delayMs !== undefined) {
      await sleep(options.delayMs());
    }
    const { method, url, headers } = request;
    seen.push({ method, path: url.pathname + url.search, authorization: headers.authorization ?? '' });
    const index = planned.findIndex((p) => p.method === method && p.path.test(url.pathname));
    const [plan] = index < 0 ? [] : planned.splice(index, 1);
    plan?.act?.();
    return plan?.reply ?? route(request);
  });
  return {
    ...server,
    url: `${server.url}${base}`,
    comments,
    seen,
    add,
    next: (method, path, reply, act = () => undefined) => planned.push({ method, path, reply, act }),
    before: (method, path, act) => planned.push({ method, path, act }),
  };
}
