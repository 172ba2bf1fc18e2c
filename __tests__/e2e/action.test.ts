// Class: world, long.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ArtifactServer, startArtifactServer } from '../servers/artifact-server.ts';
import { type CommentsServer, startCommentsServer } from '../servers/comments-server.ts';
import { unzip } from '../servers/unzip.ts';
import { type Job, type JobResult, makeRepository, runJob } from './act.ts';
import { containersOf, temporaryFolder } from './program.ts';

// The action as it is shipped, in a real workflow runner, with real processes and real containers.

const TOKEN = 'ghs_token-that-no-workload-may-see';
const SPIN = 'i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done; env';

const FULL = { WORKLOAD: SPIN, REPETITIONS: '6' };
/** For runs whose numbers nobody looks at. */
const SHORT = { WORKLOAD: SPIN, REPETITIONS: '2' };

const folder = temporaryFolder();
let comments: CommentsServer;
let artifacts: ArtifactServer;
let job: Job;

beforeAll(async () => {
  comments = await startCommentsServer();
  artifacts = await startArtifactServer();
  job = { folder: folder.path, apiUrl: comments.url, artifactEnv: artifacts.env, token: TOKEN };
  makeRepository(job, {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow
    run: '${{ env.WORKLOAD }}',
    dockerfile: 'image/Dockerfile',
    context: 'image',
    meter: 'estimate',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow
    repetitions: '${{ env.REPETITIONS }}',
    warmup: '1',
    rest: '300ms',
    guard: '100ms',
    seed: '7',
  });
});

afterAll(async () => {
  await comments.close();
  await artifacts.close();
  folder.remove();
});

const text = (files: ReadonlyMap<string, Buffer>, name: string) => files.get(name)?.toString() ?? '';

