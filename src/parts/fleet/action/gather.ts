import { constants } from 'node:fs';
import { glob, lstat, open } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { commentOnEvent, markOlderComment } from '../../../action/comment.ts';
import { log } from '../../../action/log.ts';
import { InputError } from '../../../errors.ts';
import { LIMITS } from '../../../findings/read-findings.ts';
import { connect } from '../../../forge/api.ts';
import { explain } from '../../../forge/api-errors.ts';
import { newestAttempts } from '../../../forge/artifact-names.ts';
import { type Env, type ForgeEvent, readEvent, runPage } from '../../../forge/event.ts';
import { type RunAddress, resultArtifacts } from '../../../forge/run-artifacts.ts';
import { withRunPages } from '../../../forge/run-pages.ts';
import { RESULT_FILES } from '../../../system/result-files.ts';
import { tellCheck } from '../checks/tell-check.ts';
import type { GatherInputs } from './gather-inputs.ts';
import { areNoteworthy, type Gathered, NOT_FETCHED, NOTHING, type Source } from './gathered.ts';
import { gatheredCommentText } from './gathered-texts.ts';
import { gatherResults } from './missing-legs.ts';
import { showGathered, tellGatheredOutputs } from './show-gathered.ts';

const PERMISSIONS = ['actions: read', 'pull-requests: write'];

/**
 * `mode: gather`: the last job shows what all jobs of a matrix measured, in one comment and one summary. Throws InputError where there is
 * no result at all; a missing permission is told, and fails the check alone.
 */
export async function gather(inputs: GatherInputs, env: Env): Promise<void> {
  const event = await withRunPages(readEvent(env), inputs.token);
  if (event.problem !== null) {
    log.warn(event.problem);
  }
  const sources =
    inputs.results.length > 0
      ? await resultFolders(inputs.results, inputs.directory)
      : await listArtifacts(inputs, event);
  const check = async ({ results, missing, refused }: Gathered, markdown: string, whyNone?: string): Promise<void> => {
    const { headSha: sha, pullRequest, workflow } = event;
    const of = { results, markdown, lost: missing.length + refused.length, whyNone, sha, pullRequest, workflow };
    if (inputs.check) await tellCheck({ ...inputs, ...of, isCheck: true }, event);
  };
  if (sources === null) {
    if (inputs.comment !== 'never') await markOlderComment(inputs, event);
    await check(NOTHING, '', NOT_FETCHED);
    return;
  }
  const gathered = await gatherResults(sources, inputs, runAddress(inputs, event));
  const page = runPage(event);
  const frame = {
    note: null,
    link: page === null ? null : `<sub>[The workflow run, with reports and raw data](${page})</sub>`,
  };
  await showGathered(gathered, frame, env);
  const isEmpty = gathered.results.length === 0;
  // An older commit's numbers are kept, but marked; without them the comment says that there are no results.
  const isMarked = isEmpty && inputs.comment !== 'never' && (await markOlderComment(inputs, event));
  if (inputs.comment !== 'never' && !isMarked) {
    const onlyUpdate = inputs.comment === 'changes' && !isEmpty && !areNoteworthy(gathered);
    const text = { markdown: gatheredCommentText(gathered, frame), onlyUpdate };
    const permissions = inputs.results.length > 0 ? PERMISSIONS.slice(1) : PERMISSIONS;
    const whereElse = isEmpty ? '' : 'The result is in the job summary.';
    tellGatheredOutputs(gathered, await commentOnEvent(text, inputs, event, whereElse, permissions));
  }
  await check(gathered, isEmpty ? '' : gatheredCommentText(gathered, frame));
  if (isEmpty) throw nothingFound(inputs, gathered);
}

/** Null: the artifacts can't be listed, which was logged. */
async function listArtifacts(
  { token, artifactName }: GatherInputs,
  event: ForgeEvent,
): Promise<readonly Source[] | null> {
  const run = runAddress({ token }, event);
  if (run === null) {
    throw new InputError(
      'The artifacts of this run can’t be fetched without github-token, GITHUB_REPOSITORY and GITHUB_RUN_ID.',
      {
        advice: 'Give the folders of the results (input results) instead.',
      },
    );
  }
  const { apiUrl, runId } = run;
  try {
    return await resultArtifacts(await connect(token, apiUrl), run, artifactName);
  } catch (error) {
    const what = `The artifacts of run ${runId} could not be listed`;
    const missing = `there is no run ${runId}`;
    log.warn(explain(error, { apiUrl, token, what, scope: 'actions: read', missing, permissions: PERMISSIONS }));
    return null;
  }
}

/** This run at the forge's API; null: the API is not available. */
function runAddress(
  { token }: Pick<GatherInputs, 'token'>,
  { apiUrl, repository, runId }: ForgeEvent,
): RunAddress | null {
  if (apiUrl === null || repository === null || runId === 0 || token === '') return null;
  return { apiUrl, token, owner: repository.owner, repo: repository.name, runId };
}

function nothingFound({ results, artifactName }: GatherInputs, { refused }: Gathered): InputError {
  const where =
    results.length > 0
      ? `no folder ${results.join(', ')} with a findings.json`
      : `no artifact named ${artifactName} or ${artifactName}-…`;
  const message = refused.length > 0 ? 'None of the results could be used.' : `There is nothing to gather: ${where}.`;
  return new InputError(message, {
    advice:
      'The job that gathers needs the jobs that measure (needs: [measure]), and their artifacts: with results, from actions/download-artifact before this step.',
  });
}

const FILE = RESULT_FILES.findings;

/**
 * Folders with findings that match `patterns`, such as `results/*`: one artifact each, as actions/download-artifact unpacks them; of a job only that of
 * its latest attempt. Folders without a findings.json are ignored. Links are not followed, since a workload could use one to expose a secret.
 */
async function resultFolders(patterns: readonly string[], directory: string): Promise<Source[]> {
  const folders = new Set<string>();
  for await (const path of glob(patterns, { cwd: directory })) {
    const folder = resolve(directory, basename(path) === FILE ? join(path, '..') : path);
    if (await holdsResult(folder)) {
      folders.add(folder);
    }
  }
  // A later attempt of a job leaves the artifact of the earlier one beside its own, and both are downloaded.
  return newestAttempts([...folders].map((name) => ({ id: 0, name }))).map(({ name: folder }) => ({
    name: basename(folder),
    open: () => readBounded(join(folder, FILE)),
  }));
}

async function holdsResult(folder: string): Promise<boolean> {
  const stats = await Promise.all([folder, join(folder, FILE)].map((path) => lstat(path).catch(() => null)));
  return stats[0]?.isDirectory() === true && stats[1] !== null;
}

async function readBounded(path: string): Promise<Buffer> {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) {
      throw new Error(`${FILE} is not a file`);
    }
    if (stats.size > LIMITS.bytes) {
      throw new Error(`${FILE} has ${stats.size} bytes; the limit is ${LIMITS.bytes}`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}
