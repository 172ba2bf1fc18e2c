import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { isGiteaJob } from '../system/gitea.ts';
import { field, positiveInteger, text, webAddress } from './untrusted.ts';
import { workflowName } from './workflow-name.ts';

/** Environment variables, as `process.env` gives them. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Where this job runs and why; missing or malformed values are null. */
export interface ForgeEvent {
  readonly repository: { readonly owner: string; readonly name: string } | null;
  /** Name of the event, like `pull_request`. */
  readonly eventName: string;
  readonly pullRequest: number | null;
  /** Branch of the workflow run; null: a tag, or a pull request. */
  readonly branch: string | null;
  readonly defaultBranch: string | null;
  /** Head of the pull request, else the commit of the workflow run; null: a comment, whose event has no commit. */
  readonly headSha: string | null;
  /** Whether the pull request's head is in another repository, or in a deleted one. */
  readonly fork: boolean;
  /** 0 outside a workflow, like `attempt`. */
  readonly runId: number;
  /** Number of the run within its repository; 0: unknown. */
  readonly runNumber: number;
  /** Which number ends the address of a run's page; null: Gitea, where it depends on the version (`withRunPages` finds out). */
  readonly pagesBy: 'runId' | 'runNumber' | null;
  readonly attempt: number;
  /** Name of the workflow, else the path of its file; empty: unknown. */
  readonly workflow: string;
  readonly job: string;
  /** Address without a slash at the end. */
  readonly serverUrl: string;
  readonly apiUrl: string | null;
  /** Whether the server is Gitea or Forgejo. */
  readonly isGitea: boolean;
  /** Why the event could not be read; null: it could. */
  readonly problem: string | null;
}

/** Maximum size of an event file; GitHub's payloads end at 25 MB. */
const EVENT_BYTES = 25e6;

/** Whether the job is of a fork's pull request, so that it may not write. */
export const isForeign = ({ fork, eventName }: ForgeEvent): boolean => fork && eventName !== 'pull_request_target';

/** Reads the job's environment and event file. Never throws: unusable values are left out. */
export function readEvent(env: Env): ForgeEvent {
  const { payload, problem } = readPayload(env.GITHUB_EVENT_PATH);
  const pull = field(payload, 'pull_request');
  const repository = readRepository(env.GITHUB_REPOSITORY);
  const eventName = text(env.GITHUB_EVENT_NAME, 100);
  return {
    repository,
    eventName,
    pullRequest: pullRequestNumber(payload, pull, env.GITHUB_REF),
    branch: pull === undefined ? branchName(env.GITHUB_REF) : null,
    defaultBranch: text(field(payload, 'repository', 'default_branch'), 255) || null,
    headSha: sha(field(pull, 'head', 'sha')) ?? (eventName === 'issue_comment' ? null : sha(env.GITHUB_SHA)),
    fork: pull !== undefined && !isOwnHead(pull, repository),
    runId: positiveInteger(env.GITHUB_RUN_ID) ?? 0,
    runNumber: positiveInteger(env.GITHUB_RUN_NUMBER) ?? 0,
    pagesBy: env.FORGEJO_ACTIONS === 'true' ? 'runNumber' : isGiteaJob(env) ? null : 'runId',
    attempt: positiveInteger(env.GITHUB_RUN_ATTEMPT) ?? 1,
    workflow: workflowName(env),
    job: text(env.GITHUB_JOB, 300),
    serverUrl: webAddress(env.GITHUB_SERVER_URL) ?? 'https://github.com',
    isGitea: isGiteaJob(env),
    apiUrl: env.GITHUB_API_URL ? webAddress(env.GITHUB_API_URL) : 'https://api.github.com',
    problem,
  };
}

/** The revisions before and after an event's change, as git names them. */
export interface EventRevisions {
  readonly base: string;
  readonly head: string;
}

/** Why an event has no base to compare with, as a clause. */
export interface NoRevisions {
  readonly lacking: string;
}

/**
 * Revisions of an event: merge base and head of a pull request; base and head of a merge queue; before and after a push. A new branch or tag, and a
 * branch with rewritten history, are compared with their merge base with the default branch.
 */
