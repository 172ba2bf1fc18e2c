import { isApiError, type Octokit } from '../../../forge/api.ts';
import { acceptanceIn } from '../../../forge/marker.ts';
import { readPages } from '../../../forge/pages.ts';
import { field, positiveInteger, text } from '../../../forge/untrusted.ts';
import { plain } from '../../../text/plain.ts';
import { type Acceptance, formatAcceptance } from './acceptance.ts';
import type { Conclusion } from './conclusion.ts';

/** A commit of a repository. */
export interface Commit {
  readonly octokit: Octokit;
  readonly owner: string;
  readonly repo: string;
  readonly sha: string;
}

/** What a commit is marked with: a check run where the forge has them, else a commit status. */
export interface Mark {
  readonly name: string;
  readonly state: Conclusion | 'pending' | 'cancelled';
  /** Plain text. */
  readonly title: string;
  /** Markdown; a status has no room for it. */
  readonly summary: string;
  /** Page of the run that marks; null: not known. */
  readonly page: string | null;
  readonly runId: number;
}

/** Names of all marks begin with it. */
export const PREFIX = 'joulediff: ';
/** GitHub's limits: 65,535 characters of a summary, 140 of a status's description. */
const MAX_SUMMARY = 65_535;
const MAX_DESCRIPTION = 140;
const MAX_TITLE = 250;

/**
 * The state of a status for each of a mark. A status can't be neutral, and a neutral check lets a pull request be merged: so does `success`, whose
 * description says that the result is open.
 */
const STATUS = {
  pending: 'pending',
  success: 'success',
  neutral: 'success',
  failure: 'failure',
  cancelled: 'error',
} as const;

/** What the check or status is called that a workflow sets for a comment key. */
export function markName(workflow: string, key: string): string {
  return PREFIX + plain([workflow, key].filter((part) => part !== '').join(' / ') || 'energy', 100);
}

/**
 * Marks the commit. `isOnlyOwn`: a mark that another run has set meanwhile stays. Gives what was set; null: nothing. Throws the API's errors.
 */
export async function setMark(
  commit: Commit,
  mark: Mark,
  { isCheck, isOnlyOwn = false }: { readonly isCheck: boolean; readonly isOnlyOwn?: boolean },
): Promise<'check' | 'status' | null> {
  const checks = isCheck ? await listChecks(commit) : null;
  if (checks === null) return setStatus(commit, mark, isOnlyOwn);
  const ours = externalId(mark.runId);
  const alike = checks.filter(({ name }) => name === mark.name);
  const own = alike.find(({ externalId }) => externalId === ours);
  if (isOnlyOwn && own === undefined && alike.length > 0) return null;
  const output = {
    title: shortLine(mark.title, MAX_TITLE),
    summary: mark.summary.slice(0, MAX_SUMMARY).toWellFormed(),
  };
  const page = mark.page === null ? {} : { details_url: mark.page };
  const { octokit, owner, repo, sha: headSha } = commit;
  const content = { owner, repo, external_id: ours, output, ...page };
  const route = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}';
  if (mark.state === 'pending') {
    if (own !== undefined && !own.isCompleted) {
      await octokit.request(route, { owner, repo, output, ...page, check_run_id: own.id });
      return 'check';
    }
    // What is being measured is a new check; the one before it keeps its result.
    const begun = { ...content, status: 'in_progress' as const, name: mark.name, head_sha: headSha };
    await octokit.request('POST /repos/{owner}/{repo}/check-runs', begun);
    return 'check';
  }
  const ended = { ...content, status: 'completed' as const, conclusion: mark.state };
  const replaced = own ?? alike[0];
  if (replaced === undefined) {
    await octokit.request('POST /repos/{owner}/{repo}/check-runs', { ...ended, name: mark.name, head_sha: headSha });
  } else {
    await octokit.request(route, { ...ended, check_run_id: replaced.id });
  }
  return 'check';
}