describe('the action under act', () => {
  let first: JobResult;
  let files: Map<string, Buffer>;

  beforeAll(async () => {
    first = await runJob(job, { id: 41, env: FULL });
    files = unzip(artifacts.artifacts.get('joulediff') ?? Buffer.alloc(22));
  });

  it('runs on Node 24, and succeeds', () => {
    expect(first.nodeVersion).toMatch(/^v24\./);
    expect(first.trouble).toBe('');
    expect(first.annotations.filter((line) => !line.startsWith('warning: '))).toEqual([]);
  });

  it('creates the comment with its marker, the verdict and a link to the artifact', () => {
    expect(comments.comments).toHaveLength(1);
    const body = comments.comments[0]?.body ?? '';
    expect(body).toMatch(/^<!-- joulediff key=Energy\/measure\/:[0-9a-f]{8} run=41 attempt=1 sha=e{40} -->\n/);
    expect(body).toContain(text(files, 'comment.md').trim());
    expect(body).toContain('[Interactive report](https://github.com/octo/demo/actions/runs/41/artifacts/2)');
    expect(body).toContain('[Raw data](https://github.com/octo/demo/actions/runs/41/artifacts/1)');
    expect(artifacts.artifacts.get('joulediff.html')?.toString()).toBe(text(files, 'report.html'));
    expect(comments.seen.every((request) => request.authorization === `token ${TOKEN}`)).toBe(true);
  });

  it('uploads the whole result', () => {
    for (const name of [
      'experiment.db',
      'findings.json',
      'comment.md',
      'summary.md',
      'report.html',
      'runs.csv',
      'samples.csv',
    ]) {
      expect(text(files, name)).not.toBe('');
    }
    expect([...files.keys()].some((name) => /^charts\/.+\.png$/.test(name))).toBe(true);
    expect(text(files, 'runs.csv').trim().split('\n')).toHaveLength(1 + 2 + 12);
  });

  it('writes the job summary', () => {
    expect(first.summaries.map((summary) => summary.trim())).toEqual([text(files, 'summary.md').trim()]);
  });

  it('sets the outputs to what the findings say', () => {
    const { comparisons } = JSON.parse(text(files, 'findings.json'));
    const [{ verdict, percent, joules, tests, effect }] = comparisons;
    expect(first.outputs).toMatchObject({
      verdict,
      'delta-percent': String(percent.estimate),
      'delta-joules': String(joules.estimate),
      'ci-low': String(percent.ci95[0]),
      'ci-high': String(percent.ci95[1]),
      'p-value': String(tests.wilcoxon_signed_rank.p),
      'cliffs-delta': String(effect.cliffs_delta.value),
      'hedges-g': String(effect.hedges_g.value),
      'report-path': expect.stringMatching(/\/joulediff-out\/report\.html$/),
      'database-path': expect.stringMatching(/\/joulediff-out\/experiment\.db$/),
      'comment-url': expect.stringMatching(/#issuecomment-101$/),
      'artifact-url': 'https://github.com/octo/demo/actions/runs/41/artifacts/1',
      'report-url': 'https://github.com/octo/demo/actions/runs/41/artifacts/2',
    });
  });

  it('lets no workload see a token, the action’s inputs or the runner’s files, and none gets into the result', () => {
    const logs = [...files].filter(([name]) => name.startsWith('logs/')).map(([, content]) => content.toString());
    expect(logs.filter((log) => log.includes('JOULEDIFF_RUN='))).toHaveLength(14);
    const secrets = [TOKEN, job.artifactEnv.ACTIONS_RUNTIME_TOKEN ?? '-'];
    for (const [name, content] of files) {
      expect([name, ...secrets.filter((secret) => content.includes(secret))]).toEqual([name]);
    }
    expect(logs.join('\n')).not.toMatch(/^(INPUT_|ACTIONS_|GITHUB_(TOKEN|ENV|OUTPUT|PATH|STEP_SUMMARY)=)/m);
    // The runner would show a secret as asterisks.
    expect(first.printed).not.toContain('***');
    expect(first.printed).toContain('The comment was created.');
  });

  it('leaves no container behind', () => {
    const { experiment } = JSON.parse(text(files, 'findings.json'));
    expect(containersOf(experiment.id)).toEqual([]);
  });

  it('updates the same comment on the next run, and not on an older one', async () => {
    const second = await runJob(job, { id: 42, env: SHORT });
    expect(second.trouble).toBe('');
    expect(second.outputs['comment-url']).toBe(first.outputs['comment-url']);
    expect(comments.comments).toHaveLength(1);
    expect(comments.comments[0]?.body).toMatch(/^<!-- joulediff \S+ run=42 /);
    expect(second.outputs['artifact-url']).toMatch(/runs\/42\/artifacts\/3$/);

    const older = await runJob(job, { id: 40, env: SHORT });
    expect(older.trouble).toBe('');
    expect(comments.comments).toHaveLength(1);
    expect(comments.comments[0]?.body).toMatch(/^<!-- joulediff \S+ run=42 /);
  }, 240_000);

  it('succeeds for a fork, says where the result is, and leaves the comment alone', async () => {
    const before = comments.seen.length;
    const fork = await runJob(job, { id: 43, fork: true, env: SHORT });
    expect(fork.trouble).toBe('');
    expect(comments.seen).toHaveLength(before);
    expect(fork.outputs).toMatchObject({ 'comment-url': '', 'artifact-url': expect.stringContaining('/runs/43/') });
    expect(fork.annotations.join('\n')).toMatch(/^notice: .*comes from a fork.*The result is in/m);
  });

  it('fails for a workload that fails, after saying so everywhere', async () => {
    // It got hold of the job's token, as from the configuration of a checkout.
    const parts = `'%s%s' ${TOKEN.slice(0, 9)} ${TOKEN.slice(9)}`;
    const printsToken = `printf ${parts}; echo; printf x-access-token:${parts} | base64`.replace(
      "x-access-token:'",
      "'x-access-token:",
    );
    artifacts.artifacts.clear();
    const failed = await runJob(job, {
      id: 44,
      env: { WORKLOAD: `${printsToken}; echo broken-by-design >&2; exit 7`, REPETITIONS: '2' },
    });
    const uploaded = [...artifacts.artifacts].find(([name]) => !name.endsWith('.html'));
    const kept = unzip(uploaded?.[1] ?? Buffer.alloc(22));
    const logs = [...kept].filter(([name]) => name.startsWith('logs/')).map(([, content]) => content.toString());
    expect(logs.filter((log) => /^\*{20,}\n/m.test(log))).not.toEqual([]);
    const secrets = [TOKEN, Buffer.from(`x-access-token:${TOKEN}`).toString('base64').replace(/=+$/, '')];
    for (const [name, content] of kept) {
      expect([name, ...secrets.filter((secret) => content.includes(secret))]).toEqual([name]);
    }
    expect(failed.code).not.toBe(0);
    expect(failed.annotations.join('\n')).toMatch(/^error: .*failed twice in variant/m);
    expect(failed.annotations.join('\n')).toMatch(/^warning: .*exit code 7\.\n(?: +\S+\n)* *broken-by-design/m);
    expect(failed.summaries.join('\n')).toContain('failed twice in variant');
    expect(comments.comments).toHaveLength(1);
    expect(comments.comments[0]?.body).toMatch(/^<!-- joulediff \S+ run=44 /);
    expect(comments.comments[0]?.body).toContain('failed twice in variant');
    expect(failed.outputs).toMatchObject({
      verdict: 'failed',
      'delta-percent': '',
      'comment-url': expect.stringContaining('#issuecomment-101'),
      'artifact-url': expect.stringContaining('/runs/44/'),
    });
  });
});
