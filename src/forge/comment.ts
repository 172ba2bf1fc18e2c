import { setTimeout as sleep } from 'node:timers/promises';
import { connect, isApiError, LIMITS, type Limits, type Octokit } from './api.ts';
import { explain, type Tried } from './api-errors.ts';
import { isNobody, isSameAs, whoAmI } from './author.ts';
import {
  type Conversation,
  createComment,
  deleteComment,
  listMarked,
  type MarkedComment,
  readComment,
  updateComment,
} from './comments-api.ts';
import { acceptanceIn, formatMarker, isBeside, isNewer, type Marker, withAcceptanceOf } from './marker.ts';

export interface CommentRequest {
  readonly apiUrl: string;
  readonly token: string;
  readonly owner: string;
  readonly repository: string;
  readonly pullRequest: number;
  readonly marker: Marker;
  /** Markdown, at most 60,000 bytes; the hidden marker comes on top of it. */
  readonly markdown: string;
  /** Brings an older comment up to date, and makes none where there is none. */
  readonly onlyUpdate?: boolean;
  /** Lines of YAML that a message about a missing permission shows; those of a job that measures where they are not given. */
  readonly permissions?: readonly string[];
}

export interface CommentResult {
  /** `superseded`: a newer run's comment stands there, and was left alone; `skipped`: there was none, and none was wanted. */
  readonly state: 'created' | 'updated' | 'superseded' | 'skipped' | 'failed';
  readonly url: string | null;
  /** What happened, for a person; with the remedy where it failed. */
  readonly sentence: string;
}

export const COMMENT_BYTES = 60_000;

/** Looks at a comment after it was written. */
const MAX_SEARCHES = 3;

/**
 * Creates the comment of this key, or updates it in place. Never throws: a comment is a courtesy, and a job
 * does not fail for want of one. Ends within `limits.totalMs`.
 */
export async function publishComment(request: CommentRequest, limits: Limits = LIMITS): Promise<CommentResult> {
  const bytes = Buffer.byteLength(request.markdown);
  if (bytes > COMMENT_BYTES) {
    const sentence = `The comment was not written: it has ${bytes} bytes; the limit is ${COMMENT_BYTES}.`;
    return { state: 'failed', url: null, sentence };
  }
  try {
    const octokit = await connect(request.token, request.apiUrl, limits);
    return await upsert({ octokit, conversation: conversationOf(request), verifyMs: limits.verifyMs }, request);
  } catch (error) {
    return { state: 'failed', url: null, sentence: explain(error, tried(request)) };
  }
}

function tried(request: Omit<CommentRequest, 'markdown'>): Tried {
  const { apiUrl, token, owner, repository, pullRequest, permissions } = request;
  const place = `${owner}/${repository}#${pullRequest}`;
  return {
    apiUrl,
    token,
    what: `The comment on ${place} was not written`,
    scope: 'pull-requests: write',
    missing: `there is no pull request ${place}`,
    permissions: permissions ?? ['contents: read', 'pull-requests: write'],
  };
}

interface Access {
  readonly octokit: Octokit;
  readonly conversation: Conversation;
  readonly verifyMs: number;
}

function conversationOf({ owner, repository: repo, pullRequest }: Omit<CommentRequest, 'markdown'>): Conversation {
  return { owner, repo, issue_number: pullRequest };
}

/** What a comment begins with, below its marker, where its numbers are not those of the newest commit. */
const STALE = '<!-- joulediff stale -->';

/**
 * Marks the comment of this key as one of an older commit, where it is: this run ended without a result for its own. Gives whether, and a sentence for the log;
 * null: there is no such comment. Never throws, and creates none. `note`: one line of Markdown.
 */
