// Class: system.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { eventRevisions, readEvent, runPage } from '../../src/forge/event.ts';

const dir = mkdtempSync(join(tmpdir(), 'joulediff-event-'));
const SHA = 'a'.repeat(40);

afterAll(() => rmSync(dir, { recursive: true }));

function eventFile(content: unknown): string {
  const path = join(dir, 'event.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const env = {
  GITHUB_REPOSITORY: 'octo/demo',
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_RUN_ID: '9007199254740991',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_WORKFLOW: 'Energy',
  GITHUB_JOB: 'measure',
  GITHUB_SHA: 'b'.repeat(40),
  GITHUB_SERVER_URL: 'https://gitea.example/',
  GITHUB_API_URL: 'https://gitea.example/api/v1',
};

const pull = (head: unknown) => ({ pull_request: { number: 5, head } });

describe('readEvent', () => {
  it('reads a pull request of the same repository', () => {
    const path = eventFile(pull({ sha: SHA, repo: { full_name: 'Octo/Demo' } }));
    const event = readEvent({ ...env, GITHUB_EVENT_PATH: path });
    expect(event).toEqual({
      repository: { owner: 'octo', name: 'demo' },
      eventName: 'pull_request',
      pullRequest: 5,
      branch: null,
      defaultBranch: null,
      headSha: SHA,
      fork: false,
      runId: 9007199254740991,
      runNumber: 0,
      pagesBy: 'runId',
      attempt: 2,
      workflow: 'Energy',
      job: 'measure',
      serverUrl: 'https://gitea.example',
      isGitea: false,
      apiUrl: 'https://gitea.example/api/v1',
      problem: null,
    });
    expect(runPage(event)).toBe('https://gitea.example/octo/demo/actions/runs/9007199254740991');
  });

  it('finds the page of a run by its number on Forgejo, and not without asking on Gitea', () => {
    const run = { ...env, GITHUB_RUN_ID: '812', GITHUB_RUN_NUMBER: '7' };
    const page = (forge: object) => runPage(readEvent({ ...run, ...forge }));
    expect(page({ FORGEJO_ACTIONS: 'true', GITEA_ACTIONS: 'true' })).toMatch(/\/actions\/runs\/7$/);
    expect(page({ GITEA_ACTIONS: 'true' })).toBeNull();
  });

  it('knows the branch of a push, and the default branch of the repository', () => {
    const path = eventFile({ repository: { default_branch: 'trunk' } });
    const push = { ...env, GITHUB_EVENT_NAME: 'push', GITHUB_EVENT_PATH: path };
    expect(readEvent({ ...push, GITHUB_REF: 'refs/heads/topic/x' })).toMatchObject({
      branch: 'topic/x',
      defaultBranch: 'trunk',
    });
    expect(readEvent({ ...push, GITHUB_REF: 'refs/tags/v1' }).branch).toBeNull();
    expect(readEvent({ ...push, GITHUB_REF: 'refs/heads/a b' }).branch).toBeNull();
  });

  it.each([
    ['another repository', { sha: SHA, repo: { full_name: 'mallory/demo' } }],
    ['a repository that is gone', { sha: SHA, repo: null }],
    ['nothing that can be read', 'x'],
  ])('takes a head in %s for a fork', (_, head) => {
    expect(readEvent({ ...env, GITHUB_EVENT_PATH: eventFile(pull(head)) }).fork).toBe(true);
  });

  it('knows that a push has no pull request', () => {
    const event = readEvent({ ...env, GITHUB_REF: 'refs/heads/main', GITHUB_EVENT_PATH: eventFile({ after: SHA }) });
    expect(event).toMatchObject({ pullRequest: null, fork: false, headSha: env.GITHUB_SHA });
  });

  it('finds the pull request of a comment on it, and none in a comment on an issue', () => {
    const comment = (issue: unknown) => readEvent({ ...env, GITHUB_EVENT_PATH: eventFile({ issue }) }).pullRequest;
    expect(comment({ number: 8, pull_request: { url: 'x' } })).toBe(8);
    expect(comment({ number: 8 })).toBeNull();
  });

  it('finds the pull request in the ref where the event has none', () => {
    expect(readEvent({ ...env, GITHUB_REF: 'refs/pull/12/head' }).pullRequest).toBe(12);
  });

  it.each([
    ['not JSON, with a secret in it: hunter2', /is not JSON/],
    ['null', null],
    ['[]', null],
    ['"text"', null],
    ['{"pull_request":{"number":-1}}', null],
    ['{"pull_request":{"number":"5; rm"}}', null],
    ['{"pull_request":7}', null],
    ['{"pull_request":{"number":1e30,"head":{"sha":"--><script>"}}}', null],
  ])('survives the event %s', (content, problem) => {
    const event = readEvent({ GITHUB_EVENT_PATH: eventFile(content) });
    expect(event.pullRequest).toBeNull();
    expect(event.headSha).toBeNull();
    if (problem === null) {
      expect(event.problem).toBeNull();
    } else {
      expect(event.problem).toMatch(problem);
      expect(event.problem).not.toContain('hunter2');
    }
  });

  it('survives an event file that is missing, a folder, or a pipe nobody writes to', () => {
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [join(dir, 'missing'), dir, pipe]) {
      expect(readEvent({ GITHUB_EVENT_PATH: path })).toMatchObject({ pullRequest: null, problem: expect.any(String) });
    }
  });

  it('works without any environment, and outside a workflow has no page', () => {
    const event = readEvent({});
    expect(event).toMatchObject({ repository: null, pullRequest: null, runId: 0, apiUrl: 'https://api.github.com' });
    expect(runPage(event)).toBeNull();
  });

  it.each([
    '../demo',
    'octo',
    'octo/demo/x',
    'octo/..',
    'octo/de mo',
    'octo/demo?x',
  ])('refuses the repository %s', (slug) => {
    expect(readEvent({ GITHUB_REPOSITORY: slug }).repository).toBeNull();
  });

  it.each([
    'file:///etc/passwd',
    'not an address',
    'https://user:secret@host/',
  ])('refuses the API address %s', (url) => {
    expect(readEvent({ GITHUB_API_URL: url }).apiUrl).toBeNull();
  });
});

