// Class: system.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { HistorySetting } from '../../../../src/experiment/experiment.ts';
import type { Findings } from '../../../../src/findings/findings.ts';
import { keepHistory } from '../../../../src/parts/fleet/action/keep-history.ts';
import { formatAcceptance } from '../../../../src/parts/fleet/checks/acceptance.ts';
import { extractRecord, NOWHERE } from '../../../../src/parts/fleet/history/extract.ts';
import { sqliteStore } from '../../../../src/parts/fleet/history/stores/sqlite.ts';
import { syntheticAnalysis } from '../../../report/synthetic/analysis.ts';
import { BOT, PERSON, startCommentsServer, type User } from '../../../servers/comments-server.ts';
import { startIssuesServer } from '../../../servers/issues-server.ts';
import { line, record, uuid } from '../history/records.ts';
import { startGitServer } from '../history/stores/git-server.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-keep-'));
  file = join(folder, 'history.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inFile = (): HistorySetting => ({ file, branch: null, track: null });
const analysis = syntheticAnalysis();
const { findings } = analysis;

/** The environment of a job, with what its event says. */
function job(name: string, ref: string, payload: unknown = { repository: { default_branch: 'main' } }) {
  const path = join(folder, 'event.json');
  writeFileSync(path, JSON.stringify(payload));
  return {
    GITHUB_REPOSITORY: 'octo/demo',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: path,
    GITHUB_REF: ref,
    GITHUB_SHA: 'a'.repeat(40),
    GITHUB_RUN_ID: '77',
  };
}

async function keep(
  env: Record<string, string>,
  given: { setting?: HistorySetting; findings?: Findings; ended?: boolean; token?: string } = {},
) {
  const log: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => log.push(String(chunk)) > 0);
  const { setting = inFile(), ended = false, token = '' } = given;
  const result = { analysis: { ...analysis, findings: given.findings ?? findings }, complete: !ended, outDir: folder };
  await keepHistory({ ...result, setting, token }, env);
  write.mockRestore();
  return log.join('').trimEnd();
}

