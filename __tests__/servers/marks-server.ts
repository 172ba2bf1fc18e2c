import type { Pager } from './comments-server.ts';
import { type ForgeOptions, type ForgeServer, startForgeServer } from './forge-server.ts';
import type { Reply, Request } from './http.ts';

/** Plays what a forge has for requests and checks: collaborators, reactions, check runs, statuses. It refuses what GitHub refuses. */
export interface MarksServer extends ForgeServer {
  readonly checks: CheckRun[];
  /** Newest last. */
  readonly statuses: Status[];
  /** Titles of checks and descriptions of statuses, one after the other. */
  readonly titles: string[];
  readonly reactions: { readonly comment: number; readonly content: string }[];
}

export interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly head_sha: string;
  external_id?: string;
  status: string;
  conclusion: string | null;
  output: { title: string; summary: string };
}

export interface Status {
  readonly id: number;
  readonly sha: string;
  readonly context: string;
  readonly state: string;
  readonly description: string;
  readonly target_url?: string;
}

type Right = 'checks' | 'statuses' | 'pull-requests' | 'collaborators';

export interface MarksOptions extends ForgeOptions {
  /** What may be done; all of it by default. */
  readonly rights?: readonly Right[];
  /** Whether the forge tells who may write. */
  readonly tellsPermissions?: boolean;
  /** Gitea has no check runs. */
  readonly hasChecks?: boolean;
}

const CONTENTS = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'];
const CONCLUSIONS = ['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out'];
const ALL: readonly Right[] = ['checks', 'statuses', 'pull-requests', 'collaborators'];

/** Permissions of people, by their login, as GitHub calls them. */
const PEOPLE: Readonly<Record<string, { readonly id: number; readonly permission: string }>> = {
  octo: { id: 1, permission: 'admin' },
  mona: { id: 2, permission: 'write' },
  mallory: { id: 7, permission: 'read' },
};

export async function startMarksServer(options: MarksOptions = {}): Promise<MarksServer> {
  const { rights = ALL, tellsPermissions = true, hasChecks = true, repository = 'octo/demo' } = options;
  const checks: CheckRun[] = [];
  const statuses: Status[] = [];
  const titles: string[] = [];
  const reactions: { comment: number; content: string }[] = [];
  let lastId = 0;

  const invalid = (message: string): Reply => ({ status: 422, json: { message: `Validation Failed: ${message}` } });
  const forbidden: Reply = { status: 403, json: { message: 'Resource not accessible by integration' } };
  const notFound: Reply = { status: 404, json: { message: 'Not Found' } };
  const created = (json: unknown): Reply => ({ status: 201, json });
  const readBody = (request: Request) => JSON.parse(request.body.toString());

  const fault = (given: Record<string, unknown>): string | null => {
    const { status, conclusion, output } = given as {
      status?: string;
      conclusion?: string;
      output?: CheckRun['output'];
    };
    if (conclusion !== undefined && status !== 'completed') return 'a conclusion needs the status completed';
    if (conclusion === undefined && status === 'completed') return 'the status completed needs a conclusion';
    if (conclusion !== undefined && !CONCLUSIONS.includes(conclusion)) return 'conclusion';
    if (output !== undefined && (!output.title || !output.summary)) return 'output needs title and summary';
    return output !== undefined && output.summary.length > 65_535 ? 'summary is too long' : null;
  };

  const checkRuns = (request: Request, path: string): Reply | null => {
    const one = /^\/check-runs(?:\/(\d+))?$/.exec(path);
    const listed = /^\/commits\/(\w+)\/check-runs$/.exec(path);
    if (one === null && listed === null) return null;
    if (!hasChecks) return notFound;
    if (!rights.includes('checks')) return forbidden;
    if (listed !== null) {
      const isAll = request.url.searchParams.get('filter') === 'all';
      const found = checks.filter(
        ({ head_sha: sha, name }, i) =>
          sha === listed[1] && (isAll || !checks.slice(i + 1).some((one) => one.head_sha === sha && one.name === name)),
      );
      return { status: 200, json: { total_count: found.length, check_runs: found } };
    }
    const given = readBody(request);
    const wrong = fault(given);
    if (wrong !== null) return invalid(wrong);
    titles.push(given.output.title);
    if (request.method === 'PATCH') {
      const check = checks.find(({ id }) => id === Number(one?.[1]));
      return check === undefined ? notFound : { status: 200, json: Object.assign(check, given) };
    }
    if (!given.name || !/^[0-9a-f]{40}$/.test(given.head_sha)) return invalid('name and head_sha are needed');
    const check = { conclusion: null, ...given, id: ++lastId };
    checks.push(check);
    return created(check);
  };

  const commitStatuses = (request: Request, path: string, page: Pager): Reply | null => {
    const [, listed] = /^\/commits\/(\w+)\/statuses$/.exec(path) ?? [];
    const [, sha] = /^\/statuses\/(\w+)$/.exec(path) ?? [];
    if (listed === undefined && sha === undefined) return null;
    if (!rights.includes('statuses')) return forbidden;
    if (listed !== undefined) return page(request, statuses.filter((one) => one.sha === listed).reverse());
    const given = readBody(request);
    if (!['error', 'failure', 'pending', 'success'].includes(given.state)) return invalid('state');
    if (given.description.length > 140) return invalid('description is too long');
    titles.push(given.description);
    statuses.push({ ...given, sha, id: ++lastId });
    return created(given);
  };

  const more = (request: Request, page: Pager): Reply | null => {
    const path = request.url.pathname.replace(/^\/api\/v\d/, '').replace(`/repos/${repository}`, '');
    const [, login] = /^\/collaborators\/([^/]+)\/permission$/.exec(path) ?? [];
    if (login !== undefined) {
      const known = tellsPermissions ? PEOPLE[decodeURIComponent(login)] : undefined;
      if (!rights.includes('collaborators')) return forbidden;
      if (known === undefined) return notFound;
      return { status: 200, json: { permission: known.permission, user: { login, id: known.id } } };
    }
    const [, comment] = /^\/issues\/comments\/(\d+)\/reactions$/.exec(path) ?? [];
    if (comment !== undefined) {
      if (!rights.includes('pull-requests')) return forbidden;
      const { content } = readBody(request);
      if (!CONTENTS.includes(content)) return invalid('content');
      reactions.push({ comment: Number(comment), content });
      return created({ id: ++lastId, content });
    }
    return checkRuns(request, path) ?? commitStatuses(request, path, page);
  };

  const access = rights.includes('pull-requests') ? 'write' : 'read';
  const server = await startForgeServer({ access, ...options, more });
  return Object.assign(server, { checks, statuses, titles, reactions });
}