describe('eventRevisions', () => {
  const after = 'b'.repeat(40);
  const asked = (payload: unknown) => eventRevisions({ ...env, GITHUB_EVENT_PATH: eventFile(payload) });

  it('are the merge base and the head of a pull request', () => {
    const payload = { pull_request: { number: 5, base: { sha: SHA }, head: { sha: after } } };
    expect(asked(payload)).toEqual({ base: `${SHA}...${after}`, head: after });
  });

  it('are what a push found and left', () => {
    expect(asked({ before: SHA, after })).toEqual({ base: SHA, head: after });
  });

  const repository = { full_name: 'octo/demo', default_branch: 'main' };
  const none = '0'.repeat(40);

  it('are the commit below in a merge queue', () => {
    const queue = { merge_group: { base_sha: SHA, head_sha: after }, repository };
    expect(asked(queue)).toEqual({ base: SHA, head: after });
  });

  it.each([
    ['a branch that is new', { before: none, ref: 'refs/heads/topic', repository }],
    ['a tag that is new', { before: none, ref: 'refs/tags/v1', repository }],
    ['a branch whose history was replaced', { before: SHA, forced: true, ref: 'refs/heads/topic', repository }],
  ])('are where it left the default branch for %s', (_, payload) => {
    expect(asked(payload)).toEqual({ base: `origin/main...${after}`, head: after });
  });

  it('are what a push replaced on the default branch', () => {
    const payload = { before: SHA, forced: true, ref: 'refs/heads/main', repository };
    expect(asked(payload)).toEqual({ base: SHA, head: after });
  });

  it.each([
    [
      'a first push of the default branch',
      { before: none, ref: 'refs/heads/main', repository },
      /first push of the default/,
    ],
    ['another event', { action: 'completed' }, /^the event \S+ has no commit to compare with$/],
    ['a payload that names options', { before: '--upload-pack=touch', after }, /does not name the default branch/],
    ['a default branch that is none', { before: none, repository: { default_branch: 'a...b' } }, /does not name/],
    ['a merge queue without its base', { merge_group: {} }, /names no base_sha/],
  ])('are none for %s, and it says why', (_, payload, why) => {
    expect(asked(payload)).toEqual({ lacking: expect.stringMatching(why) });
  });
});
