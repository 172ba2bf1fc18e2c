import { isApiError, type Octokit } from '../../../forge/api.ts';
import { acceptanceIn } from '../../../forge/marker.ts';
import { readPages } from '../../../forge/pages.ts';
import { field, positiveInteger, text } from '../../../forge/untrusted.ts';
import { plain } from '../../../text/plain.ts';
import { type Acceptance, formatAcceptance, parseAcceptance } from './acceptance.ts';
import type { Conclusion } from './conclusion.ts';

/** A commit of a repository. */
export interface Commit {
  readonly octokit: Octokit;
  readonly owner: string;
  readonly repo: string;
  readonly sha: string;
}

/** Mark on a commit: a check run if the forge supports it, else a commit status. */
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
  /** Of the run. */
  readonly attempt: number;
}

/** Prefix of all mark names. */
export const PREFIX = 'joulediff: ';
/** GitHub's limits: 65,535 characters of a summary, 140 of a status's description. */
const MAX_SUMMARY = 65_535;
const MAX_DESCRIPTION = 140;
const MAX_TITLE = 250;

/**
 * Commit status for each state of a mark. Statuses have no `neutral`; like a neutral check, `success` allows merging, and its
 * description says that the result is open.
 */
const STATUS = {
  pending: 'pending',
  success: 'success',
  neutral: 'success',
  failure: 'failure',
  cancelled: 'error',
} as const;

/** How severe a conclusion is. */
const gravity = (conclusion: string): number => ['success', 'neutral', 'cancelled', 'failure'].indexOf(conclusion);

/** Name of the check or status that a workflow sets for a comment key. */
export function markName(workflow: string, key: string): string {
  return PREFIX + plain([workflow, key].filter((part) => part !== '').join(' / ') || 'energy', 100);
}

/**
 * Sets a mark on the commit. `isOnlyOwn`: another run's mark is kept. Returns the mark; null: nothing was set. Throws the API's errors.
 */
export async function setMark(
  commit: Commit,
  mark: Mark,
  { isCheck, isOnlyOwn = false }: { readonly isCheck: boolean; readonly isOnlyOwn?: boolean },
): Promise<'check' | 'status' | null> {
  const checks = isCheck ? await listChecks(commit) : null;
  if (checks === null) return setStatus(commit, mark, isOnlyOwn);
  const ours = `joulediff ${mark.runId}.${mark.attempt}`;
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
    // A new measurement gets a new check; the previous one keeps its result.
    const begun = { ...content, status: 'in_progress' as const, name: mark.name, head_sha: headSha };
    await octokit.request('POST /repos/{owner}/{repo}/check-runs', begun);
    return 'check';
  }
  // If jobs of a run share a name, its newest check gets the most severe end of them, in any order.
  const [worst] = alike
    .filter(({ externalId, isCompleted }) => externalId === ours && isCompleted)
    .sort((a, b) => gravity(b.conclusion) - gravity(a.conclusion));
  const isKept = worst !== undefined && gravity(worst.conclusion) > gravity(mark.state);
  if (isKept && own?.isCompleted && own.conclusion === worst.conclusion) return null;
  const end = isKept
    ? {
        output: { title: worst.title, summary: worst.summary },
        conclusion: worst.conclusion as Conclusion | 'cancelled',
      }
    : { output, conclusion: mark.state };
  const ended = { ...content, ...end, status: 'completed' as const };
  const replaced = own ?? alike[0];
  if (replaced === undefined) {
    await octokit.request('POST /repos/{owner}/{repo}/check-runs', { ...ended, name: mark.name, head_sha: headSha });
  } else {
    await octokit.request(route, { ...ended, check_run_id: replaced.id });
  }
  return isKept ? null : 'check';
}

/** Completed marks of a commit, by name; `refused`: why checks or statuses can't be read. */
export interface EndedMarks {
  readonly checks: readonly { readonly id: number; readonly name: string; readonly summary: string }[];
  readonly statuses: readonly { readonly name: string; readonly target: string | null }[];
  readonly refused: readonly unknown[];
}

/** Reads checks and statuses, since workflows may use either. Throws the API's errors if neither can be read. */
export async function endedMarks(commit: Commit): Promise<EndedMarks> {
  const [checks, statuses] = await Promise.allSettled([listChecks(commit), listStatuses(commit)]);
  if (checks.status === 'rejected' && statuses.status === 'rejected') throw checks.reason;
  const ended = checks.status === 'fulfilled' ? newestOfName(checks.value ?? []) : [];
  const reported = statuses.status === 'fulfilled' ? newestOfName(statuses.value) : [];
  return {
    checks: ended.filter(({ isCompleted }) => isCompleted),
    statuses: reported.filter(({ state }) => state !== 'pending'),
    refused: [checks, statuses].flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])),
  };
}

/** Turns these marks to success. Throws the API's errors. */
export async function acceptMarks(commit: Commit, marks: EndedMarks, acceptance: Acceptance): Promise<void> {
  const title = `Accepted by ${acceptance.by}: ${acceptance.reason}`;
  const { octokit, owner, repo } = commit;
  for (const { id, summary } of marks.checks) {
    const all = formatAcceptance(acceptance) + summary.slice(acceptanceIn(`x\n${summary}`).length);
    const output = { title: shortLine(title, MAX_TITLE), summary: all.slice(0, MAX_SUMMARY).toWellFormed() };
    const route = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}';
    await octokit.request(route, { owner, repo, check_run_id: id, status: 'completed', conclusion: 'success', output });
  }
  for (const { name, target: page } of marks.statuses) {
    await postStatus(commit, { name, state: 'success', title, summary: '', page, runId: 0, attempt: 0 });
  }
}

