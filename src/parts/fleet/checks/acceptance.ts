import { setTimeout as sleep } from 'node:timers/promises';
import type { Octokit } from '../../../forge/api.ts';
import { whoAmI } from '../../../forge/author.ts';
import { type Conversation, listMarked, type MarkedComment, updateComment } from '../../../forge/comments-api.ts';
import { ACCEPTED, acceptanceIn } from '../../../forge/marker.ts';
import { field, text } from '../../../forge/untrusted.ts';
import { markdownName, markdownText } from '../../../report/escape.ts';

/** Who accepted a commit's cost, and why. */
export interface Acceptance {
  readonly by: string;
  readonly reason: string;
  /** Names of the check marks that the acceptance turned; pending ones were not included. */
  readonly marks: readonly string[];
}

const MAX_MARKS = 50;

/**
 * Lines at the top of an accepted comment or check: a hidden one to be parsed, and visible ones. They are below the marker of joulediff's own
 * comment, which only users with write access can edit, so nobody else can fake an acceptance.
 */
export function formatAcceptance({ by, reason, marks }: Acceptance): string {
  const data = encodeURIComponent(
    JSON.stringify([by, reason, ...marks.slice(0, MAX_MARKS)].map((each) => each.toWellFormed())),
  ).replaceAll('-', '%2D');
  return `${ACCEPTED}${data} -->\n> [!NOTE]\n> **Accepted by ${markdownName(by)}**: ${markdownText(reason, 300)}\n\n`;
}

/** The acceptance at the top of such a text; null: there is none. */
export function parseAcceptance(block: string): Acceptance | null {
  try {
    const data: unknown = JSON.parse(decodeURIComponent(block.slice(ACCEPTED.length).split(' ')[0] ?? ''));
    const [by, reason] = [text(field(data, '0'), 120), text(field(data, '1'), 300)];
    const marks = Array.from({ length: MAX_MARKS }, (_, i) => text(field(data, String(i + 2)), 300)).filter(Boolean);
    return block.startsWith(ACCEPTED) && by !== '' && reason !== '' ? { by, reason, marks } : null;
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

/** The acceptances that stand in comments for this commit. Throws the API's errors. */
export async function findAcceptances(
  octokit: Octokit,
  token: string,
  conversation: Conversation,
  head: string,
): Promise<Acceptance[]> {
  const comments = await ownComments(octokit, token, conversation, head);
  return comments.flatMap(({ body }) => parseAcceptance(acceptanceIn(body)) ?? []);
}

/** Maximum attempts to write a comment that others overwrite. */
const ATTEMPTS = 3;

/**
 * Writes the acceptance to every comment for this commit, and returns their number. A concurrent job may overwrite a comment, so
 * it is checked again after `verifyMs`. Throws the API's errors.
 */
export async function writeAcceptance(
  octokit: Octokit,
  token: string,
  conversation: Conversation,
  { head, verifyMs }: { readonly head: string; readonly verifyMs: number },
  acceptance: Acceptance,
): Promise<number> {
  const block = formatAcceptance(acceptance);
  for (let attempt = 0; ; attempt++) {
    const comments: MarkedComment[] = await ownComments(octokit, token, conversation, head);
    // Browsers submit CRLF line ends.
    const left = comments.filter(({ body }) => acceptanceIn(body).replaceAll('\r\n', '\n') !== block);
    if (left.length === 0 || attempt === ATTEMPTS) return comments.length;
    for (const { id, body } of left) {
      const [marker = ''] = body.split('\n', 1);
      const rest = body.slice(marker.length + 1 + acceptanceIn(body).length);
      await updateComment(octokit, conversation, id, `${marker}\n${block}${rest}`);
    }
    await sleep(verifyMs);
  }
}
