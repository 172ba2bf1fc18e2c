import { type Env, readPayload, readRepository } from './event.ts';
import { field } from './untrusted.ts';

/**
 * Where the code of a job comes from, as far as its event proves it: this repository, another one, or not proved. `unreadable`: the event can't be
 * read. `runner-setup/hooks/job-started.sh` holds the same table, since a hook starts before anything is checked out; the tests try both with the
 * same events.
 */
export type CodeOrigin = 'own' | 'fork' | 'unproved' | 'unreadable';

/** Events that run a commit which only somebody with write access can have chosen. */
const OWN_EVENTS = ['push', 'create', 'schedule', 'release', 'merge_group', 'workflow_dispatch', 'repository_dispatch'];

/** Names of inputs that choose code: a pull request, a commit, a repository. */
const CODE_NAME = /(?:^|_)(?:pr|pull|fork|head|ref|sha|commit|revision|repo|repository|issue)(?:_|\d|$)/i;
const CODE_VALUE = /\bpull\/\d|^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i;

/** The origin of this job's code. Never throws. */
export function readCodeOrigin(env: Env): CodeOrigin {
  const { payload, problem } = readPayload(env.GITHUB_EVENT_PATH);
  const repository = readRepository(env.GITHUB_REPOSITORY);
  if (problem !== null) return 'unreadable';
  return codeOrigin(env.GITHUB_EVENT_NAME ?? '', payload, repository && `${repository.owner}/${repository.name}`);
}

function codeOrigin(name: string, payload: unknown, repository: string | null): CodeOrigin {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return 'unreadable';
  const [pull, run] = [field(payload, 'pull_request'), field(payload, 'workflow_run')];
  const own = [
    repository ?? undefined,
    field(payload, 'repository', 'full_name'),
    field(pull, 'base', 'repo', 'full_name'),
  ].filter((one) => one !== undefined);
  const isOwn = (given: unknown): boolean => own.length > 0 && own.every((one) => isSame(one, given));
  if (repository !== null && !isOwn(repository)) return 'fork';
  if (pull !== undefined) return isOwn(field(pull, 'head', 'repo', 'full_name')) ? 'own' : 'fork';
  if (name === '' || repository === null || name.startsWith('pull_request')) return 'unreadable';
  if (name === 'workflow_run') {
    if (!isOwn(field(run, 'head_repository', 'full_name'))) return 'fork';
    // Gitea names the repository of the workflow there, and the pull request in the path.
    const isPull = /@refs\/pull\//.test(String(field(run, 'path')));
    return !isPull && ['pull_request', ...OWN_EVENTS].includes(String(field(run, 'event'))) ? 'own' : 'unproved';
  }
  const ref = field(payload, 'ref') ?? (name === 'workflow_dispatch' ? null : 'refs/heads/');
  if (!OWN_EVENTS.includes(name) || typeof ref !== 'string' || /^refs\/(?!heads\/|tags\/)/.test(ref)) return 'unproved';
  if (name === 'merge_group') {
    return /^refs\/heads\/gh-readonly-queue\//.test(String(field(payload, 'merge_group', 'head_ref')))
      ? 'own'
      : 'unproved';
  }
  if (name === 'repository_dispatch') return isEmpty(field(payload, 'client_payload')) ? 'own' : 'unproved';
  return choosesCode(field(payload, 'inputs') ?? {}) ? 'unproved' : 'own';
}

function isSame(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase();
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && Object.keys(value as object).length === 0);
}

/** Whether a person who dispatched the workflow gave it something to check out. */
function choosesCode(inputs: unknown): boolean {
  if (typeof inputs !== 'object') return true;
  return Object.entries(inputs as object).some(([name, value]) => {
    const isName = CODE_NAME.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_'));
    return (isName && !['', null, false].includes(value)) || CODE_VALUE.test(String(value));
  });
}
