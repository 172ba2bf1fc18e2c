// Class: world, long.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type ArtifactServer, startArtifactServer } from '../servers/artifact-server.ts';
import { PERSON } from '../servers/comments-server.ts';
import { type MarksServer, startMarksServer } from '../servers/marks-server.ts';
import { unzip } from '../servers/unzip.ts';
import { type ActResult, commitAll, copyAction, type Job, runAct } from './act.ts';
import { temporaryFolder } from './program.ts';

// The example for requests, in a real workflow runner; only what is measured is made short.

const OCTO = { id: 1, login: 'octo', type: 'User' };
const folder = temporaryFolder();
const repository = join(folder.path, 'repository');
let forge: MarksServer;
let artifacts: ArtifactServer;
let job: Job;
let head = '';
let runId = 900;

beforeAll(async () => {
  artifacts = await startArtifactServer();
  const uploaded = () => [...artifacts.artifacts].map(([name, archive], i) => ({ id: 500 + i, runId, name, archive }));
  forge = await startMarksServer({ uploaded });
  job = { folder: folder.path, apiUrl: forge.url, artifactEnv: artifacts.env, token: 'ghs_token-of-the-job' };
  mkdirSync(join(repository, '.github', 'workflows'), { recursive: true });
  writeFileSync(join(repository, 'bench.sh'), '#!/bin/sh\ntrue\n', { mode: 0o755 });
  const workflow = parse(readFileSync('examples/workflows/on-demand.yml', 'utf8'));
  const [checkout, step] = workflow.jobs.measure.steps;
  // The runner lays the repository down itself, and knows the commits of no others.
  delete checkout.with.ref;
  step.with = { ...step.with, meter: 'estimate', warmup: 0, rest: '300ms', guard: '100ms' };
  writeFileSync(join(repository, '.github', 'workflows', 'on-demand.yml'), JSON.stringify(workflow));
  commitAll(repository);
  const git = (...words: string[]) => execFileSync('git', words, { cwd: repository, encoding: 'utf8' }).trim();
  const base = git('rev-parse', 'HEAD');
  writeFileSync(join(repository, 'bench.sh'), '#!/bin/sh\nsleep 0.1\n', { mode: 0o755 });
  git('-c', 'user.name=test', '-c', 'user.email=test@example.test', 'commit', '-q', '-a', '-m', 'Sleep');
  head = git('rev-parse', 'HEAD');
  forge.pull(5, { sha: head });
  Object.assign((forge.pulls[0] as { base: object }).base, { sha: base });
  copyAction(join(folder.path, 'action'));
});

afterAll(async () => {
  await forge.close();
  await artifacts.close();
  folder.remove();
});

beforeEach(() => {
  for (const list of [forge.comments, forge.reactions, forge.checks, forge.seen] as unknown[][]) list.length = 0;
  artifacts.artifacts.clear();
});

function comment(body: string, user: object = OCTO): Promise<ActResult> {
  runId += 1;
  const event = {
    action: 'created',
    issue: { number: 5, pull_request: { url: 'x' } },
    comment: { id: 300, body, user, created_at: '2026-11-28T08:10:00Z' },
  };
  const local = ['--local-repository', `OWNER/joulediff@v1=${join(folder.path, 'action')}`];
  const words = [...local, '-W', join('.github', 'workflows', 'on-demand.yml')];
  return runAct(job, { id: runId, eventName: 'issue_comment', event, words });
}

const contents = () => forge.reactions.map(({ content }) => content);

