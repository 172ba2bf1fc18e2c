import { log } from '../../../action/log.ts';
import { setOutputs } from '../../../action/outputs.ts';
import { InputError, messageOf } from '../../../errors.ts';
import { connect, LIMITS, type Limits } from '../../../forge/api.ts';
import { explain } from '../../../forge/api-errors.ts';
import { type Env, type ForgeEvent, readEvent, runPage } from '../../../forge/event.ts';
import { findPullRequest } from '../../../forge/find-pull-request.ts';
import { withRunPages } from '../../../forge/run-pages.ts';
import { logLine } from '../../../forge/untrusted.ts';
import { markdownName, markdownText } from '../../../report/escape.ts';
import type { GatherInputs } from '../action/gather-inputs.ts';
import { writeAcceptance } from '../checks/acceptance.ts';
import { acceptMarks, endedMarks, markName, setMark } from '../checks/mark.ts';
import { neededFor } from '../checks/tell-check.ts';
import { type Asking, readAsking } from './asking.ts';
import { GRAMMAR, type RequestOptions } from './grammar.ts';
import { type Pull, pinHead, type Repository, readPull, whyNotAllowed } from './pull.ts';
import { type Reaction, react } from './react.ts';

/** The outputs of `mode: request`, for the jobs that measure, publish and cancel. */
export const REQUEST_OUTPUTS = [
  'requested',
  'cancel',
  'head',
  'base',
  'pull-request',
  'repetitions',
  'variant',
] as const;

type RequestOutputs = Readonly<Partial<Record<(typeof REQUEST_OUTPUTS)[number], string>>>;

/** Inputs, and the delay before a comment is checked again, milliseconds. */
type Decided = RequestInputs & { readonly verifyMs: number };

export type RequestInputs = Pick<GatherInputs, 'token' | 'commentKey' | 'check'>;

/** How a request ends: the reaction to its comment, the answer below it, the line in the log. */
interface Outcome {
  readonly reaction: Reaction;
  readonly sentence: string;
  /** Markdown; null: no answer, so that users without write access can't trigger comments. */
  readonly answer: string | null;
  readonly outputs?: RequestOutputs;
}

/**
 * `mode: request`: reads what somebody asks for in a comment, by a label or by hand, and puts out what is to be measured. It checks out and starts
 * nothing. A refusal fails nothing; a server that can't be asked fails the step. Throws InputError where the event is not one of a request.
 */
export async function readRequest(inputs: RequestInputs, env: Env, limits: Limits = LIMITS): Promise<void> {
  setOutputs({ ...Object.fromEntries(REQUEST_OUTPUTS.map((name) => [name, ''])), requested: 'false' });
  const read = readEvent(env);
  const asking = readAsking(env, read);
  if (asking === null) return;
  const { token } = inputs;
  const { apiUrl, repository } = read;
  if (apiUrl === null || repository === null || token === '') {
    throw new InputError('No request can be read without github-token, GITHUB_REPOSITORY and GITHUB_API_URL.');
  }
  const event = await withRunPages(read, token);
  const octokit = await connect(token, apiUrl, limits);
  const place = { octokit, owner: repository.owner, repo: repository.name };
  try {
    const { reaction, sentence, answer, outputs } = await decide(
      place,
      asking,
      { ...inputs, verifyMs: limits.verifyMs },
      event,
    );
    setOutputs({ ...outputs });
    log.notice(logLine(sentence));
    if (asking.comment !== null) await react(place, asking.comment.id, reaction);
    if (answer !== null && asking.comment !== null && asking.pullRequest !== null) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
      const { owner, repo } = place;
      await octokit.request(route, { owner, repo, issue_number: asking.pullRequest, body: answer });
    }
  } catch (error) {
    const what = 'The request could not be answered';
    const missing = `there is no repository ${place.owner}/${place.repo}`;
    const permissions = ['pull-requests: write', inputs.check ? 'checks: write' : 'statuses: write'];
    log.fail(explain(error, { apiUrl, token, what, scope: 'pull-requests: write', missing, permissions }));
  }
}

const refused = (sentence: string, answer: string | null = null): Outcome => ({
  reaction: 'confused',
  sentence,
  answer,
});