describe('a job on the default branch', () => {
  it('keeps its experiment with commit, branch and page, draws it, and keeps it once', async () => {
    expect(await keep(job('push', 'refs/heads/main'))).toBe(`The experiment is kept in ${file}.`);
    expect(await keep(job('push', 'refs/heads/main'))).toBe(`${file} already contains this experiment.`);
    expect(await sqliteStore(file).records()).toEqual([
      expect.objectContaining({
        id: findings.experiment.id,
        repository: 'https://github.com/octo/demo',
        commit: 'a'.repeat(40),
        branch: 'main',
        report: 'https://github.com/octo/demo/actions/runs/77',
      }),
    ]);
    expect(readFileSync(join(folder, 'history.html'), 'utf8')).toContain(
      `https://github.com/octo/demo/commit/${'a'.repeat(40)}`,
    );
    expect(readFileSync(join(folder, 'history.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(3);
  });

  it.each([
    ['a schedule', job2('schedule', 'refs/heads/trunk', {})],
    ['a start by hand', job2('workflow_dispatch', 'refs/heads/main')],
  ])('is kept of %s too', async (_, make) => {
    expect(await keep(make())).toMatch(/^The experiment is kept/);
  });

  it('may track another branch', async () => {
    const setting = { ...inFile(), track: 'develop' };
    expect(await keep(job('push', 'refs/heads/main'), { setting })).toMatch(/only commits of develop are/);
    expect(await keep(job('push', 'refs/heads/develop'), { setting })).toMatch(/^The experiment is kept/);
  });
});

describe('what is no commit of the default branch', () => {
  const pull = pullOf;

  it.each([
    ['a pull request', job2('pull_request', 'refs/pull/5/merge', pull('octo/demo')), /this is a pull request/],
    ['a pull request of a fork', job2('pull_request', 'refs/pull/5/merge', pull('eve/demo')), /this is a pull request/],
    [
      'a pull request with the rights of its target',
      job2('pull_request_target', 'refs/heads/main', pull('eve/demo')),
      /this is a pull request/,
    ],
    [
      'a comment',
      job2('issue_comment', 'refs/heads/main', { issue: { number: 5, pull_request: {} } }),
      /this is a pull request/,
    ],
    ['a workflow after another', job2('workflow_run', 'refs/heads/main'), /this is an event "workflow_run"/],
    ['another branch', job2('push', 'refs/heads/topic'), /it is of the branch topic, and only commits of main are/],
    ['a tag', job2('push', 'refs/tags/v1'), /runs on no branch/],
    ['an unknown default branch', job2('push', 'refs/heads/main', {}), /history\.track can name it/],
  ])('is drawn against, but not kept: %s', async (_, make, why) => {
    await sqliteStore(file).add(record());
    expect(await keep(make())).toMatch(why);
    expect(await sqliteStore(file).records()).toEqual([record()]);
    expect(readFileSync(join(folder, 'history.html'), 'utf8')).toContain(record().commit);
  });

  it('nor is an experiment that did not complete', async () => {
    expect(await keep(job('push', 'refs/heads/main'), { ended: true })).toMatch(/did not complete/);
    expect(existsSync(file)).toBe(false);
  });
});

it('shows no other repository of the same runner', async () => {
  await sqliteStore(file).add(
    record({ id: uuid(9), repository: 'https://github.com/octo/secret', experiment: 'secret-plan' }),
  );
  await keep(job('push', 'refs/heads/main'));
  for (const name of ['history.html', 'history.csv']) {
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain('secret');
  }
});

it('never fails the job: it says what is wrong', async () => {
  writeFileSync(file, 'no database\n'.repeat(100));
  expect(await keep(job('push', 'refs/heads/main'))).toMatch(
    /^::warning::The history: .* is not a SQLite database\.%0AName another file/,
  );
  const setting = { file: null, branch: 'main', track: null };
  expect(await keep(job('push', 'refs/heads/main'), { setting })).toMatch(/^::warning::.*is the one that is measured/);
});

it('pushes a branch with the token of the job, and without rights says which are missing', async () => {
  const token = 'ghs_of-a-job';
  const basic = `basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  const remote = join(folder, 'octo', 'demo.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  execFileSync('git', ['config', 'http.receivepack', 'true'], { cwd: remote });
  const server = await startGitServer(folder, basic);
  const api = await startCommentsServer();
  try {
    const setting = { file: null, branch: 'joulediff-history', track: null };
    const env = { ...job('push', 'refs/heads/main'), GITHUB_SERVER_URL: server.url, GITHUB_API_URL: api.url };
    expect(await keep(env, { setting, token })).toBe('The experiment is kept in the branch joulediff-history.');
    const names = execFileSync('git', ['ls-tree', '-r', '--name-only', 'joulediff-history'], {
      cwd: remote,
      encoding: 'utf8',
    });
    expect(names).toContain(`${findings.experiment.id}.json`);
    const reported = await keep(env, { setting, token: 'ghs_wrong' });
    expect(reported).toMatch(/^::warning::The history: git ls-remote failed: /);
    expect(reported).not.toContain('ghs_');
  } finally {
    await server.close();
    await api.close();
  }
});

describe('alert: issue', () => {
  const alert = 'issue';
  /** Experiments before this one: 20 that needed less, and then three like it. */
  async function fill() {
    const now = extractRecord(findings, { ...NOWHERE, repository: 'https://github.com/octo/demo', branch: 'main' });
    for (const [i, { variants }] of line({ count: 23 }).entries()) {
      const noise = variants[0]!.energy_j / 250;
      await sqliteStore(file).add({
        ...now,
        id: uuid(i),
        commit: i.toString(16).padStart(40, 'c'),
        started_at: new Date(Date.parse(now.started_at) - (23 - i) * 3_600_000).toISOString(),
        variants: now.variants.map((one) => ({ ...one, energy_j: one.energy_j * noise * (i < 20 ? 0.7 : 1) })),
        comparisons: [],
      });
    }
  }

  it('opens an issue with the token of the job for a step that the experiment shows', async () => {
    const server = await startIssuesServer();
    try {
      await fill();
      const env = { ...job('push', 'refs/heads/main'), GITHUB_API_URL: server.url };
      const reported = await keep(env, { setting: { ...inFile(), alert }, token: 'ghs_job' });
      expect(reported).toMatch(/The issue #1 was opened: .* at c{8} \(/);
      expect(server.issues[0]!.body).toContain(`REASON' --file ${file}`);
      expect(server.seen.map(({ authorization }) => authorization)).toContain('token ghs_job');
    } finally {
      await server.close();
    }
  });

  it('opens it too where one benchmark of the suite failed', async () => {
    const server = await startIssuesServer();
    try {
      await fill();
      const suite = { variants: ['base'], benchmarks: [{ name: 'broken', state: 'failed' as const }], means: [] };
      const excluded = [{ run: 9, status: 'failed' as const, reason: null }];
      const broken = { ...findings.variants[0]!, name: 'broken/base', excluded };
      const partly = {
        ...findings,
        suite: { ...suite, false_discovery_rate: 0.05 },
        variants: [...findings.variants, broken],
      };
      const env = { ...job('push', 'refs/heads/main'), GITHUB_API_URL: server.url };
      const reported = await keep(env, { setting: { ...inFile(), alert }, findings: partly, token: 'ghs_job' });
      expect(reported).toMatch(/The issue #1 was opened: /);
    } finally {
      await server.close();
    }
  });

  it.each([
    ['a pull request of a fork', job2('pull_request', 'refs/pull/5/merge', pullOf('eve/demo'))],
    [
      'a pull request with the rights of its target',
      job2('pull_request_target', 'refs/heads/main', pullOf('eve/demo')),
    ],
    ['another branch', job2('push', 'refs/heads/topic')],
  ])('tells nobody anything in %s', async (_, make) => {
    const server = await startIssuesServer();
    try {
      await fill();
      for (const each of ['issue' as const, { webhook: 'ALERT_URL' }]) {
        const env = { ...make(), GITHUB_API_URL: server.url, ALERT_URL: `${server.url}/hook` };
        await keep(env, { setting: { ...inFile(), alert: each }, token: 'ghs_job' });
      }
      expect(server.seen).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe('a commit whose pull request was accepted', () => {
  const [MERGE, HEAD] = ['a'.repeat(40), 'b'.repeat(40)];
  const ACCEPTED = `<!-- joulediff key=a/b/ run=1 attempt=1 sha=${HEAD} -->\n${formatAcceptance({ by: 'mona', reason: 'a cache, <b>', marks: ['joulediff: Energy'] })}text`;
  const NOTE = 'accepted by mona in #5: a cache, <b>';
  const merged = { number: 5, merged_at: '2026-11-28T08:00:00Z', merge_commit_sha: MERGE, head: { sha: HEAD } };

  interface Case {
    readonly path?: string;
    readonly answer?: unknown;
    readonly status?: number;
    readonly by?: User;
    readonly gitea?: boolean;
  }

  /** Keeps an experiment of the commit; the server knows what merged it. */
  async function keepMerged({ path = 'pulls', answer = [merged], status = 200, by = BOT, gitea = false }: Case = {}) {
    const server = await startCommentsServer({
      mode: gitea ? 'gitea' : 'github',
      more: ({ url }) =>
        url.pathname.endsWith(`/repos/octo/demo/commits/${MERGE}/${path}`) ? { status, json: answer } : null,
    });
    try {
      server.add(ACCEPTED, by);
      const env = {
        ...job('push', 'refs/heads/main'),
        GITHUB_API_URL: server.url,
        ...(gitea && { GITEA_ACTIONS: 'true' }),
      };
      return await keep(env, { token: 'ghs_job' });
    } finally {
      await server.close();
    }
  }

  it.each<[string, Case]>([
    ['', {}],
    [' on Gitea, which tells one pull request', { path: 'pull', answer: merged, gitea: true }],
    [' where the server names no merge', { answer: [{ ...merged, merge_commit_sha: undefined }] }],
  ])('has who and why as its note%s', async (_, given) => {
    expect(await keepMerged(given)).toContain(`The note beside this commit: ${NOTE}.`);
    expect((await sqliteStore(file).read()).notes).toEqual(new Map([[MERGE, NOTE]]));
    expect(readFileSync(join(folder, 'history.csv'), 'utf8')).toContain(NOTE);
  });

  it('keeps the note that somebody wrote', async () => {
    await keepMerged();
    await sqliteStore(file).annotate(MERGE, 'mine');
    await keepMerged();
    expect((await sqliteStore(file).read()).notes).toEqual(new Map([[MERGE, 'mine']]));
  });

  it.each<[string, Case, RegExp]>([
    ['a comment of somebody else', { by: PERSON }, /is kept in \S+\.$/],
    ['a pull request that is not merged', { answer: [{ ...merged, merged_at: null }] }, /is kept in \S+\.$/],
    ['one of another commit', { answer: [{ ...merged, merge_commit_sha: 'f'.repeat(40) }] }, /is kept in \S+\.$/],
    ['something else', { answer: { number: 'x', head: 3 } }, /is kept in \S+\.$/],
    ['a token without the right', { status: 403 }, /Whether the pull request of this commit was accepted is not known/],
  ])('gets no note by %s', async (_, given, reported) => {
    expect(await keepMerged(given)).toMatch(reported);
    expect((await sqliteStore(file).read()).notes).toEqual(new Map());
  });
});

function pullOf(repository: string) {
  return {
    pull_request: { number: 5, head: { sha: 'b'.repeat(40), repo: { full_name: repository } } },
    repository: { default_branch: 'main' },
  };
}

/** The folder is only there once the test runs. */
function job2(...words: Parameters<typeof job>) {
  return () => job(...words);
}
