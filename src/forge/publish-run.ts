import * as core from '@actions/core';
import { InputError } from '../errors.ts';
import { markdownName, markdownText } from '../report/escape.ts';
import { alertBox } from '../report/markdown.ts';
import { connect } from './api.ts';
import { explain } from './api-errors.ts';
import type { Collected } from './collected.ts';
import { collectedComment, type Frame } from './collected-texts.ts';
import { type CommentInputs, postComment } from './comment-step.ts';
import { type Env, type ForgeEvent, readEvent, runPage } from './event.ts';
import { findPullRequest } from './find-pull-request.ts';
import { commentKey } from './marker.ts';
import { isCollectedNews } from './news.ts';
import { resultsOfRun } from './run-artifacts.ts';
import { showCollected, tellCollectedOutputs } from './show-collected.ts';
import { logLine } from './untrusted.ts';
import { type FinishedRun, readFinishedRun } from './workflow-run.ts';

export interface PublishRunInputs extends CommentInputs {
  /** Artifacts with this name, or with this and `-…`, are taken. */
  readonly artifactName: string;
}

const PERMISSIONS = ['actions: read', 'pull-requests: write'];

/**
 * `mode: publish`: a job with rights shows what a finished run without rights measured. Where to write comes from the event and from the
 * forge's own list of pull requests; of the artifacts only findings.json is read, and every text is made here. What could not be done for
 * want of a permission is told, and fails nothing. Throws InputError where the job is not one for `workflow_run`.
 */
export async function publishRun(inputs: PublishRunInputs, env: Env): Promise<void> {
  const run = readFinishedRun(env);
  const event = readEvent(env);
  const { apiUrl, repository } = event;
  if (apiUrl === null || repository === null || inputs.token === '') {
    throw new InputError('Nothing can be published without github-token, GITHUB_REPOSITORY and GITHUB_API_URL.');
  }
  if (!/^pull_request(_target)?$/.test(run.eventName)) {
    tellNothing(`run ${run.id} was not for a pull request, but for ${run.eventName}`);
    return;
  }
  const octokit = await connect(inputs.token, apiUrl);
  const asked = { apiUrl, token: inputs.token, permissions: PERMISSIONS };
  const pull = await findPullRequest(octokit, repository, run).catch((error: unknown) => {
    const what = 'The pull requests could not be listed';
    const missing = `there is no repository ${repository.owner}/${repository.name}`;
    core.warning(explain(error, { ...asked, what, scope: 'pull-requests: write', missing }));
    return null;
  });
  if (pull === null || 'reason' in pull) {
    tellNothing(pull === null ? 'the pull request is not known' : pull.reason);
    return;
  }
  const place = { apiUrl, token: inputs.token, owner: repository.owner, repo: repository.name, runId: run.id };
  const collected = await resultsOfRun(octokit, place, inputs.artifactName).catch((error: unknown) => {
    const what = `The artifacts of run ${run.id} could not be listed`;
    core.warning(explain(error, { ...asked, what, scope: 'actions: read', missing: `there is no run ${run.id}` }));
    return null;
  });
  if (collected === null) {
    tellNothing('the result could not be fetched');
    return;
  }
  const frame = frameOf(run, event);
  await showCollected(collected, frame, env);
  if (collected.results.length === 0) {
    const ended = run.conclusion === '' ? '' : ` (it ended with ${run.conclusion})`;
    tellNothing(`run ${run.id}${ended} left no result in an artifact named ${inputs.artifactName}`);
    return;
  }
  if (inputs.comment !== 'never') {
    await comment(collected, frame, run, { inputs, event, apiUrl, repository, pullRequest: pull.number });
  }
}

interface Target {
  readonly inputs: PublishRunInputs;
  readonly event: ForgeEvent;
  readonly apiUrl: string;
  readonly repository: { readonly owner: string; readonly name: string };
  readonly pullRequest: number;
}

async function comment(collected: Collected, frame: Frame, run: FinishedRun, target: Target): Promise<void> {
  const { inputs, event, apiUrl, repository, pullRequest } = target;
  const marker = {
    // The publishing job's own names, and to tell several measuring workflows apart, theirs as the event names it: nothing of an artifact.
    key: commentKey(event.workflow, event.job, inputs.commentKey || run.workflow),
    runId: run.id,
    attempt: run.attempt,
    headSha: run.headSha,
  };
  const place = { apiUrl, token: inputs.token, owner: repository.owner, repository: repository.name, pullRequest };
  const onlyUpdate = inputs.comment === 'changes' && run.conclusion === 'success' && !isCollectedNews(collected);
  const text = { markdown: collectedComment(collected, frame), onlyUpdate };
  const request = { ...place, ...text, marker, permissions: PERMISSIONS };
  tellCollectedOutputs(collected, await postComment(request, 'The result is in the job summary.'));
}

/** Who says so: nobody can check from here that a run of foreign code measured what it reports. */
function frameOf(run: FinishedRun, event: ForgeEvent): Frame {
  const page = runPage(event, run.id);
  const which = `run ${run.id}${run.attempt > 1 ? `, attempt ${run.attempt},` : ''}`;
  const from = run.headRepository;
  const isOwn = isSame(from, event.repository);
  const where = from === null || isOwn ? '' : ` from the fork ${markdownName(`${from.owner}/${from.name}`, 100)}`;
  const ended =
    run.conclusion === 'success' || run.conclusion === '' ? '' : ` It ended with ${markdownName(run.conclusion)}.`;
  const lines = [
    `Reported by ${page === null ? which : `[${which}](${page})`} of ${markdownName(run.workflow)} for commit ${run.headSha}${where}.${ended}`,
    markdownText(
      'That job ran the code of the pull request and had no rights: these are the numbers that it gave, and they can’t be verified here.',
    ),
  ];
  const link = page === null ? null : `<sub>[The run that measured, with its report and raw data](${page})</sub>`;
  return { note: alertBox('NOTE', lines), link };
}

function isSame(a: ForgeEvent['repository'], b: ForgeEvent['repository']): boolean {
  return a !== null && b !== null && `${a.owner}/${a.name}`.toLowerCase() === `${b.owner}/${b.name}`.toLowerCase();
}

function tellNothing(reason: string): void {
  core.notice(logLine(`There is no comment: ${reason}.`));
}
