import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { showResult } from '../../src/action/show-result.ts';
import { connect, LIMITS } from '../../src/forge/api.ts';
import { type CommentRequest, publishComment } from '../../src/forge/comment.ts';
import { findPullRequest } from '../../src/forge/find-pull-request.ts';
import { commentKey, formatMarker } from '../../src/forge/marker.ts';
import { resultArtifacts } from '../../src/forge/run-artifacts.ts';
import type { FinishedRun } from '../../src/forge/workflow-run.ts';
import { gather } from '../../src/parts/fleet/action/gather.ts';
import { commentMarkdown } from '../../src/report/comment.ts';
import { findingsJson } from '../../src/report/findings-json.ts';
import { startJob } from '../action/job.ts';
import { syntheticAnalysis } from '../report/synthetic/analysis.ts';
import { type Publisher, startPublisher } from './race.ts';

/** A Gitea, real or played, with a pull request and three tokens. */
export interface GiteaUnderTest {
  readonly apiUrl: string;
  readonly owner: string;
  readonly repository: string;
  readonly pullRequest: number;
  /** Token of a user who may write. */
  readonly token: string;
  /** Token of the same user, but for reading issues only. */
  readonly limitedToken: string;
  /** Token of another user who may write. */
  readonly otherToken: string;
  close(): Promise<void>;
}

interface Comment {
  readonly id: number;
  readonly body: string;
}

const KEY = commentKey('Energy', 'measure', '');
const QUICK = { ...LIMITS, pauseMs: 10, verifyMs: 250 };
const textOf = (runId: number) => `report of run ${runId}`;
const commentBody = (runId: number) =>
  `${formatMarker({ key: KEY, runId, attempt: 1, headSha: null })}\n${textOf(runId)}`;

function chunks<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / 5) }, (_, i) => list.slice(5 * i, 5 * i + 5));
}