async function decide(place: Repository, asking: Asking, inputs: Decided, event: ForgeEvent): Promise<Outcome> {
  const { asked, by } = asking;
  if (asking.refusal !== null) return refused(asking.refusal);
  const notAllowed = await whyNotAllowed(place, by);
  if (notAllowed !== null) return refused(notAllowed);
  switch (asked.kind) {
    case 'wrong':
      return refused(
        `The request was not understood: ${asked.detail}.`,
        `${markdownText(asked.detail)}.\n\n${GRAMMAR}`,
      );
    case 'help':
      return { reaction: '+1', sentence: `${by.login} asked for help.`, answer: GRAMMAR };
    case 'cancel': {
      const outputs = { cancel: 'true', 'pull-request': String(asking.pullRequest) };
      return { reaction: '+1', sentence: `${by.login} cancelled the request.`, answer: null, outputs };
    }
  }
  const number = asking.pullRequest ?? (await dispatchedFor(place, event));
  if (typeof number === 'string') return refused(`Nothing is measured: ${number}.`);
  const pull = await readPull(place, number);
  if (pull === null) return refused(`There is no pull request #${number} any more.`);
  if (!pull.isOpen) return refused(`The pull request #${number} is closed, and only an open one is measured.`);
  const pinned = pinHead(asking, asked.options, pull);
  if ('refusal' in pinned) return refused(pinned.refusal, pinned.refusal);
  return asked.kind === 'accept'
    ? accept(place, inputs, { number, head: pinned.head, by: by.login, reason: asked.reason })
    : begin(place, inputs, event, { by: by.login, pull, head: pinned.head, options: asked.options });
}

/** The number of the open pull request of the branch that was chosen, or why there is none, as a clause. */
async function dispatchedFor({ octokit }: Repository, event: ForgeEvent): Promise<number | string> {
  const { repository, branch, headSha } = event;
  if (repository === null || branch === null || headSha === null) return 'the workflow was started for no branch';
  const none = { page: null, conclusion: '', pullRequests: [], ofPullRequest: null };
  const { runId: id, runNumber: number, attempt, workflow, eventName } = event;
  const run = { ...none, id, number, attempt, workflow, eventName, headSha };
  const found = await findPullRequest(octokit, repository, { ...run, headBranch: branch, headRepository: repository });
  return 'reason' in found ? found.reason : found.number;
}

interface Begun {
  readonly by: string;
  readonly pull: Pull;
  readonly head: string;
  readonly options: RequestOptions;
}

async function begin(
  { octokit, owner, repo }: Repository,
  { token, commentKey, check: isCheck }: RequestInputs,
  event: ForgeEvent,
  { by, pull, head, options }: Begun,
): Promise<Outcome> {
  const sentence = `Measuring ${head.slice(0, 10)} of #${pull.number}, as ${by} asked`;
  const name = markName(event.workflow, commentKey);
  // This job can't estimate the duration; the measuring job shows it if it may mark the commit.
  const summary = `Asked for by ${markdownName(by)}. The result follows.`;
  const mark = {
    name,
    state: 'pending',
    title: sentence,
    summary,
    page: runPage(event),
    runId: event.runId,
    attempt: event.attempt,
  } as const;
  await setMark({ octokit, owner, repo, sha: head }, mark, { isCheck }).catch((error: unknown) => {
    const what = `The commit ${head.slice(0, 10)} was not marked as being measured`;
    log.warn(explain(error, { apiUrl: event.apiUrl ?? '', token, what, ...neededFor(isCheck) }));
  });
  const outputs: RequestOutputs = {
    requested: 'true',
    head,
    'pull-request': String(pull.number),
    base: options.base ?? `${pull.baseSha}...${head}`,
    repetitions: options.repetitions ?? '',
    variant: options.variant ?? '',
  };
  return { reaction: 'eyes', sentence: `${sentence}.`, answer: null, outputs };
}

interface Accepted {
  readonly number: number;
  readonly head: string;
  readonly by: string;
  readonly reason: string;
}

async function accept(
  { octokit, owner, repo }: Repository,
  { token, verifyMs }: Decided,
  { number, head, by, reason }: Accepted,
): Promise<Outcome> {
  const commit = { octokit, owner, repo, sha: head };
  const marks = await endedMarks(commit);
  const acceptance = { by, reason, marks: [...marks.checks, ...marks.statuses].map(({ name }) => name) };
  // The comment first, since a later measurement of the commit uses it.
  const conversation = { owner, repo, issue_number: number };
  const comments = await writeAcceptance(octokit, token, conversation, { head, verifyMs }, acceptance);
  await acceptMarks(commit, marks, acceptance);
  for (const why of marks.refused) log.info(`Some marks of the commit can’t be read, and stay: ${messageOf(why)}`);
  if (comments + acceptance.marks.length === 0) {
    const none = `There is no result of ${head.slice(0, 10)} to accept yet.`;
    return refused(none, none);
  }
  const sentence = `${by} accepted the result of ${head.slice(0, 10)}: ${reason}`;
  return { reaction: '+1', sentence, answer: null };
}
