import { randomBytes } from 'node:crypto';
import { type CommentRequest, markStale, publishComment } from '../forge/comment.ts';
import { type ForgeEvent, isForeign, runPage } from '../forge/event.ts';
import { commentKey } from '../forge/marker.ts';
import { hasNews } from '../report/verdict.ts';
import type { ExperimentResult } from '../run/run.ts';
import type { CommentInputs } from './inputs.ts';
import { log } from './log.ts';
import { commentText, type Uploaded } from './result-texts.ts';

/** Whether the result deserves a new comment; an existing one is updated in any case. */
function isNoteworthy({ analysis, error }: ExperimentResult): boolean {
  return (error !== null && error !== undefined) || analysis === null || hasNews(analysis.findings);
}

/** Writes the comment, or logs why there is none and where the result is. Returns the comment's page. Never throws. */
export async function writeComment(
  result: ExperimentResult,
  inputs: CommentInputs,
  event: ForgeEvent,
  uploaded: Uploaded,
): Promise<string | null> {
  const place = uploaded.artifactUrl ?? result.outDir;
  const whereElse = result.analysis === null ? '' : `The result is in the job summary and in ${place}`;
  const markdown = inputs.comment === 'never' ? null : commentText(result, uploaded, runPage(event));
  const onlyUpdate = inputs.comment === 'changes' && !isNoteworthy(result);
  return markdown === null ? null : commentOnEvent({ markdown, onlyUpdate, part: PART }, inputs, event, whereElse);
}

/** Distinguishes the comment of this step from that of other steps in the same run. */
const PART = randomBytes(4).toString('hex');

/** Writes a text to the pull request of this job, or logs why not. Returns the comment's page. Never throws. */
export async function commentOnEvent(
  { part, ...text }: Pick<CommentRequest, 'markdown' | 'onlyUpdate'> & { readonly part?: string },
  inputs: CommentInputs,
  event: ForgeEvent,
  whereElse: string,
  permissions?: readonly string[],
): Promise<string | null> {
  const place = placeOf(event, inputs);
  if (typeof place === 'string') {
    if (!text.onlyUpdate) log.notice(`There is no comment: ${place}. ${whereElse}`.trim());
    return null;
  }
  const marker = { ...place.marker, ...(part && { part }) };
  return postComment({ ...place, ...text, marker, ...(permissions && { permissions }) }, whereElse);
}

/**
 * Marks the comment of an older commit when this job ends without a result, so that it is not mistaken for a current one. Never throws, and logs
 * nothing if there is no comment. Returns whether one was marked.
 */
export async function markOlderComment(
  inputs: Pick<CommentInputs, 'token' | 'commentKey'>,
  event: ForgeEvent,
): Promise<boolean> {
  const place = placeOf(event, inputs);
  if (typeof place === 'string') return false;
  const said = await markStale({ ...place, note: staleNote(event.headSha, runPage(event)) });
  if (said !== null) log.info(said.sentence);
  return said?.marked === true;
}

/** Note with the commit that the numbers belong to. `newer`: the commit that was not measured. */
export function staleNote(newer: string | null, page: string | null): (older: string) => string {
  const run = page === null ? 'Its run' : `[Its run](${page})`;
  const commit = newer === null ? 'The newest commit' : `The newer commit ${newer.slice(0, 10)}`;
  return (older) =>
    `**These numbers are of the older commit ${older.slice(0, 10)}.** ${commit} has no result. ${run} ended without one.`;
}

/** Publishes the comment and logs the outcome. Returns its page. Never throws. */
export async function postComment(request: CommentRequest, whereElse: string): Promise<string | null> {
  const { state, sentence, url } = await publishComment(request);
  if (state === 'failed') log.warn(`${sentence}\n${whereElse}`.trim());
  else log.info(`${sentence} ${url ?? ''}`);
  return url;
}

/** Where this job's comment is; a string: why it has none. */
function placeOf(event: ForgeEvent, { token, commentKey: key }: Pick<CommentInputs, 'token' | 'commentKey'>) {
  const { repository, pullRequest, apiUrl, runId, attempt, headSha } = event;
  if (pullRequest === null) return 'this run is not for a pull request';
  if (isForeign(event)) return 'the pull request comes from a fork, whose runs may not write';
  if (token === '') return 'no token was given (input github-token)';
  if (repository === null) return 'GITHUB_REPOSITORY does not name a repository';
  if (apiUrl === null) return 'GITHUB_API_URL is not an address';
  const marker = { key: commentKey(event.workflow, event.job, key), runId, attempt, headSha };
  return { apiUrl, token, owner: repository.owner, repository: repository.name, pullRequest, marker };
}