export async function markStale(
  request: Omit<CommentRequest, 'markdown' | 'onlyUpdate'> & {
    readonly note: (older: string) => string;
  },
  limits: Limits = LIMITS,
): Promise<{ readonly marked: boolean; readonly sentence: string } | null> {
  const { token, apiUrl, marker, note } = request;
  try {
    const octokit = await connect(token, apiUrl, limits);
    const conversation = conversationOf(request);
    const alike = (await listMarked(octokit, conversation)).filter((c) => c.marker.key === marker.key);
    const isOwn = alike.length === 0 ? isNobody : await whoAmI(octokit, token);
    const comment = alike.find((c) => isOwn(c.author));
    const older = comment?.marker.headSha ?? null;
    if (comment === undefined || older === null || older === marker.headSha || isNewer(comment.marker, marker))
      return null;
    const [first = '', ...rest] = comment.body.split(/\r?\n/);
    // The note of an earlier push is replaced.
    const text = rest[0] === STALE ? rest.slice(rest.indexOf('') + 1) : rest;
    const body = [first, STALE, '> [!WARNING]', `> ${note(older)}`, '', ...text].join('\n');
    await updateComment(octokit, conversation, comment.id, body);
    return { marked: true, sentence: 'The comment was marked as one of an older commit.' };
  } catch (error) {
    return { marked: false, sentence: explain(error, tried(request)) };
  }
}

async function upsert(access: Access, { marker, markdown, onlyUpdate, token }: CommentRequest): Promise<CommentResult> {
  const { octokit, conversation } = access;
  const alike = (await listMarked(octokit, conversation)).filter((c) => c.marker.key === marker.key);
  const isOwn = alike.length === 0 ? isNobody : await whoAmI(octokit, token);
  const mine = await believed(
    access,
    alike.filter((c) => isOwn(c.author)),
    marker,
  );
  // An acceptance is of a commit: it stays when that is measured again, and goes with the next one.
  const kept = mine.filter((c) => c.marker.headSha === marker.headSha).map((c) => acceptanceIn(c.body));
  const body = `${formatMarker(marker)}\n${kept.find((text) => text !== '') ?? ''}${markdown}`;
  const beside = mine.find((c) => isBeside(c.marker, marker));
  if (beside !== undefined) return refused(beside.url);
  const settled = mine.length > 0 ? await settle(access, mine, { marker, body }).catch(nullIfGone) : null;
  if (settled !== null) return settled;
  if (onlyUpdate) {
    return { state: 'skipped', url: null, sentence: 'There is no comment: nothing changed (comment: changes).' };
  }
  const created = await createOnce(octokit, conversation, body);
  // Another job may have created the same comment between our look and our writing: look again, and agree on the first.
  // Whoever wrote ours is us, whatever we could find out before.
  const isOurs = isNobody(created.author) ? isOwn : isSameAs(created.author);
  const all = (await listMarked(octokit, conversation)).filter((c) => c.marker.key === marker.key && isOurs(c.author));
  if (all.every((c) => c.id === created.id)) {
    return { state: 'created', url: created.url, sentence: 'The comment was created.' };
  }
  const first = all.find((c) => c.id < created.id && isBeside(c.marker, marker));
  if (first !== undefined) {
    await deleteComment(octokit, conversation, created.id).catch(ignoreRefusal);
    return refused(first.url);
  }
  return settle(access, all, created);
}

/** Two steps of a run would overwrite each other's comment: the second says so. */
function refused(url: string | null): CommentResult {
  const sentence =
    'The comment was not written: another joulediff step or matrix job of this run has written the comment of the same name. Give each its own comment-key, such as a value of its matrix, or show all in one comment with mode: gather.';
  return { state: 'failed', url, sentence };
}

/** A POST that failed on the way may have been done all the same, so it is sent again only where nothing is found. */
async function createOnce(octokit: Octokit, conversation: Conversation, body: string): Promise<MarkedComment> {
  try {
    return await createComment(octokit, conversation, body);
  } catch (error) {
    if (!isApiError(error) || error.status < 500) throw error;
    const done = (await listMarked(octokit, conversation)).find((c) => c.body === body);
    return done ?? (await createComment(octokit, conversation, body));
  }
}

