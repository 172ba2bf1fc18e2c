// Class: system.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readFinishedRun } from '../../src/forge/workflow-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** As GitHub sends it for a fork's run. */
const event = {
  action: 'completed',
  workflow_run: {
    id: 77,
    run_number: 7,
    run_attempt: 2,
    name: 'Energy',
    event: 'pull_request',
    conclusion: 'success',
    head_sha: 'D'.repeat(40),
    head_branch: 'feature',
    html_url: 'https://github.com/octo/demo/actions/runs/77',
    head_repository: { full_name: 'eve/demo', owner: { login: 'eve' } },
    pull_requests: [],
  },
};

function read(payload: unknown, name = 'workflow_run') {
  const path = join(folder, 'event.json');
  writeFileSync(path, typeof payload === 'string' ? payload : JSON.stringify(payload));
  return readFinishedRun({ GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path });
}
const withRun = (change: object) => ({ ...event, workflow_run: { ...event.workflow_run, ...change } });

describe('readFinishedRun', () => {
  it('reads what the forge says of the run', () => {
    expect(read(event)).toEqual({
      id: 77,
      number: 7,
      page: 'https://github.com/octo/demo/actions/runs/77',
      attempt: 2,
      workflow: 'Energy',
      eventName: 'pull_request',
      conclusion: 'success',
      headSha: 'd'.repeat(40),
      headBranch: 'feature',
      headRepository: { owner: 'eve', name: 'demo' },
      pullRequests: [],
      ofPullRequest: null,
    });
  });

  it.each([
    'https://eve.example/octo/demo/actions/runs/77',
    'https://github.com/octo/x)](y',
    'javascript:x',
    7,
  ])('takes %s for no page of the run', (page) => {
    expect(read(withRun({ html_url: page })).page).toBeNull();
  });

  it('knows that a fork is gone, and the pull requests that are named', () => {
    const run = read(withRun({ head_repository: null, pull_requests: [{ number: 5 }, { number: 'x' }, null] }));
    expect(run).toMatchObject({ headRepository: null, pullRequests: [5] });
  });

  it('reads what Gitea says: the workflow’s name beside the run, and the pull request in the place of its branch', () => {
    const { id, event: eventName, conclusion, head_sha } = event.workflow_run;
    // The last part is the forge's; what stands before it is the name of a file.
    const path = 'a@refs/pull/9/head.yml@refs/pull/5/head';
    const reported = { id, event: eventName, conclusion, head_sha, run_attempt: 0, path };
    const gitea = { action: 'completed', workflow: { name: 'Energy' }, workflow_run: reported };
    expect(read(gitea)).toMatchObject({ attempt: 1, workflow: 'Energy', headBranch: '', ofPullRequest: 5 });
    for (const wrong of ['a.yml@refs/heads/main', 'a@refs/pull/9/head.yml', '']) {
      expect(() => read({ ...gitea, workflow_run: { ...reported, path: wrong } })).toThrow(/names no finished run/);
    }
  });

  it.each<[string, unknown, string, RegExp]>([
    ['another event', event, 'pull_request', /job for the event pull_request; it works for workflow_run/],
    ['no event', event, '', /\(none\)/],
    ['a broken file', '{', 'workflow_run', /is not JSON/],
    ['no run', {}, 'workflow_run', /names no finished run/],
    ['no id', withRun({ id: -1 }), 'workflow_run', /names no finished run/],
    ['a commit that is none', withRun({ head_sha: 'main' }), 'workflow_run', /names no finished run/],
    ['no branch', withRun({ head_branch: null }), 'workflow_run', /names no finished run/],
    ['a run that goes on', { ...event, action: 'requested' }, 'workflow_run', /has not ended yet/],
  ])('refuses %s', (_, payload, name, why) => {
    expect(() => read(payload, name)).toThrow(why);
  });
});
