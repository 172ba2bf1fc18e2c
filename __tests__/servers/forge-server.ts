import { createHash } from 'node:crypto';
import { type CommentsServer, type Options, type Pager, startCommentsServer } from './comments-server.ts';
import { type Reply, type Request, serve } from './http.ts';

/** Plays a forge with pull requests, comments, and the artifacts of finished runs, which lie in a storage of their own. */
export interface ForgeServer extends CommentsServer {
  readonly pulls: unknown[];
  readonly artifacts: StoredArtifact[];
  /** Jobs of every run, of all its attempts. */
  readonly jobs: StoredJob[];
  /** Authorization headers that the storage was sent. */
  readonly storageSaw: (string | undefined)[];
  /** Number of an open pull request of octo/demo. */
  pull(
    number: number,
    more?: { sha?: string; repository?: string; branch?: string; state?: string; pushedAt?: string },
  ): void;
}

export interface StoredJob {
  readonly name: string;
  readonly conclusion: string | null;
  readonly run_attempt?: number;
  readonly started_at?: string;
  readonly completed_at?: string;
}

export interface StoredArtifact {
  readonly id: number;
  readonly runId: number;
  readonly name: string;
  readonly archive: Buffer;
  readonly createdAt?: string;
  readonly expired?: boolean;
  /** Told instead of the archive's own. */
  readonly digest?: string;
  /** In the place of the redirect, or of the archive in the storage. */
  readonly reply?: Reply;
  readonly stored?: Reply;
}

export interface ForgeOptions extends Options {
  /** Whether a list of pull requests can be asked for one branch; Gitea can't. */
  readonly filters?: boolean;
  /** What there is beside the stored ones when it is asked for. */
  readonly uploaded?: () => readonly StoredArtifact[];
  /** What the token may not even read. */
  readonly forbidden?: readonly ('pulls' | 'artifacts')[];
}

export async function startForgeServer(options: ForgeOptions = {}): Promise<ForgeServer> {
  const repository = options.repository ?? 'octo/demo';
  const pulls: Record<string, unknown>[] = [];
  const artifacts: StoredArtifact[] = [];
  const jobs: StoredJob[] = [];
  const storageSaw: (string | undefined)[] = [];

  const all = () => [...artifacts, ...(options.uploaded?.() ?? [])];
  const storage = await serve(({ url, headers }) => {
    storageSaw.push(headers.authorization);
    const artifact = all().find(({ id }) => url.pathname === `/${id}.zip`);
    if (artifact === undefined || url.searchParams.get('sig') !== 'signature') return { status: 403 };
    return artifact.stored ?? { status: 200, headers: { 'content-type': 'application/zip' }, body: artifact.archive };
  });

  const refuse = (scope: string): Reply => ({
    status: 403,
    headers: { 'x-accepted-github-permissions': scope },
    json: { message: 'Resource not accessible by integration' },
  });
  const more = (request: Request, page: Pager): Reply | null => {
    const own = options.more?.(request, page) ?? null;
    if (own !== null) return own;
    const path = request.url.pathname.replace(/^\/api\/v\d/, '');
    if (path === `/repos/${repository}/pulls`) {
      return options.forbidden?.includes('pulls')
        ? refuse('pull_requests=read')
        : page(request, options.filters === false ? pulls : pulls.filter(asked(request)));
    }
    const pull = new RegExp(`^/repos/${repository}/pulls/(\\d+)$`).exec(path)?.[1];
    if (pull !== undefined) {
      const found = pulls.find(({ number }) => number === Number(pull));
      return found === undefined ? null : { status: 200, json: found };
    }
    const run = new RegExp(`^/repos/${repository}/actions/runs/(\\d+)/artifacts$`).exec(path)?.[1];
    if (run !== undefined) {
      const found = all()
        .filter(({ runId }) => runId === Number(run))
        .map(reported);
      const wrap = (part: readonly unknown[]) => ({ total_count: found.length, artifacts: part });
      return options.forbidden?.includes('artifacts') ? refuse('actions=read') : page(request, found, wrap);
    }
    if (new RegExp(`^/repos/${repository}/actions/runs/\\d+/jobs$`).test(path)) {
      // GitHub’s default is the jobs that ran in the newest attempt.
      const last = Math.max(...jobs.map(({ run_attempt = 1 }) => run_attempt));
      const isAll = request.url.searchParams.get('filter') === 'all';
      const found = jobs.filter(({ run_attempt = 1 }) => isAll || run_attempt === last);
      return page(request, found, (part) => ({ total_count: found.length, jobs: part }));
    }
    const id = new RegExp(`^/repos/${repository}/actions/artifacts/(\\d+)/zip$`).exec(path)?.[1];
    const artifact = all().find((candidate) => candidate.id === Number(id));
    if (artifact === undefined) return null;
    return artifact.reply ?? { status: 302, headers: { location: `${storage.url}/${id}.zip?sig=signature` } };
  };

  const server = await startCommentsServer({ ...options, more });
  return {
    ...server,
    pulls,
    artifacts,
    jobs,
    storageSaw,
    pull: (
      number,
      {
        sha = 'd'.repeat(40),
        repository: from = 'eve/demo',
        branch = 'feature',
        state = 'open',
        pushedAt = '2026-11-28T08:00:00Z',
      } = {},
    ) => {
      const repo = { full_name: from, ...(pushedAt !== '' && { pushed_at: pushedAt }) };
      const head = { sha, ref: branch, repo, user: { login: from.split('/')[0] } };
      pulls.push({ number, state, head, base: { ref: 'main', sha: 'b'.repeat(40), repo: { full_name: repository } } });
    },
    close: async () => {
      await server.close();
      await storage.close();
    },
  };
}

/** GitHub's filter: `state`, and `head` as `owner:branch`. */
function asked({ url }: Request): (pull: Record<string, unknown>) => boolean {
  const [state, head] = [url.searchParams.get('state'), url.searchParams.get('head')];
  return (pull) => {
    const { ref, user } = pull.head as { ref: string; user: { login: string } };
    return (state === null || pull.state === state) && (head === null || head === `${user.login}:${ref}`);
  };
}

function reported({ id, name, archive, createdAt, expired = false, digest }: StoredArtifact): unknown {
  return {
    id,
    name,
    size_in_bytes: archive.length,
    expired,
    created_at: createdAt,
    digest: digest ?? `sha256:${createHash('sha256').update(archive).digest('hex')}`,
  };
}
