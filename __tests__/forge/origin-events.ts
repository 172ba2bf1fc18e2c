/** Events of us/it, and where their code comes from: the hook before a job and the action decide alike. */

const repository = { full_name: 'us/it' };
const pull = (head: string | null) => ({
  number: 1,
  head: { repo: head && { full_name: head } },
  base: { repo: repository },
});
const pullEvent = (head: string | null) => ({ pull_request: pull(head), repository });
const comment = { action: 'created', issue: { number: 5, pull_request: { url: 'x' } }, comment: {}, repository };
const finished = (event: string, head: string | null, path = '.github/workflows/a.yml') => ({
  workflow_run: { event, path, head_repository: head && { full_name: head } },
  repository,
});
const dispatch = (inputs: unknown, ref: unknown = 'refs/heads/main') => ({ inputs, ref, repository });
const group = (head_ref: string) => ({ merge_group: { head_ref }, repository });

export const EVENTS: Readonly<Record<'own' | 'fork' | 'unproved' | 'unreadable', readonly [string, unknown][]>> = {
  own: [
    ['push', { ref: 'refs/heads/main', repository }],
    ['push', { ref: 'refs/tags/v1', pull_request: null }],
    ['push', {}],
    ['create', { ref: 'topic', ref_type: 'branch', repository }],
    ['schedule', { schedule: '0 0 * * *' }],
    ['release', { action: 'published', release: { tag_name: 'v1' }, repository }],
    ['merge_group', group('refs/heads/gh-readonly-queue/main/pr-1-abc')],
    ['workflow_dispatch', dispatch(null)],
    ['workflow_dispatch', dispatch({ repetitions: '30', pr: '', preheat: 'yes' }, 'main')],
    ['repository_dispatch', { action: 'bench', client_payload: {}, repository }],
    ...['pull_request', 'pull_request_target', 'pull_request_review', 'pull_request_comment', 'issue_comment'].map(
      (name): [string, unknown] => [name, pullEvent('Us/It')],
    ),
    ['workflow_run', finished('pull_request', 'us/it')],
    ['workflow_run', finished('push', 'us/it')],
  ],
  fork: [
    ...['pull_request', 'pull_request_target', 'pull_request_review', 'issue_comment', 'push', 'something_new'].flatMap(
      (name): [string, unknown][] => [
        [name, pullEvent('them/it')],
        [name, pullEvent(null)],
      ],
    ),
    ['pull_request', { pull_request: { base: { repo: repository }, head: 'us/it' } }],
    ['workflow_run', finished('pull_request', 'them/it')],
    ['workflow_run', finished('pull_request', null)],
    ['workflow_run', { repository }],
  ],
  unproved: [
    ['issue_comment', comment],
    ['issue_comment', { issue: { number: 5 }, repository }],
    ['issues', { issue: { number: 5 }, repository }],
    ['workflow_run', finished('issue_comment', 'us/it')],
    ['workflow_run', finished('pull_request_target', 'us/it')],
    ['workflow_run', finished('pull_request', 'us/it', 'a.yml@refs/pull/3/head')],
    ['workflow_dispatch', dispatch({}, 'refs/pull/5/merge')],
    ['workflow_dispatch', { repository }],
    ...[{ pr: '5' }, { pullRequest: '5' }, { 'head-ref': 'topic' }, { pr_number: 5 }, { what: 'refs/pull/5/head' }].map(
      (inputs): [string, unknown] => ['workflow_dispatch', dispatch(inputs)],
    ),
    ['workflow_dispatch', dispatch({ at: 'a'.repeat(40) })],
    ['workflow_dispatch', dispatch('pr=5')],
    ['repository_dispatch', { client_payload: { pull_request: { number: 5 } }, repository }],
    ['repository_dispatch', { client_payload: 'x', repository }],
    ['merge_group', group('refs/heads/topic')],
    ['merge_group', { repository }],
    ['push', { ref: 'refs/pull/5/merge', repository }],
    ['push', { ref: 5, repository }],
    ...['check_run', 'check_suite', 'deployment', 'status', 'watch', 'fork', 'something_new'].map(
      (name): [string, unknown] => [name, { repository }],
    ),
  ],
  unreadable: [
    ['push', undefined],
    ['push', null],
    ['push', []],
    ['push', 'text'],
    ['', { repository }],
    ['pull_request', {}],
    ['pull_request_target', { repository }],
  ],
};
