import { isApiError, isRateLimit, type Octokit } from '../../../forge/api.ts';
import { sha } from '../../../forge/event.ts';
import { field, positiveInteger, text } from '../../../forge/untrusted.ts';
import type { Asking } from './asking.ts';
import type { RequestOptions } from './grammar.ts';

export interface Repository {
  readonly octokit: Octokit;
  readonly owner: string;
  readonly repo: string;
}

/** Permissions that allow pushing to the repository. Gitea has its own word for the owner. */
const WRITERS = ['write', 'maintain', 'admin', 'owner'];

/** Why this user's request is refused, as a sentence; null: the server confirms write access. Throws the API's errors. */
export async function whyNotAllowed({ octokit, owner, repo }: Repository, by: Asking['by']): Promise<string | null> {
  const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
  try {
    const { data } = await octokit.request(route, { owner, repo, username: by.login });
    // A login may belong to another user since the comment was written; the numeric id does not change.
    const isSame = by.id !== null && positiveInteger(field(data, 'user', 'id')) === by.id;
    return isSame && WRITERS.includes(text(field(data, 'permission'), 20))
      ? null
      : `${by.login} may not write to ${owner}/${repo}, and only those who may can ask for a measurement.`;
  } catch (error) {
    if (!isApiError(error) || ![403, 404].includes(error.status) || isRateLimit(error)) throw error;
    // Gitea and Forgejo answer only administrators of the repository; older versions answer nobody.
    return `This server does not tell this token whether ${by.login} may write to ${owner}/${repo} (collaborators/${by.login}/permission: ${error.status}), so the request was refused.`;
  }
}

export interface Pull {
  readonly number: number;
  readonly isOpen: boolean;
  readonly head: string;
  readonly baseSha: string;
  /** When anything was last pushed to the repository of the head, by the server's clock; NaN: not told. */
  readonly pushedMs: number;
}

/** Asks the forge for a pull request; null: it was deleted. Throws the API's errors, and an Error where the answer is no pull request. */
export async function readPull({ octokit, owner, repo }: Repository, number: number): Promise<Pull | null> {
  try {
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
    const { data } = await octokit.request(route, { owner, repo, pull_number: number });
    const [head, baseSha] = [sha(field(data, 'head', 'sha')), sha(field(data, 'base', 'sha'))];
    if (head === null || baseSha === null || positiveInteger(field(data, 'number')) !== number) {
      throw new Error('The server answered the request for a pull request with something else');
    }
    const pushedMs = Date.parse(text(field(data, 'head', 'repo', 'pushed_at'), 40));
    return { number, isOpen: field(data, 'state') === 'open', head, baseSha, pushedMs };
  } catch (error) {
    if (isApiError(error) && [404, 410].includes(error.status)) return null;
    throw error;
  }
}

/**
 * The commit to measure: the head as it was when the request was written. What is pushed later is measured when somebody asks again.
 *
 * The event of a comment names no commit, so the head is asked for some seconds later, and an author could push in between. The dates in commits
 * are the author's choice and prove nothing. `pushed_at` is the server's, and it is of the whole repository of the head: it refuses too much
 * (a push to another branch), never too little. Both times are in whole seconds, so equal ones don't tell which was first. Where a server names no
 * such time, or a push came while somebody was still reading, the commit itself is the evidence: `head=SHA` is compared with the head. Its full hash
 * is evidence enough. A beginning of it isn't: an author can make two commits that begin alike within seconds.
 */
export function pinHead(asking: Asking, options: RequestOptions, pull: Pull): { head: string } | { refusal: string } {
  const head = asking.head ?? pull.head;
  const [short, named = ''] = [head.slice(0, 10), options.head?.toLowerCase()];
  if (!head.startsWith(named)) {
    return { refusal: `The head of #${pull.number} is ${short}, and not ${named}, which was asked for.` };
  }
  if (asking.head !== null || named === head) return { head };
  const isSettled = asking.comment !== null && pull.pushedMs < asking.comment.createdMs;
  const remedy = `Read ${short}, which is the head now, and ask again, or with its full hash: \`head=${head}\`.`;
  return isSettled
    ? { head }
    : { refusal: `It is not certain that #${pull.number} had the same head when this was written. ${remedy}` };
}
