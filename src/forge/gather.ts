import * as core from '@actions/core';
import { InputError } from '../errors.ts';
import { connect } from './api.ts';
import { explain } from './api-errors.ts';
import type { Collected } from './collected.ts';
import { collectedComment } from './collected-texts.ts';
import { type CommentInputs, commentOnEvent } from './comment-step.ts';
import { type Env, type ForgeEvent, readEvent, runPage } from './event.ts';
import { isCollectedNews } from './news.ts';
import { resultsInFolders } from './result-folders.ts';
import { resultsOfRun } from './run-artifacts.ts';
import { showCollected, tellCollectedOutputs } from './show-collected.ts';

export interface GatherInputs extends CommentInputs {
  /** Patterns of folders, each with a findings.json; none: the artifacts of this run are fetched. */
  readonly results: readonly string[];
  /** Where relative patterns start. */
  readonly directory: string;
  /** Artifacts with this name, or with this and `-…`, are taken. */
  readonly artifactName: string;
}

const PERMISSIONS = ['actions: read', 'pull-requests: write'];

/**
 * `mode: gather`: the last job shows what all jobs of a matrix measured, in one comment and one summary. Throws InputError where there is
 * no result at all; a missing permission is told, and fails nothing.
 */
export async function gather(inputs: GatherInputs, env: Env): Promise<void> {
  const event = readEvent(env);
  if (event.problem !== null) {
    core.warning(event.problem);
  }
  const collected =
    inputs.results.length > 0
      ? await resultsInFolders(inputs.results, inputs.directory)
      : await fetchResults(inputs, event);
  if (collected === null) {
    return;
  }
  const page = runPage(event);
  const frame = {
    note: null,
    link: page === null ? null : `<sub>[The workflow run, with reports and raw data](${page})</sub>`,
  };
  await showCollected(collected, frame, env);
  if (collected.results.length === 0) {
    throw nothingFound(inputs, collected);
  }
  if (inputs.comment !== 'never') {
    const onlyUpdate = inputs.comment === 'changes' && !isCollectedNews(collected);
    const text = { markdown: collectedComment(collected, frame), onlyUpdate };
    const permissions = inputs.results.length > 0 ? PERMISSIONS.slice(1) : PERMISSIONS;
    const url = await commentOnEvent(text, inputs, event, 'The result is in the job summary.', permissions);
    tellCollectedOutputs(collected, url);
  }
}

/** Null: the artifacts can't be listed, which was told. */
async function fetchResults({ token, artifactName }: GatherInputs, event: ForgeEvent): Promise<Collected | null> {
  const { apiUrl, repository, runId } = event;
  if (apiUrl === null || repository === null || runId === 0 || token === '') {
    throw new InputError(
      'The artifacts of this run can’t be fetched without github-token, GITHUB_REPOSITORY and GITHUB_RUN_ID.',
      {
        advice: 'Give the folders of the results (input results) instead.',
      },
    );
  }
  const place = { apiUrl, token, owner: repository.owner, repo: repository.name, runId };
  try {
    return await resultsOfRun(await connect(token, apiUrl), place, artifactName);
  } catch (error) {
    const what = `The artifacts of run ${runId} could not be listed`;
    const missing = `there is no run ${runId}`;
    core.warning(explain(error, { apiUrl, token, what, scope: 'actions: read', missing, permissions: PERMISSIONS }));
    return null;
  }
}

function nothingFound({ results, artifactName }: GatherInputs, { refused }: Collected): InputError {
  const where =
    results.length > 0
      ? `no folder ${results.join(', ')} with a findings.json`
      : `no artifact named ${artifactName} or ${artifactName}-…`;
  const message = refused.length > 0 ? 'None of the results could be taken.' : `There is nothing to gather: ${where}.`;
  return new InputError(message, {
    advice:
      'The job that gathers needs the jobs that measure (needs: [measure]), and their artifacts: with results, from actions/download-artifact before this step.',
  });
}