export function eventRevisions(env: Env): EventRevisions | NoRevisions {
  const { payload } = readPayload(env.GITHUB_EVENT_PATH);
  const pull = field(payload, 'pull_request');
  const queue = field(payload, 'merge_group');
  const current = sha(env.GITHUB_SHA);
  if (pull !== undefined) {
    const [base, head] = [sha(field(pull, 'base', 'sha')), sha(field(pull, 'head', 'sha'))];
    return base === null || head === null
      ? { lacking: 'the event names no commits of its pull request' }
      : { base: `${base}...${head}`, head };
  }
  if (current === null) return { lacking: 'the job names no commit (GITHUB_SHA)' };
  if (queue !== undefined) {
    const base = sha(field(queue, 'base_sha'));
    return base === null ? { lacking: 'the event names no base_sha' } : { base, head: current };
  }
  const before = field(payload, 'before');
  const name = text(env.GITHUB_EVENT_NAME, 40);
  if (before === undefined) return { lacking: `the event ${name} has no commit to compare with` };
  const branch = text(field(payload, 'repository', 'default_branch'), 200);
  const isDefault = field(payload, 'ref') === `refs/heads/${branch}`;
  const isNew = sha(before) === null || /^0+$/.test(String(before));
  const isReplaced = field(payload, 'forced') === true && !isDefault;
  if (!isNew && !isReplaced) return { base: String(before), head: current };
  if (!/^[\w/-]+(?:\.[\w/-]+)*$/.test(branch))
    return { lacking: 'this push has no commit before it, and the event does not name the default branch' };
  if (isDefault) return { lacking: 'this is the first push of the default branch' };
  return { base: `origin/${branch}...${current}`, head: current };
}

/** Page of this workflow run, or of another in the repository; null: outside of a workflow, or the address is unknown. */
export function runPage(event: ForgeEvent, run: Pick<ForgeEvent, 'runId' | 'runNumber'> = event): string | null {
  const { repository, pagesBy, serverUrl } = event;
  if (repository === null || pagesBy === null || run[pagesBy] === 0) return null;
  return `${serverUrl}/${repository.owner}/${repository.name}/actions/runs/${run[pagesBy]}`;
}

/** Content of the event file. Never throws: `problem` says why it can't be read. */
export function readPayload(path: string | undefined): { payload: unknown; problem: string | null } {
  if (!path) return { payload: undefined, problem: null };
  try {
    return { payload: JSON.parse(readBounded(path)), problem: null };
  } catch (error) {
    // The parser's own message would quote the file, which may contain secrets.
    const why =
      error instanceof SyntaxError ? 'it is not JSON' : error instanceof Error ? error.message : String(error);
    return { payload: undefined, problem: `The event file ${path} can't be read: ${why}.` };
  }
}

function readBounded(path: string): string {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > EVENT_BYTES) {
      throw new Error(stats.isFile() ? `it has ${stats.size} bytes` : 'it is not a file');
    }
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** `owner/name`, or null. */
export function readRepository(slug: string | undefined): ForgeEvent['repository'] {
  const match = /^([\w.-]{1,100})\/([\w.-]{1,100})$/.exec(slug ?? '');
  const [, owner, name] = match ?? [];
  if (owner === undefined || name === undefined || /^\.{1,2}$/.test(owner) || /^\.{1,2}$/.test(name)) return null;
  return { owner, name };
}

function pullRequestNumber(payload: unknown, pull: unknown, ref: string | undefined): number | null {
  if (pull !== undefined) return positiveInteger(field(pull, 'number')) ?? positiveInteger(field(payload, 'number'));
  if (field(payload, 'issue', 'pull_request')) return positiveInteger(field(payload, 'issue', 'number'));
  return positiveInteger(/^refs\/pull\/(\d+)\/(?:merge|head)$/.exec(ref ?? '')?.[1]);
}

function branchName(ref: string | undefined): string | null {
  return /^refs\/heads\/([^\p{C}\s]{1,255})$/u.exec(ref ?? '')?.[1] ?? null;
}

function isOwnHead(pull: unknown, repository: ForgeEvent['repository']): boolean {
  const head = field(pull, 'head', 'repo', 'full_name');
  return (
    repository !== null &&
    typeof head === 'string' &&
    head.toLowerCase() === `${repository.owner}/${repository.name}`.toLowerCase()
  );
}

/** A commit's full hash in lower case, or null. */
export function sha(value: unknown): string | null {
  return typeof value === 'string' && /^[0-9a-f]{40}([0-9a-f]{24})?$/i.test(value) ? value.toLowerCase() : null;
}
