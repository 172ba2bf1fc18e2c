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
import { acceptanceIn, formatMarker, isBeside, isNewer, keepAcceptance, type Marker } from './marker.ts';

export interface CommentRequest {
  readonly apiUrl: string;
  readonly token: string;
  readonly owner: string;
  readonly repository: string;
  readonly pullRequest: number;
  readonly marker: Marker;
  /** Markdown, at most 60,000 bytes; the hidden marker comes on top of it. */
  readonly markdown: string;
  /** True: only updates an existing comment, and creates none. */
  readonly onlyUpdate?: boolean;
  /** Lines of YAML for a message about missing permissions; absent: those of a measuring job. */
  readonly permissions?: readonly string[];
}

export interface CommentResult {
  /** `superseded`: a newer run's comment exists and was kept; `skipped`: there was no comment to update. */
  readonly state: 'created' | 'updated' | 'superseded' | 'skipped' | 'failed';
  readonly url: string | null;
  /** The outcome as a sentence for the user; with a remedy if it failed. */
  readonly sentence: string;
}

export const COMMENT_BYTES = 60_000;

/** Maximum checks of a comment after writing it. */
const MAX_SEARCHES = 3;

/**
 * Creates or updates the comment with this key. Never throws, since a missing comment is no reason to fail a
 * job. Ends within `limits.totalMs`.
 */
export async function publishComment(request: CommentRequest, limits: Limits = LIMITS): Promise<CommentResult> {
  const bytes = Buffer.byteLength(request.markdown);
  if (bytes > COMMENT_BYTES) {
    const sentence = `The comment was not written: it has ${bytes} bytes; the limit is ${COMMENT_BYTES}.`;
    return { state: 'failed', url: null, sentence };
  }
  try {
    const octokit = await connect(request.token, request.apiUrl, limits);
    return await upsert({ octokit, conversation: toConversation(request), verifyMs: limits.verifyMs }, request);
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

function toConversation({ owner, repository: repo, pullRequest }: Omit<CommentRequest, 'markdown'>): Conversation {
  return { owner, repo, issue_number: pullRequest };
}

/** Line below the marker of a comment whose numbers are not those of the newest commit. */
const STALE = '<!-- joulediff stale -->';

/**
 * Marks the comment with this key as outdated if it belongs to an older commit: this run has no result. Returns whether it was, with a log sentence;
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
    const conversation = toConversation(request);
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
  // An acceptance applies to a commit: it is kept when that commit is measured again, and dropped for the next.
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
  // Another job may have created the same comment in the meantime: check again, and both keep the first one.
  // The author of the created comment is the token's user, even if that was unknown before.
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

/** Result for a second step of a run, which would overwrite the first one's comment. */
function refused(url: string | null): CommentResult {
  const sentence =
    'The comment was not written: another joulediff step or matrix job of this run has written the comment of the same name. Give each its own comment-key, such as a value of its matrix, or show all in one comment with mode: gather.';
  return { state: 'failed', url, sentence };
}

/** Creates the comment. A failed POST may have succeeded, so it is only repeated if no comment is found. */
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
 * Filters comments by plausible markers: a fake marker of a newer run, unknown to the repository, would prevent every
 * update. If the forge does not even know this run, markers are believed.
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

/** Whether the repository has this run; null: unknown, for example without permission. */
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
 * Keeps one comment, the one with the lowest id, with the newest run's text. Concurrent jobs
 * decide alike; the newest text is written before anything is deleted.
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
 * Writes until the comment has the newest text: an older job may overwrite it, since no forge supports conditional updates. So it is checked
 * and written again if it has an older one. Returns the final marker.
 */
async function insist({ octokit, conversation, verifyMs }: Access, id: number, ours: Text): Promise<Marker> {
  for (let search = 0; search < MAX_SEARCHES; search++) {
    await sleep(verifyMs);
    const now = await readComment(octokit, conversation, id).catch(notKnown);
    if (now === null || !isNewer(ours.marker, now.marker)) return now?.marker ?? ours.marker;
    await updateComment(octokit, conversation, id, keepAcceptance(ours.body, now.body));
  }
  return ours.marker;
}

/** The comment was written; a failed check does not change that. */
function notKnown(error: unknown): null {
  if (isApiError(error) && ![404, 410].includes(error.status)) return null;
  throw error;
}

/** Another job deleted it first, or the token can write but not delete comments: no failure. */
function ignoreRefusal(error: unknown): void {
  if (!isApiError(error) || ![403, 404, 405, 410].includes(error.status)) throw error;
}

/** Null if the comment was deleted in the meantime. */
function nullIfGone(error: unknown): null {
  if (isApiError(error) && [404, 410].includes(error.status)) return null;
  throw error;
}
