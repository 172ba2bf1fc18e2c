import { type Env, readPayload, readRepository } from './event.ts';
import { field } from './untrusted.ts';

/**
 * Origin of a job's code, as far as its event proves it: this repository, another one, or not proved. `unreadable`: the event can't be
 * read. `runner-setup/hooks/job-started.sh` has the same table, since a hook starts before any checkout; tests apply the
 * same events to both.
 */
export type CodeOrigin = 'own' | 'fork' | 'unproved' | 'unreadable';

/** Events whose commit only users with write access can choose. */
const OWN_EVENTS = ['push', 'create', 'schedule', 'release', 'merge_group', 'workflow_dispatch', 'repository_dispatch'];

/** Names of inputs that select code: a pull request, a commit, a repository. */
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
    // Gitea gives the workflow's repository there, and the pull request in the path.
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

/** Whether a user who dispatched the workflow selected code by an input. */
function choosesCode(inputs: unknown): boolean {
  if (typeof inputs !== 'object') return true;
  return Object.entries(inputs as object).some(([name, value]) => {
    const isName = CODE_NAME.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_'));
    return (isName && !['', null, false].includes(value)) || CODE_VALUE.test(String(value));
  });
}
