import { isApiError, type Octokit } from '../../../forge/api.ts';
import { whoAmI } from '../../../forge/author.ts';
import { type Conversation, listMarked, type MarkedComment, updateComment } from '../../../forge/comments-api.ts';
import { sha } from '../../../forge/event.ts';
import { ACCEPTED, acceptanceIn } from '../../../forge/marker.ts';
import { field, positiveInteger, text } from '../../../forge/untrusted.ts';
import { markdownName, markdownText } from '../../../report/escape.ts';

/** Who accepted what a commit costs, and why. */
export interface Acceptance {
  readonly by: string;
  readonly reason: string;
}

/**
 * The lines that a comment or a check begins with where its result was accepted: a hidden one that is read again, and those for people. They are
 * kept below the marker of joulediff's own comment, which only somebody who may write to the repository can edit: nobody else could accept there.
 */
export function formatAcceptance({ by, reason }: Acceptance): string {
  const data = encodeURIComponent(JSON.stringify([by, reason].map((each) => each.toWellFormed()))).replaceAll(
    '-',
    '%2D',
  );
  return `${ACCEPTED}${data} -->\n> [!NOTE]\n> **Accepted by ${markdownName(by)}**: ${markdownText(reason, 300)}\n\n`;
}

/** The acceptance at the top of such a text; null: there is none. */
export function parseAcceptance(block: string): Acceptance | null {
  try {
    const data: unknown = JSON.parse(decodeURIComponent(block.slice(ACCEPTED.length).split(' ')[0] ?? ''));
    const [by, reason] = [text(field(data, '0'), 120), text(field(data, '1'), 300)];
    return block.startsWith(ACCEPTED) && by !== '' && reason !== '' ? { by, reason } : null;
  } catch {
    return null;
  }
}

/** The comments of this token for this commit. Throws the API's errors. */
async function ownComments(octokit: Octokit, token: string, conversation: Conversation, head: string) {
  const alike = (await listMarked(octokit, conversation)).filter(({ marker }) => marker.headSha === head);
  const isOwn = alike.length === 0 ? () => false : await whoAmI(octokit, token);
  return alike.filter(({ author }) => isOwn(author));
}

/** The acceptance that stands in a comment for this commit; null: there is none. Throws the API's errors. */
export async function findAcceptance(
  octokit: Octokit,
  token: string,
  conversation: Conversation,
  head: string,
): Promise<Acceptance | null> {
  const comments = await ownComments(octokit, token, conversation, head);
  return comments.map(({ body }) => parseAcceptance(acceptanceIn(body))).find((found) => found !== null) ?? null;
}

/** Writes the acceptance into every comment for this commit, and gives their number. Throws the API's errors. */
export async function writeAcceptance(
  octokit: Octokit,
  token: string,
  conversation: Conversation,
  head: string,
  acceptance: Acceptance,
): Promise<number> {
  const comments: MarkedComment[] = await ownComments(octokit, token, conversation, head);
  for (const { id, body } of comments) {
    const [marker = ''] = body.split('\n', 1);
    const rest = body.slice(marker.length + 1 + acceptanceIn(body).length);
    await updateComment(octokit, conversation, id, `${marker}\n${formatAcceptance(acceptance)}${rest}`);
  }
  return comments.length;
}

/**
 * The acceptance of the pull request whose merge made this commit, as one line; null: there is none. GitHub gives a list of pull requests, Gitea one of
 * them. Throws the API's errors.
 */
export async function acceptanceOfMerge(
  octokit: Octokit,
  token: string,
  { owner, repo, sha: ref, isGitea }: { owner: string; repo: string; sha: string; isGitea: boolean },
): Promise<string | null> {
  const route = `GET /repos/{owner}/{repo}/commits/{ref}/${isGitea ? 'pull' : 'pulls'}`;
  const { data } = await octokit.request(route, { owner, repo, ref }).catch((error: unknown) => {
    if (isApiError(error) && error.status === 404) return { data: [] };
    throw error;
  });
  for (const pull of Array.isArray(data) ? (data as unknown[]) : [data]) {
    const [number, head] = [positiveInteger(field(pull, 'number')), sha(field(pull, 'head', 'sha'))];
    const merge = field(pull, 'merge_commit_sha');
    // A pull request that was merged by several commits is accepted at its last one.
    if (number === null || head === null || !field(pull, 'merged_at') || (merge && merge !== ref)) continue;
    const found = await findAcceptance(octokit, token, { owner, repo, issue_number: number }, head);
    if (found !== null) return `accepted by ${found.by} in #${number}: ${found.reason}`;
  }
  return null;
}
