import { postComment, staleNote } from '../../../action/comment.ts';
import { log } from '../../../action/log.ts';
import { InputError } from '../../../errors.ts';
import { connect } from '../../../forge/api.ts';
import { explain } from '../../../forge/api-errors.ts';
import { markStale } from '../../../forge/comment.ts';
import { type Env, type ForgeEvent, readEvent, runPage } from '../../../forge/event.ts';
import { findPullRequest } from '../../../forge/find-pull-request.ts';
import { commentKey, type Marker } from '../../../forge/marker.ts';
import { resultArtifacts } from '../../../forge/run-artifacts.ts';
import { withRunPages } from '../../../forge/run-pages.ts';
import { logLine } from '../../../forge/untrusted.ts';
import { type FinishedRun, readFinishedRun } from '../../../forge/workflow-run.ts';
import { markdownName, markdownText } from '../../../report/escape.ts';
import { isWhole } from '../../../report/verdict.ts';
import { tellCheck } from '../checks/tell-check.ts';
import { reactAtEnd } from '../request/react.ts';
import type { GatherInputs } from './gather-inputs.ts';
import { areNoteworthy, type Gathered, NOT_FETCHED, NOTHING } from './gathered.ts';
import { type Frame, gatheredCommentText } from './gathered-texts.ts';
import { gatherResults } from './missing-legs.ts';
import { showGathered, tellGatheredOutputs } from './show-gathered.ts';

/** Inputs of this mode; folders of results are only for `mode: gather`. */
export type PublishInputs = Omit<GatherInputs, 'results' | 'directory'>;

const PERMISSIONS = ['actions: read', 'pull-requests: write'];

/**
 * `mode: publish`: a job with rights shows what a finished run without rights measured. Where to write comes from the event and from the
 * forge's own list of pull requests; of the artifacts only findings.json is read, and every text is made here. What could not be done for
 * want of a permission is told, and fails nothing. Throws InputError where the job is not one for `workflow_run`.
 */
export async function publishRun(inputs: PublishInputs, env: Env): Promise<void> {
  const event = await withRunPages(readEvent(env), inputs.token);
  const { requested } = inputs;
  const run = requested === null ? readFinishedRun(env) : runOfRequest(event, requested);
  const { apiUrl, repository } = event;
  if (apiUrl === null || repository === null || inputs.token === '') {
    throw new InputError('Nothing can be published without github-token, GITHUB_REPOSITORY and GITHUB_API_URL.');
  }
  if (requested === null && !/^pull_request(_target)?$/.test(run.eventName)) {
    tellNothing(`run ${run.id} was not for a pull request, but for ${run.eventName}`);
    return;
  }
  const octokit = await connect(inputs.token, apiUrl);
  const asked = { apiUrl, token: inputs.token, permissions: PERMISSIONS };
  const found =
    requested === null ? findPullRequest(octokit, repository, run) : { number: requested.pullRequest, from: null };
  const pull = await Promise.resolve(found).catch((error: unknown) => {
    const what = 'The pull requests could not be listed';
    const missing = `there is no repository ${repository.owner}/${repository.name}`;
    log.warn(explain(error, { ...asked, what, scope: 'pull-requests: write', missing }));
    return null;
  });
  if (pull === null || 'reason' in pull) {
    tellNothing(pull === null ? 'the pull request is not known' : pull.reason);
    return;
  }
  const place = { apiUrl, token: inputs.token, owner: repository.owner, repo: repository.name, runId: run.id };
  const artifacts = await resultArtifacts(octokit, place, inputs.artifactName).catch((error: unknown) => {
    const what = `The artifacts of run ${run.id} could not be listed`;
    log.warn(explain(error, { ...asked, what, scope: 'actions: read', missing: `there is no run ${run.id}` }));
    return null;
  });
  const tellEnd = async (
    { results, missing, refused }: Gathered,
    markdown: string,
    whyNone?: string,
  ): Promise<void> => {
    const isCancelled = results.length === 0 && missing.some(({ conclusion }) => conclusion === 'cancelled');
    const lost = missing.length + refused.length;
    const isComplete = results.length > 0 && lost === 0 && results.every(({ findings }) => isWhole(findings));
    const of = {
      results,
      markdown,
      isCancelled,
      lost,
      whyNone,
      sha: run.headSha,
      pullRequest: pull.number,
      workflow: run.workflow,
    };
    // The requester gets an end of the check even if none was asked for.
    if (inputs.check || requested !== null) await tellCheck({ ...inputs, ...of, isCheck: inputs.check }, event);
    if (requested !== null) await reactAtEnd(event, inputs.token, env, isComplete);
  };
  const target = { inputs, event, apiUrl, repository, pullRequest: pull.number };
  const markOlder = async (): Promise<void> => {
    if (inputs.comment === 'never') return;
    const said = await markStale({ ...placeOf(run, target), note: staleNote(run.headSha, pageOf(run, event)) });
    if (said !== null) log.info(said.sentence);
  };
  if (artifacts === null) {
    tellNothing('the result could not be fetched');
    await markOlder();
    await tellEnd(NOTHING, '', NOT_FETCHED);
    return;
  }
  const gathered = await gatherResults(artifacts, inputs, place);
  const frame = frameOf({ ...run, headRepository: run.headRepository ?? pull.from ?? null }, event);
  await showGathered(gathered, frame, env);
  const markdown = gathered.results.length === 0 ? '' : gatheredCommentText(gathered, frame);
  if (gathered.results.length === 0) {
    const ended = run.conclusion === '' ? '' : ` (it ended with ${run.conclusion})`;
    tellNothing(`run ${run.id}${ended} left no result in an artifact named ${inputs.artifactName}`);
    await markOlder();
  } else if (inputs.comment !== 'never') {
    await comment(gathered, markdown, run, target);
  }
  await tellEnd(gathered, markdown);
}

