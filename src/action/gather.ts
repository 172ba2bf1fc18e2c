import { InputError } from '../errors.ts';
import { connect } from '../forge/api.ts';
import { explain } from '../forge/api-errors.ts';
import { type Env, type ForgeEvent, readEvent, runPage } from '../forge/event.ts';
import { resultArtifacts } from '../forge/run-artifacts.ts';
import { areNoteworthy, commentOnEvent } from './comment.ts';
import type { GatherInputs } from './gather-inputs.ts';
import { type Gathered, readSources, type Source } from './gathered.ts';
import { gatheredCommentText } from './gathered-texts.ts';
import { log } from './log.ts';
import { resultFolders } from './result-folders.ts';
import { showGathered, tellGatheredOutputs } from './show-gathered.ts';

const PERMISSIONS = ['actions: read', 'pull-requests: write'];

/**
 * `mode: gather`: the last job shows what all jobs of a matrix measured, in one comment and one summary. Throws InputError where there is
 * no result at all; a missing permission is told, and fails nothing.
 */
export async function gather(inputs: GatherInputs, env: Env): Promise<void> {
  const event = readEvent(env);
  if (event.problem !== null) {
    log.warn(event.problem);
  }
  const sources =
    inputs.results.length > 0
      ? await resultFolders(inputs.results, inputs.directory)
      : await listArtifacts(inputs, event);
  if (sources === null) {
    return;
  }
  const gathered = await readSources(sources);
  const page = runPage(event);
  const frame = {
    note: null,
    link: page === null ? null : `<sub>[The workflow run, with reports and raw data](${page})</sub>`,
  };
  await showGathered(gathered, frame, env);
  if (gathered.results.length === 0) {
    throw nothingFound(inputs, gathered);
  }
  if (inputs.comment !== 'never') {
    const onlyUpdate = inputs.comment === 'changes' && !areNoteworthy(gathered);
    const text = { markdown: gatheredCommentText(gathered, frame), onlyUpdate };
    const permissions = inputs.results.length > 0 ? PERMISSIONS.slice(1) : PERMISSIONS;
    const url = await commentOnEvent(text, inputs, event, 'The result is in the job summary.', permissions);
    tellGatheredOutputs(gathered, url);
  }
}

/** Null: the artifacts can't be listed, which was told. */
async function listArtifacts(
  { token, artifactName }: GatherInputs,
  event: ForgeEvent,
): Promise<readonly Source[] | null> {
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
    return await resultArtifacts(await connect(token, apiUrl), place, artifactName);
  } catch (error) {
    const what = `The artifacts of run ${runId} could not be listed`;
    const missing = `there is no run ${runId}`;
    log.warn(explain(error, { apiUrl, token, what, scope: 'actions: read', missing, permissions: PERMISSIONS }));
    return null;
  }
}

function nothingFound({ results, artifactName }: GatherInputs, { refused }: Gathered): InputError {
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