/** What every Gitea must do, and what joulediff does with it; the played one is only believed because the real one passes the same. */
export function giteaSuite(start: () => Promise<GiteaUnderTest>): void {
  let gitea: GiteaUnderTest;
  let publishers: Publisher[];

  beforeAll(async () => {
    gitea = await start();
    publishers = await Promise.all([startPublisher(), startPublisher()]);
  });
  afterAll(async () => {
    for (const publisher of publishers ?? []) publisher.end();
    await gitea?.close();
  });

  async function api<T>(
    method: string,
    path: string,
    token = gitea.token,
    json?: unknown,
  ): Promise<{ status: number; link: string | null; data: T }> {
    const answer = await fetch(`${gitea.apiUrl}/repos/${gitea.owner}/${gitea.repository}/${path}`, {
      method,
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    return { status: answer.status, link: answer.headers.get('link'), data: text === '' ? null : JSON.parse(text) };
  }
  const conversation = () => `issues/${gitea.pullRequest}/comments`;
  const comments = async () => (await api<Comment[]>('GET', conversation())).data;
  const bodies = async () => (await comments()).map(({ body }) => body);
  const add = (body: string, token = gitea.token) => api('POST', conversation(), token, { body });
  const request = (runId: number, more: Partial<CommentRequest> = {}): CommentRequest => ({
    apiUrl: gitea.apiUrl,
    token: gitea.token,
    owner: gitea.owner,
    repository: gitea.repository,
    pullRequest: gitea.pullRequest,
    markdown: textOf(runId),
    marker: { key: KEY, runId, attempt: 1, headSha: null },
    ...more,
  });

  beforeEach(async () => {
    const left = await comments();
    for (const part of chunks(left)) await Promise.all(part.map(({ id }) => api('DELETE', `issues/comments/${id}`)));
  });

  it('creates the comment once, updates it in place, and lets no older run overwrite it', async () => {
    expect(await publishComment(request(5), QUICK)).toMatchObject({
      state: 'created',
      url: expect.stringMatching(/^http/),
    });
    const [first] = await comments();
    expect(await publishComment(request(6), QUICK)).toMatchObject({ state: 'updated' });
    expect(await publishComment(request(4), QUICK)).toMatchObject({ state: 'superseded' });
    expect(await comments()).toEqual([expect.objectContaining({ id: first!.id, body: commentBody(6) })]);
  });

  it('gives all comments whatever page is asked for, and the search through 150 ends', async () => {
    const many = Array.from({ length: 150 }, (_, i) => `comment ${i}`);
    for (const part of chunks(many)) await Promise.all(part.map((text) => add(text, gitea.otherToken)));
    expect((await publishComment(request(1), QUICK)).state).toBe('created');
    expect((await publishComment(request(2), QUICK)).state).toBe('updated');
    const page = await api<Comment[]>('GET', `${conversation()}?per_page=10&page=7`);
    expect([page.data.length, page.link]).toEqual([151, null]);
    expect(page.data.filter(({ body }) => body.startsWith('<!-- joulediff'))).toEqual([
      expect.objectContaining({ body: commentBody(2) }),
    ]);
  });

  it('shows who wrote a comment, so that another person’s look-alike is left alone', async () => {
    await add(commentBody(999), gitea.otherToken);
    await publishComment(request(1), QUICK);
    await publishComment(request(2), QUICK);
    expect((await bodies()).sort()).toEqual([commentBody(2), commentBody(999)].sort());
  });

  it('refuses a token without the scope with 403, and the message names it', async () => {
    const result = await publishComment(request(1, { token: gitea.limitedToken }), QUICK);
    expect(result).toMatchObject({ state: 'failed', url: null });
    expect(result.sentence).toMatch(/lacks the permission "pull-requests: write" \(the server asks for: write:issue\)/);
    expect(result.sentence).not.toContain(gitea.limitedToken);
    expect(await comments()).toEqual([]);
  });

  it('refuses a token that is none with 401', async () => {
    const result = await publishComment(request(1, { token: 'f'.repeat(40) }), QUICK);
    expect(result.sentence).toMatch(/the token is not valid/);
  });

  it('answers 500 for a pull request that is not there, which is told', async () => {
    const result = await publishComment(request(1, { pullRequest: 99 }), QUICK);
    expect(result.sentence).toMatch(
      /#99 was not written: the server answered with status 500\. .*issue does not exist/,
    );
  });

  it('writes a comment again that somebody deleted', async () => {
    await publishComment(request(1), QUICK);
    for (const { id } of await comments()) await api('DELETE', `issues/comments/${id}`);
    expect((await publishComment(request(2), QUICK)).state).toBe('created');
    expect(await bodies()).toEqual([commentBody(2)]);
  });

  it('keeps a text of 60,000 bytes as it is', async () => {
    const markdown = '| é |\n'.repeat(8500);
    await publishComment(request(1, { markdown }), QUICK);
    expect((await bodies())[0]).toBe(`${commentBody(1).split('\n')[0]}\n${markdown}`);
  });

  it('finds the pull request of a commit in a list that it does not filter', async () => {
    const { data } = await api<{ head: { sha: string; ref: string } }>('GET', `pulls/${gitea.pullRequest}`);
    const repository = { owner: gitea.owner, name: gitea.repository };
    const run: FinishedRun = {
      id: 1,
      number: 1,
      page: null,
      attempt: 1,
      workflow: 'Energy',
      eventName: 'pull_request',
      conclusion: 'success',
      headSha: data.head.sha,
      headBranch: data.head.ref,
      headRepository: repository,
      pullRequests: [],
      ofPullRequest: null,
    };
    const octokit = await connect(gitea.token, gitea.apiUrl, QUICK);
    expect(await findPullRequest(octokit, repository, run)).toEqual({ number: gitea.pullRequest });
    const later = await findPullRequest(octokit, repository, { ...run, headSha: 'e'.repeat(40) });
    expect(later).toEqual({ reason: expect.stringContaining('has moved on') });
    const other = await findPullRequest(octokit, repository, { ...run, headBranch: 'other' });
    expect(other).toEqual({ reason: expect.stringContaining('no open pull request') });
    // As Gitea tells of a finished run: neither branch nor repository.
    const reported = { ...run, headBranch: '', headRepository: null, ofPullRequest: gitea.pullRequest };
    expect(await findPullRequest(octokit, repository, reported)).toEqual({
      number: gitea.pullRequest,
      from: repository,
    });
    const outdated = await findPullRequest(octokit, repository, { ...reported, headSha: 'e'.repeat(40) });
    expect(outdated).toEqual({ reason: expect.stringContaining('has moved on') });
  });

  it('has a list of a run’s artifacts, empty where there are none', async () => {
    const octokit = await connect(gitea.token, gitea.apiUrl, QUICK);
    const place = { apiUrl: gitea.apiUrl, token: gitea.token, owner: gitea.owner, repo: gitea.repository, runId: 12 };
    expect(await resultArtifacts(octokit, place, 'joulediff')).toEqual([]);
  });

  it('shows a result where there is neither an artifact service nor a job summary, and says where it is', async () => {
    const pull = {
      number: gitea.pullRequest,
      head: { sha: 'd'.repeat(40), repo: { full_name: `${gitea.owner}/${gitea.repository}` } },
    };
    // As Gitea sets it: the server's address ends with a slash.
    const job = startJob(
      'pull_request',
      { pull_request: pull },
      {
        GITHUB_REPOSITORY: `${gitea.owner}/${gitea.repository}`,
        GITHUB_SERVER_URL: `${new URL(gitea.apiUrl).origin}/`,
        GITHUB_API_URL: gitea.apiUrl,
        GITHUB_STEP_SUMMARY: '',
        ACTIONS_RUNTIME_TOKEN: 'token',
        ACTIONS_RESULTS_URL: gitea.apiUrl,
      },
    );
    try {
      const { findings } = syntheticAnalysis({ traces: false });
      job.write('out/findings.json', findingsJson(findings));
      job.write('out/comment.md', commentMarkdown(findings));
      const outDir = join(job.folder, 'out');
      const result = {
        outDir,
        databasePath: '',
        analysis: { findings, runs: [], traces: [] },
        texts: { comment: commentMarkdown(findings), summary: '' },
        error: null,
        complete: true,
      };
      const inputs = { token: gitea.token, comment: 'always', commentKey: '', artifactName: 'joulediff' } as const;
      const rest = { expectedKeys: [], check: false, requested: null };
      await showResult(result, inputs, process.env);
      await gather({ ...inputs, ...rest, commentKey: 'all', results: ['out'], directory: job.folder }, process.env);
      expect(await bodies()).toEqual([
        expect.stringMatching(/^<!-- joulediff key=Publish%20energy\/publish\/:[0-9a-f]{8} run=900 /),
        expect.stringMatching(/^<!-- joulediff key=Publish%20energy\/publish\/all run=900 /),
      ]);
      for (const body of await bodies())
        expect(body).toContain(`(${new URL(gitea.apiUrl).origin}/${gitea.owner}/${gitea.repository}/actions/runs/900)`);
      expect(job.log()).toContain(`It is in ${outDir} on this runner.`);
      expect(job.log()).toContain('There is no job summary: this runner has no job summary');
      expect(job.outputs()).toMatchObject({
        verdict: 'increase',
        'artifact-url': '',
        'comment-url': expect.stringMatching(/^http/),
      });
      expect(job.failed()).toBe(false);
    } finally {
      job.end();
    }
  });

  it.each([
    ['create', 15, []],
    ['update', 15, [1]],
    ['clear up', 10, [1, 2, 3]],
  ])(
    'has one comment with the newest text when two processes %s it at the same moment, %i times',
    async (_, times, before) => {
      for (let i = 0; i < times; i++) {
        for (const { id } of await comments()) await api('DELETE', `issues/comments/${id}`);
        for (const runId of before) await add(commentBody(runId));
        const runs = i % 2 === 0 ? [10, 11] : [11, 10];
        const states = await Promise.all(publishers.map((p, n) => p.publish(request(runs[n]!), QUICK)));
        expect({ i, bodies: await bodies() }).toEqual({ i, bodies: [commentBody(11)] });
        expect(states.map(({ state }) => state)).not.toContain('failed');
      }
    },
    120_000,
  );
}