/** This run, with the requested commit, even if the pull request has changed since. */
function runOfRequest(event: ForgeEvent, { head, pullRequest }: NonNullable<PublishInputs['requested']>): FinishedRun {
  const { runId, runNumber, attempt, workflow, eventName } = event;
  const where = { headSha: head, headBranch: '', headRepository: null, pullRequests: [], ofPullRequest: pullRequest };
  return { ...where, id: runId, number: runNumber, page: runPage(event), attempt, workflow, eventName, conclusion: '' };
}

interface Target {
  readonly inputs: PublishInputs;
  readonly event: ForgeEvent;
  readonly apiUrl: string;
  readonly repository: { readonly owner: string; readonly name: string };
  readonly pullRequest: number;
}

async function comment(gathered: Gathered, markdown: string, run: FinishedRun, target: Target): Promise<void> {
  const onlyUpdate = target.inputs.comment === 'changes' && run.conclusion === 'success' && !areNoteworthy(gathered);
  const request = { ...placeOf(run, target), markdown, onlyUpdate };
  tellGatheredOutputs(gathered, await postComment(request, 'The result is in the job summary.'));
}

/** Where the comment is, and its marker. */
function placeOf(run: FinishedRun, { inputs, event, apiUrl, repository, pullRequest }: Target) {
  const marker: Marker = {
    // The publishing job's own names, plus the measuring workflow's from the event, to distinguish several; nothing from an artifact.
    key: commentKey(event.workflow, event.job, inputs.commentKey || run.workflow),
    runId: run.id,
    attempt: run.attempt,
    headSha: run.headSha,
  };
  const { owner, name } = repository;
  return { apiUrl, token: inputs.token, owner, repository: name, pullRequest, marker, permissions: PERMISSIONS };
}

const pageOf = (run: FinishedRun, event: ForgeEvent): string | null =>
  run.page ?? runPage(event, { runId: run.id, runNumber: run.number });

/** Note on the origin: it can't be verified that a run of foreign code measured what it reports. */
function frameOf(run: FinishedRun, event: ForgeEvent): Frame {
  const page = pageOf(run, event);
  const which = `run ${run.id}${run.attempt > 1 ? `, attempt ${run.attempt},` : ''}`;
  const from = run.headRepository;
  const isOwn = isSame(from, event.repository);
  const where = from === null || isOwn ? '' : ` from the fork ${markdownName(`${from.owner}/${from.name}`, 100)}`;
  const ended =
    run.conclusion === 'success' || run.conclusion === '' ? '' : ` It ended with ${markdownName(run.conclusion)}.`;
  const lines = [
    `Reported by ${page === null ? which : `[${which}](${page})`} of ${markdownName(run.workflow)} for commit ${run.headSha}${where}.${ended}`,
    markdownText(
      'That job ran the pull request’s code without write access: these are the numbers that it reported, and they can’t be verified here.',
    ),
  ];
  const link = page === null ? null : `<sub>[The run that measured, with its report and raw data](${page})</sub>`;
  return { note: ['[!NOTE]', ...lines].map((line) => `> ${line}`).join('\n'), link };
}

function isSame(a: ForgeEvent['repository'], b: ForgeEvent['repository']): boolean {
  return a !== null && b !== null && `${a.owner}/${a.name}`.toLowerCase() === `${b.owner}/${b.name}`.toLowerCase();
}

function tellNothing(reason: string): void {
  log.notice(logLine(`There is no comment: ${reason}.`));
}