/**
 * The comments with what can be believed of their markers: a run that is newer than ours, but that the repository doesn't know, would keep every
 * comment from being brought up to date. Where the forge tells nothing of our own run either, a marker is believed.
 */
async function believed(access: Access, mine: readonly MarkedComment[], ours: Marker): Promise<MarkedComment[]> {
  const newer = mine.filter((c) => isNewer(c.marker, ours));
  if (newer.length === 0 || !(await isRun(access, ours.runId))) return [...mine];
  const made = new Set<MarkedComment>();
  for (const comment of newer) {
    if ((await isRun(access, comment.marker.runId)) === false) made.add(comment);
  }
  return mine.map((c) => (made.has(c) ? { ...c, marker: { ...c.marker, runId: 0 } } : c));
}

/** Whether the repository has this run; null: the server doesn't tell, for want of a permission, for example. */
async function isRun({ octokit, conversation: { owner, repo } }: Access, id: number): Promise<boolean | null> {
  try {
    await octokit.request('GET /repos/{owner}/{repo}/actions/runs/{run_id}', { owner, repo, run_id: id });
    return true;
  } catch (error) {
    return isApiError(error) && error.status === 404 ? false : null;
  }
}

interface Text {
  readonly marker: Marker;
  readonly body: string;
}

/**
 * Leaves one comment, the one with the lowest id, with the newest run's text. Jobs that do this at the same time
 * decide alike; what is newest is written before anything is deleted.
 */
async function settle(access: Access, mine: readonly MarkedComment[], ours: Text): Promise<CommentResult> {
  const { octokit, conversation } = access;
  const [keep, ...others] = mine as readonly [MarkedComment, ...MarkedComment[]];
  const newest = mine.reduce<Text>((best, c) => (isNewer(c.marker, best.marker) ? c : best), ours);
  let url = keep.url;
  if (keep.body !== newest.body) {
    url = (await updateComment(octokit, conversation, keep.id, newest.body)) ?? url;
  }
  for (const other of others) {
    await deleteComment(octokit, conversation, other.id).catch(ignoreRefusal);
  }
  const last = newest === ours && keep.body !== ours.body ? await insist(access, keep.id, ours) : newest.marker;
  if (isBeside(last, ours.marker)) return refused(url);
  if (isNewer(last, ours.marker)) {
    const sentence = `The comment was left as it is: run ${last.runId} is newer than this one.`;
    return { state: 'superseded', url, sentence };
  }
  return { state: 'updated', url, sentence: 'The comment was updated.' };
}

/**
 * An older job that had looked before we wrote may write after us, and no forge can make an update depend on what stands there. So we look
 * again, and write again where something older stands. Gives the marker that stands there in the end.
 */
async function insist({ octokit, conversation, verifyMs }: Access, id: number, ours: Text): Promise<Marker> {
  for (let search = 0; search < MAX_SEARCHES; search++) {
    await sleep(verifyMs);
    const now = await readComment(octokit, conversation, id).catch(notKnown);
    if (now === null || !isNewer(ours.marker, now.marker)) return now?.marker ?? ours.marker;
    await updateComment(octokit, conversation, id, withAcceptanceOf(ours.body, now.body));
  }
  return ours.marker;
}

/** It was written; what can't be looked at is no reason to say otherwise. */
function notKnown(error: unknown): null {
  if (isApiError(error) && ![404, 410].includes(error.status)) return null;
  throw error;
}

/** Another job deleted it first, or the token may write comments and not delete them: no reason to fail. */
function ignoreRefusal(error: unknown): void {
  if (!isApiError(error) || ![403, 404, 405, 410].includes(error.status)) throw error;
}

/** Somebody deleted the comment between our look and our writing. */
function nullIfGone(error: unknown): null {
  if (isApiError(error) && [404, 410].includes(error.status)) return null;
  throw error;
}
