import type { Octokit } from './api.ts';
import { type Author, readAuthor } from './author.ts';
import { type Marker, parseMarker } from './marker.ts';
import { readPages } from './pages.ts';
import { field, positiveInteger } from './untrusted.ts';

/** Pull request with the comments. */
export interface Conversation {
  readonly owner: string;
  readonly repo: string;
  readonly issue_number: number;
}

/** A comment that starts with joulediff's marker, by any author. */
export interface MarkedComment {
  readonly id: number;
  readonly body: string;
  readonly marker: Marker;
  readonly author: Author;
  readonly url: string | null;
}

/** All marked comments of the conversation, from all pages; lowest id first. Throws the API's errors. */
export async function listMarked(octokit: Octokit, conversation: Conversation): Promise<MarkedComment[]> {
  const found = new Map<number, MarkedComment>();
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  await readPages(octokit, route, { ...conversation }, 'comments', (item) => {
    const comment = readMarked(item);
    if (comment !== null) found.set(comment.id, comment);
  });
  return [...found.values()].sort((a, b) => a.id - b.id);
}

/** The current comment; null: it has no marker any more. Throws the API's errors. */
export async function readComment(
  octokit: Octokit,
  { owner, repo }: Conversation,
  id: number,
): Promise<MarkedComment | null> {
  const route = 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}';
  return readMarked((await octokit.request(route, { owner, repo, comment_id: id })).data);
}

/** Throws the API's errors. */
export async function createComment(
  octokit: Octokit,
  conversation: Conversation,
  body: string,
): Promise<MarkedComment> {
  const { data } = await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...conversation,
    body,
  });
  // The server may change the text; it only matters that the answer is a comment with an id.
  const comment = readMarked({ ...data, body });
  if (comment === null) throw new Error('The server answered the new comment with something other than a comment');
  return comment;
}

/** Returns the comment's page. Throws the API's errors. */
export async function updateComment(
  octokit: Octokit,
  conversation: Conversation,
  id: number,
  body: string,
): Promise<string | null> {
  const { owner, repo } = conversation;
  const { data } = await octokit.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
    owner,
    repo,
    comment_id: id,
    body,
  });
  return readUrl(field(data, 'html_url'));
}

/** Throws the API's errors. */
export async function deleteComment(octokit: Octokit, conversation: Conversation, id: number): Promise<void> {
  const { owner, repo } = conversation;
  await octokit.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', { owner, repo, comment_id: id });
}

function readMarked(item: unknown): MarkedComment | null {
  const id = positiveInteger(field(item, 'id'));
  const body = field(item, 'body');
  const marker = parseMarker(body);
  if (id === null || marker === null) return null;
  return {
    id,
    body: String(body),
    marker,
    author: readAuthor(field(item, 'user')),
    url: readUrl(field(item, 'html_url')),
  };
}

function readUrl(value: unknown): string | null {
  const url = typeof value === 'string' && value.length <= 2000 ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
