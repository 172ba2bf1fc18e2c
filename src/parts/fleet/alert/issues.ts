import type { Octokit } from '../../../forge/api.ts';
import { readAuthor, whoAmI } from '../../../forge/author.ts';
import { readPages } from '../../../forge/pages.ts';
import { field, positiveInteger } from '../../../forge/untrusted.ts';

export interface Tracker {
  readonly octokit: Octokit;
  readonly token: string;
  readonly owner: string;
  readonly repo: string;
}

/** An issue that this token opened for a step. */
export interface StepIssue {
  readonly number: number;
  readonly isOpen: boolean;
  /** Whether joulediff closed it because its step was gone or accepted; otherwise a person did. */
  readonly isSettled: boolean;
  readonly body: string;
  /** Id of the series, and the commit at which the step was found. */
  readonly series: string;
  readonly commit: string;
}

/** Only the beginning of a body counts: a marker that is quoted further down is somebody's text. */
const MARKER = /^<!-- joulediff step=([0-9a-f]{12}) commit=([0-9a-f]{40}|[0-9a-f]{64})( settled)? -->(?:\r?\n|$)/;

/** The hidden line that an issue starts with. */
export const stepMarker = (series: string, commit: string): string =>
  `<!-- joulediff step=${series} commit=${commit} -->\n`;

/** This token's issues with a marker, lowest number first. Copies of a marker in other users' issues are ignored. Throws the API's errors. */
export async function listIssues(
  { octokit, token, owner, repo }: Tracker,
  which: { readonly state: 'open' } | { readonly state: 'all'; readonly since: string },
): Promise<StepIssue[]> {
  const found = new Map<number, StepIssue & { readonly author: ReturnType<typeof readAuthor> }>();
  await readPages(octokit, 'GET /repos/{owner}/{repo}/issues', { owner, repo, ...which }, 'issues', (item) => {
    const [number, body] = [positiveInteger(field(item, 'number')), field(item, 'body')];
    const [, series, commit, settled] = (typeof body === 'string' ? MARKER.exec(body) : null) ?? [];
    const isPull = field(item, 'pull_request') !== undefined;
    if (number === null || typeof body !== 'string' || series === undefined || commit === undefined || isPull) return;
    const author = readAuthor(field(item, 'user'));
    const [isOpen, isSettled] = [field(item, 'state') === 'open', settled !== undefined];
    found.set(number, { number, isOpen, isSettled, body, series, commit, author });
  });
  if (found.size === 0) return [];
  const isOwn = await whoAmI(octokit, token);
  return [...found.values()].filter(({ author }) => isOwn(author)).sort((a, b) => a.number - b.number);
}

/** Gives the number of the new issue. Throws the API's errors. */
export async function openIssue({ octokit, owner, repo }: Tracker, title: string, body: string): Promise<number> {
  const { data } = await octokit.request('POST /repos/{owner}/{repo}/issues', { owner, repo, title, body });
  const number = positiveInteger(field(data, 'number'));
  if (number === null) throw new Error('The server answered the new issue with something other than an issue');
  return number;
}

/** Closes an issue with a comment that says why. Throws the API's errors. */
export const closeIssue = (tracker: Tracker, number: number, why: string): Promise<void> =>
  changeIssue(tracker, number, { state: 'closed' }, why);

/** Closes the issue of a step that is gone or accepted, and marks it, so that it can be opened again. Throws the API's errors. */
export const settleIssue = (tracker: Tracker, { number, body }: StepIssue, why: string): Promise<void> =>
  changeIssue(tracker, number, { state: 'closed', body: body.replace(/(?: settled)? -->/, ' settled -->') }, why);

/** Opens an issue that `settleIssue` closed. Throws the API's errors. */
export const reopenIssue = (tracker: Tracker, { number, body }: StepIssue, why: string): Promise<void> =>
  changeIssue(tracker, number, { state: 'open', body: body.replace(' settled -->', ' -->') }, why);

async function changeIssue(
  { octokit, owner, repo }: Tracker,
  number: number,
  change: { readonly state: 'open' | 'closed'; readonly body?: string },
  why: string,
): Promise<void> {
  const issue = { owner, repo, issue_number: number };
  // The comment comes last: if it fails, the issue lacks a reason, but a later run does not repeat the comment.
  await octokit.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', { ...issue, ...change });
  await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...issue, body: why });
}
