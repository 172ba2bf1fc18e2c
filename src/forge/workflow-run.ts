import { InputError } from '../errors.ts';
import { type Env, readPayload, readRepository, sha } from './event.ts';
import { field, positiveInteger, text, webAddress } from './untrusted.ts';

/** The finished run that triggered a `workflow_run` job, from the forge's event; no data comes from an artifact. */
export interface FinishedRun {
  readonly id: number;
  /** Number of the run within its repository; 0: unknown. */
  readonly number: number;
  /** Page of the run from the event; null: unknown, or not on this server. */
  readonly page: string | null;
  readonly attempt: number;
  /** Name of the workflow, which the run's author may have chosen. */
  readonly workflow: string;
  /** Event of the run, such as `pull_request`. */
  readonly eventName: string;
  /** `success`, `failure`, …; empty: unknown. */
  readonly conclusion: string;
  readonly headSha: string;
  /** Empty: unknown. */
  readonly headBranch: string;
  /** Null: the repository was deleted. */
  readonly headRepository: { readonly owner: string; readonly name: string } | null;
  /** Numbers of pull requests; GitHub gives none for a fork's. */
  readonly pullRequests: readonly number[];
  /** Pull request whose ref the run is for. Gitea gives this instead of branch and repository; null: unknown. */
  readonly ofPullRequest: number | null;
}

const ADVICE = `Start the job that publishes when the measuring workflow has ended:
on:
  workflow_run:
    workflows: [NAME OF THE MEASURING WORKFLOW]
    types: [completed]`;

/** Reads the event file of a `workflow_run` job. Throws InputError where this is none. */
export function readFinishedRun(env: Env): FinishedRun {
  const name = text(env.GITHUB_EVENT_NAME, 100);
  if (name !== 'workflow_run') {
    throw new InputError(
      `mode: publish was given in a job for the event ${name || '(none)'}; it works for workflow_run.`,
      {
        advice: ADVICE,
      },
    );
  }
  const { payload, problem } = readPayload(env.GITHUB_EVENT_PATH);
  if (problem !== null) throw new InputError(problem);
  const run = field(payload, 'workflow_run');
  const [id, headSha, headBranch] = [
    positiveInteger(field(run, 'id')),
    sha(field(run, 'head_sha')),
    text(field(run, 'head_branch'), 500),
  ];
  // Only the ref at the end is from the forge; the file name before it may have been chosen by the run's author.
  const ofPullRequest = positiveInteger(
    /@refs\/pull\/(\d+)\/(?:head|merge)$/.exec(text(field(run, 'path'), 1000))?.[1],
  );
  if (id === null || headSha === null || (headBranch === '' && ofPullRequest === null)) {
    throw new InputError('The event of this job names no finished run with its commit and branch or pull request.', {
      advice: ADVICE,
    });
  }
  if (field(payload, 'action') !== 'completed') {
    throw new InputError('The run that started this job has not ended yet.', { advice: ADVICE });
  }
  return {
    id,
    number: positiveInteger(field(run, 'run_number')) ?? 0,
    page: pageAddress(field(run, 'html_url'), env.GITHUB_SERVER_URL),
    attempt: positiveInteger(field(run, 'run_attempt')) ?? 1,
    workflow: text(field(run, 'name'), 300) || text(field(payload, 'workflow', 'name'), 300),
    eventName: text(field(run, 'event'), 100),
    conclusion: text(field(run, 'conclusion'), 100),
    headSha,
    headBranch,
    headRepository: readRepository(text(field(run, 'head_repository', 'full_name'), 300)),
    pullRequests: numbersOf(field(run, 'pull_requests')),
    ofPullRequest,
  };
}

/** Address of a run's page; null if it could break a Markdown link. */
function pageAddress(given: unknown, server: string | undefined): string | null {
  const [page, own] = [webAddress(given), webAddress(server) ?? 'https://github.com'];
  return page !== null && URL.parse(page)?.origin === URL.parse(own)?.origin && /^[\w:/.%~-]+$/.test(page)
    ? page
    : null;
}

function numbersOf(pulls: unknown): number[] {
  const list = Array.isArray(pulls) ? pulls.slice(0, 100) : [];
  return list.map((pull) => positiveInteger(field(pull, 'number'))).filter((number) => number !== null);
}