/**
 * The newest acceptance in ended checks of this name, or of any; null: there is none. A measurement that began since then has a newer check without it,
 * and so has one that ended without a result. Throws the API's errors.
 */
export async function acceptanceInChecks(commit: Commit, name: string | null): Promise<Acceptance | null> {
  const ended = ((await listChecks(commit)) ?? []).filter((one) => one.isCompleted);
  const own = ended.filter((one) => name === null || one.name === name);
  return own.map(({ summary }) => parseAcceptance(acceptanceIn(`x\n${summary}`))).find((one) => one !== null) ?? null;
}

/** On one line of at most so many characters, however a server counts those that take two units. */
function shortLine(text: string, limit: number): string {
  const line = plain(text, limit);
  return line.length > limit ? plain(text, limit / 2) : line;
}

interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly externalId: string;
  readonly isCompleted: boolean;
  /** How the check ended, such as `failure`; empty: it hasn't ended. */
  readonly conclusion: string;
  readonly title: string;
  readonly summary: string;
}

/** The checks of joulediff, the newest first; null: this forge has no checks. Throws the API's errors. */
async function listChecks({ octokit, owner, repo, sha: ref }: Commit): Promise<CheckRun[] | null> {
  const found: CheckRun[] = [];
  // Two requests for one commit create two checks with one name; by default, GitHub lists only the newest.
  const asked = { owner, repo, ref, filter: 'all' };
  try {
    await readPages(octokit, 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs', asked, 'check_runs', (run) => {
      const [id, name] = [positiveInteger(field(run, 'id')), text(field(run, 'name'), 300)];
      const external = text(field(run, 'external_id'), 100);
      if (id === null || !name.startsWith(PREFIX) || !external.startsWith('joulediff ')) return;
      const title = text(field(run, 'output', 'title'), MAX_TITLE);
      const summary = text(field(run, 'output', 'summary'), MAX_SUMMARY);
      const isCompleted = field(run, 'status') === 'completed';
      const conclusion = text(field(run, 'conclusion'), 50);
      found.push({ id, name, externalId: external, isCompleted, conclusion, title, summary });
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

/** As with checks, the most severe end in a run's attempt is kept. Only the address of a status has room for the attempt. */
async function setStatus(commit: Commit, mark: Mark, isOnlyOwn: boolean): Promise<'status' | null> {
  const page = mark.page !== null && mark.attempt > 1 ? `${mark.page}#attempt-${mark.attempt}` : mark.page;
  const alike = mark.state === 'pending' ? [] : (await listStatuses(commit)).filter(({ name }) => name === mark.name);
  const [current] = alike;
  if (isOnlyOwn && current !== undefined && (current.target?.replace(/#.*/, '') ?? null) !== mark.page) return null;
  const before = alike.find(({ target, state }) => page !== null && target === page && state !== 'pending');
  if (before === undefined || gravity(stateOf(before)) <= gravity(mark.state)) {
    await postStatus(commit, { ...mark, page });
    return 'status';
  }
  const title = before.description.replace(/^Open: /, '');
  // A job that began since then has replaced the severe status by its pending one.
  if (before !== current) await postStatus(commit, { ...mark, page, state: stateOf(before), title });
  return null;
}

/** State of the mark that a status was made for: only that of an open result begins with `Open: `. */
function stateOf({ state, description }: { readonly state: string; readonly description: string }): Mark['state'] {
  if (state === 'failure') return state;
  return state === 'error' ? 'cancelled' : description.startsWith('Open: ') ? 'neutral' : 'success';
}

async function postStatus({ octokit, owner, repo, sha }: Commit, mark: Mark): Promise<void> {
  const title = plain(mark.title).replace(/^Open: /, '“Open”: ');
  const description = shortLine(mark.state === 'neutral' ? `Open: ${title}` : title, MAX_DESCRIPTION);
  const page = mark.page === null ? {} : { target_url: mark.page };
  const content = { state: STATUS[mark.state], context: mark.name, description, ...page };
  await octokit.request('POST /repos/{owner}/{repo}/statuses/{sha}', { owner, repo, sha, ...content });
}

/** The commit statuses that joulediff has set, the newest first. Throws the API's errors. */
async function listStatuses({ octokit, owner, repo, sha: ref }: Commit) {
  const found: { id: number; name: string; state: string; target: string | null; description: string }[] = [];
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}/statuses';
  await readPages(octokit, route, { owner, repo, ref }, 'statuses', (one) => {
    const [id, name] = [positiveInteger(field(one, 'id')), text(field(one, 'context'), 300)];
    // Gitea calls it `status` in what it tells.
    const state = text(field(one, 'state') ?? field(one, 'status'), 20);
    const target = text(field(one, 'target_url'), 2000) || null;
    const description = text(field(one, 'description'), 300);
    if (id !== null && name.startsWith(PREFIX)) found.push({ id, name, state, target, description });
  });
  return found.sort((a, b) => b.id - a.id);
}