/** Turns every mark of the commit to success, and gives their number. Throws the API's errors. */
export async function acceptMarks(commit: Commit, acceptance: Acceptance, isCheck: boolean): Promise<number> {
  const title = `Accepted by ${acceptance.by}: ${acceptance.reason}`;
  const checks = isCheck ? await listChecks(commit) : null;
  const { octokit, owner, repo } = commit;
  const done = newestOfName(checks ?? []).filter(({ isCompleted }) => isCompleted);
  for (const { id, summary } of done) {
    const all = formatAcceptance(acceptance) + summary.slice(acceptanceIn(`\n${summary}`).length);
    const output = { title: shortLine(title, MAX_TITLE), summary: all.slice(0, MAX_SUMMARY).toWellFormed() };
    const route = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}';
    await octokit.request(route, { owner, repo, check_run_id: id, status: 'completed', conclusion: 'success', output });
  }
  if (checks !== null) return done.length;
  const statuses = (await listStatuses(commit)).filter(({ state }) => state !== 'pending');
  for (const { name, target: page } of statuses) {
    await postStatus(commit, { name, state: 'success', title, summary: '', page, runId: 0 });
  }
  return statuses.length;
}

/** On one line of at most so many characters, however a server counts those that take two units. */
function shortLine(text: string, limit: number): string {
  const line = plain(text, limit);
  return line.length > limit ? plain(text, limit / 2) : line;
}

const externalId = (runId: number): string => `joulediff ${runId}`;

/** The checks of joulediff, the newest first; null: this forge has no checks. Throws the API's errors. */
async function listChecks({ octokit, owner, repo, sha: ref }: Commit) {
  const found: { id: number; name: string; externalId: string; isCompleted: boolean; summary: string }[] = [];
  // Two requests for one commit make two checks of a name, and GitHub lists only the newest of them unless it is asked for all.
  const asked = { owner, repo, ref, filter: 'all' };
  try {
    await readPages(octokit, 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs', asked, (data) => {
      const runs = field(data, 'check_runs');
      if (!Array.isArray(runs)) throw new Error('The server answered the request for checks with something else');
      for (const run of runs) {
        const [id, name] = [positiveInteger(field(run, 'id')), text(field(run, 'name'), 300)];
        const external = text(field(run, 'external_id'), 100);
        if (id === null || !name.startsWith(PREFIX) || !external.startsWith('joulediff ')) continue;
        const summary = text(field(run, 'output', 'summary'), MAX_SUMMARY);
        found.push({ id, name, externalId: external, isCompleted: field(run, 'status') === 'completed', summary });
      }
    });
  } catch (error) {
    if (isApiError(error) && error.status === 404) return null;
    throw error;
  }
  return found.sort((a, b) => b.id - a.id);
}

function newestOfName<T extends { readonly id: number; readonly name: string }>(found: readonly T[]): T[] {
  const sorted = [...found].sort((a, b) => b.id - a.id);
  return sorted.filter(({ name }, i) => sorted.findIndex((other) => other.name === name) === i);
}

async function setStatus(commit: Commit, mark: Mark, isOnlyOwn: boolean): Promise<'status' | null> {
  if (isOnlyOwn) {
    const current = (await listStatuses(commit)).find(({ name }) => name === mark.name);
    if (current !== undefined && current.target !== mark.page) return null;
  }
  await postStatus(commit, mark);
  return 'status';
}

async function postStatus({ octokit, owner, repo, sha }: Commit, mark: Mark): Promise<void> {
  const description = shortLine(`${mark.state === 'neutral' ? 'Open: ' : ''}${mark.title}`, MAX_DESCRIPTION);
  const page = mark.page === null ? {} : { target_url: mark.page };
  const content = { state: STATUS[mark.state], context: mark.name, description, ...page };
  await octokit.request('POST /repos/{owner}/{repo}/statuses/{sha}', { owner, repo, sha, ...content });
}

/** The statuses of joulediff, the newest of each name. Throws the API's errors. */
async function listStatuses({ octokit, owner, repo, sha: ref }: Commit) {
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}/statuses';
  const { data } = await octokit.request(route, { owner, repo, ref, per_page: 100 });
  if (!Array.isArray(data)) throw new Error('The server answered the request for statuses with something else');
  const found = (data as unknown[]).flatMap((one) => {
    const [id, name] = [positiveInteger(field(one, 'id')), text(field(one, 'context'), 300)];
    // Gitea calls it `status` in what it tells.
    const state = text(field(one, 'state') ?? field(one, 'status'), 20);
    const target = text(field(one, 'target_url'), 2000) || null;
    return id === null || !name.startsWith(PREFIX) ? [] : [{ id, name, state, target }];
  });
  return newestOfName(found);
}