describe('a request in a comment', () => {
  it('is read, measured with its options, and published, each by its own job', async () => {
    const result = await comment('/joulediff repetitions=2\nwith `$(touch /tmp/x)`');
    expect(result.trouble).toBe('');
    expect(contents()).toEqual(['eyes', 'rocket']);
    expect(forge.checks).toEqual([
      expect.objectContaining({ name: 'joulediff: Energy on demand', head_sha: head, status: 'completed' }),
    ]);
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.body).toContain(`for commit ${head}.`);
    expect(forge.checks[0]?.output.summary).toContain('`base`');
    const files = unzip(artifacts.artifacts.get('joulediff') ?? Buffer.alloc(22));
    const { experiment, variants } = JSON.parse(files.get('findings.json')?.toString() ?? '{}');
    expect(experiment.repetitions_planned).toBe(2);
    expect(variants.map(({ name }: { name: string }) => name)).toEqual(['base', 'head']);
  }, 240_000);

  it.each<[string, string, object, readonly string[]]>([
    ['of a stranger', '/joulediff', PERSON, ['confused']],
    ['with a mistake', '/joulediff base=$(id)', OCTO, ['confused']],
    ['that is none', 'LGTM', OCTO, []],
  ])(
    '%s measures nothing',
    async (_, body, user, reactions) => {
      const result = await comment(body, user);
      expect(result.trouble).toBe('');
      expect(contents()).toEqual(reactions);
      expect([...artifacts.artifacts.keys()]).toEqual([]);
      expect(forge.checks).toEqual([]);
    },
    120_000,
  );
});

/** Runs one job that gives the action these inputs. */
async function runAction(
  eventName: string,
  event: object,
  given: Readonly<Record<string, string>>,
): Promise<ActResult> {
  runId += 1;
  const name = join('.github', 'workflows', 'one.yml');
  const steps = [{ uses: 'actions/checkout@v7' }, { uses: 'OWNER/joulediff@v1', with: given }];
  const workflow = { name: 'One', on: [eventName], jobs: { one: { 'runs-on': 'ubuntu-latest', steps } } };
  writeFileSync(join(repository, name), JSON.stringify(workflow));
  const local = ['--local-repository', `OWNER/joulediff@v1=${join(folder.path, 'action')}`];
  return runAct(job, { id: runId, eventName, event, words: [...local, '-W', name] });
}

describe('a check of the job that measures', () => {
  it('says that it measures, and then the result', async () => {
    forge.titles.length = 0;
    const pull = { number: 5, head: { sha: head, repo: { full_name: 'octo/demo' } } };
    const pauses = { rest: '300ms', guard: '100ms', warmup: '0', repetitions: '2' };
    const given = { run: './bench.sh', base: 'HEAD~1', meter: 'estimate', check: 'true', ...pauses };
    const result = await runAction('pull_request', { action: 'opened', pull_request: pull }, given);
    expect(result.trouble).toBe('');
    expect(forge.titles).toEqual(['Measuring', expect.stringMatching(/J|energy/)]);
    expect(forge.checks).toEqual([
      expect.objectContaining({ name: 'joulediff: One / one', head_sha: head, status: 'completed' }),
    ]);
  }, 120_000);
});

describe('the event check_run', () => {
  // As the forge sends it when somebody else's check has ended; those of its own workflows start none.
  const event = {
    action: 'completed',
    check_run: {
      id: 4,
      name: 'joulediff: Energy on demand',
      head_sha: 'd'.repeat(40),
      external_id: 'joulediff 900',
      status: 'completed',
      conclusion: 'failure',
      details_url: 'https://example.test/1',
      pull_requests: [],
      output: { title: 'sort: head used more energy', summary: '/joulediff accept $(id)' },
    },
    sender: OCTO,
  };

  it.each([
    ['is no request', { mode: 'request' }, 'mode: request was given in a job for the event check_run'],
    [
      'has nothing to compare',
      { run: './bench.sh', base: 'true', meter: 'estimate' },
      'the event check_run has no commit to compare with',
    ],
  ])(
    '%s, whatever the check says',
    async (_, given, reported) => {
      const { printed, annotations } = await runAction('check_run', event, given);
      expect(printed + annotations.join()).toContain(reported);
      expect(forge.checks).toEqual([]);
      expect(forge.comments).toEqual([]);
    },
    120_000,
  );
});
