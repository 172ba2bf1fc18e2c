import { log } from '../../../action/log.ts';
import { messageOf } from '../../../errors.ts';
import { connect } from '../../../forge/api.ts';
import { type Env, type ForgeEvent, readPayload } from '../../../forge/event.ts';
import { field, positiveInteger } from '../../../forge/untrusted.ts';
import type { Repository } from './pull.ts';

/** Reactions that this program uses, among those that forges know. */
export type Reaction = 'eyes' | 'rocket' | '+1' | '-1' | 'confused';

/** Reacts to a comment. Never throws: where it may not, the log has the answer. */
export async function react({ octokit, owner, repo }: Repository, id: number, content: Reaction): Promise<void> {
  const route = 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions';
  await octokit
    .request(route, { owner, repo, comment_id: id, content })
    .catch((error: unknown) => log.info(`There is no reaction to the comment: ${messageOf(error)}`));
}

/** Reacts to the comment that started this run, where one did, when the measurement has ended. Never throws. */
export async function reactAtEnd(event: ForgeEvent, token: string, env: Env, hasResult: boolean): Promise<void> {
  const id = positiveInteger(field(readPayload(env.GITHUB_EVENT_PATH).payload, 'comment', 'id'));
  const { apiUrl, repository } = event;
  if (id === null || apiUrl === null || repository === null) return;
  const { owner, name: repo } = repository;
  await react({ octokit: await connect(token, apiUrl), owner, repo }, id, hasResult ? 'rocket' : '-1');
}
