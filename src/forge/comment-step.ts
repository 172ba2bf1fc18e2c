import * as core from '@actions/core';
import { type CommentRequest, publishComment } from './comment.ts';
import type { CommentMode } from './comment-modes.ts';
import { commentText, type Uploaded } from './compose.ts';
import { type ForgeEvent, runPage } from './event.ts';
import { commentKey } from './marker.ts';
import { isNews } from './news.ts';
import type { Outcome } from './outcome.ts';
import { logLine } from './untrusted.ts';

export interface CommentInputs {
  /** Empty: none. */
  readonly token: string;
  readonly comment: CommentMode;
  /** Tells comments of the same job apart. */
  readonly commentKey: string;
}

/** Writes the comment, or says in the log why there is none and where the result is instead. Returns its page. Never throws. */
export async function writeComment(
  outcome: Outcome,
  inputs: CommentInputs,
  event: ForgeEvent,
  uploaded: Uploaded,
): Promise<string | null> {
  const place = uploaded.artifactUrl ?? outcome.outDir;
  const whereElse = outcome.analysis === null ? '' : `The result is in the job summary and in ${place}`;
  const markdown = inputs.comment === 'never' ? null : await commentText(outcome, uploaded, runPage(event));
  const onlyUpdate = inputs.comment === 'changes' && !isNews(outcome);
  return markdown === null ? null : commentOnEvent({ markdown, onlyUpdate }, inputs, event, whereElse);
}

/** Writes a text to the pull request that this job runs for, or says in the log why not. Returns its page. Never throws. */
export async function commentOnEvent(
  text: Pick<CommentRequest, 'markdown' | 'onlyUpdate'>,
  inputs: CommentInputs,
  event: ForgeEvent,
  whereElse: string,
  permissions?: readonly string[],
): Promise<string | null> {
  const { repository, pullRequest, apiUrl, runId, attempt, headSha } = event;
  const reason = whyNoComment(event, inputs.token);
  if (reason !== null && text.onlyUpdate) {
    return null;
  }
  if (reason !== null || repository === null || pullRequest === null || apiUrl === null) {
    core.notice(`There is no comment: ${reason}. ${whereElse}`.trim());
    return null;
  }
  const key = commentKey(event.workflow, event.job, inputs.commentKey);
  const place = { apiUrl, token: inputs.token, owner: repository.owner, repository: repository.name, pullRequest };
  const marker = { key, runId, attempt, headSha };
  return postComment({ ...place, ...text, marker, ...(permissions && { permissions }) }, whereElse);
}

/** Publishes the comment and tells the log how that went. Returns its page. Never throws. */
export async function postComment(request: CommentRequest, whereElse: string): Promise<string | null> {
  const result = await publishComment(request);
  if (result.state === 'failed') {
    core.warning(`${result.sentence}\n${whereElse}`.trim());
  } else {
    core.info(logLine(`${result.sentence} ${result.url ?? ''}`));
  }
  return result.url;
}

function whyNoComment(event: ForgeEvent, token: string): string | null {
  if (event.pullRequest === null) {
    return 'this run is not for a pull request';
  }
  if (event.fork && event.eventName !== 'pull_request_target') {
    return 'the pull request comes from a fork, whose runs may not write';
  }
  if (token === '') {
    return 'no token was given (input github-token)';
  }
  if (event.repository === null) {
    return 'GITHUB_REPOSITORY does not name a repository';
  }
  return event.apiUrl === null ? 'GITHUB_API_URL is not an address' : null;
}
