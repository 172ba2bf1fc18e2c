// Class: world, long.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type ArtifactServer, startArtifactServer } from '../servers/artifact-server.ts';
import { type ForgeServer, startForgeServer } from '../servers/forge-server.ts';
import { unzip } from '../servers/unzip.ts';
import { zip } from '../servers/zip.ts';
import { type ActResult, commitAll, copyAction, type Job, runAct } from './act.ts';
import { busyboxContext, temporaryFolder } from './program.ts';

// The examples for split rights and for a matrix, in a real workflow runner; only what is measured is made short.

const SHA = 'e'.repeat(40);
const folder = temporaryFolder();
let forge: ForgeServer;
let artifacts: ArtifactServer;
let job: Job;
let runId = 0;

beforeAll(async () => {
  artifacts = await startArtifactServer();
  const uploaded = () => [...artifacts.artifacts].map(([name, archive], i) => ({ id: 500 + i, runId, name, archive }));
  forge = await startForgeServer({ uploaded });
  forge.pull(5, { sha: SHA });
  job = { folder: folder.path, apiUrl: forge.url, artifactEnv: artifacts.env, token: 'ghs_token-of-the-job' };
  const repository = join(folder.path, 'repository');
  busyboxContext(join(repository, 'image'));
  mkdirSync(join(repository, 'bench'));
  for (const [name, loops] of [
    ['sort', 100],
    ['zip', 20_000],
  ] as const) {
    writeFileSync(join(repository, 'bench', `${name}.yml`), JSON.stringify(experiment(name, loops)));
  }
  mkdirSync(join(repository, '.github', 'workflows'), { recursive: true });
  for (const name of ['fork-measure', 'fork-publish', 'matrix']) {
    const file = `examples/workflows/${name}.yml`;
    writeFileSync(join(repository, '.github', 'workflows', `${name}.yml`), made(readFileSync(file, 'utf8')));
  }
  commitAll(repository);
  copyAction(join(folder.path, 'action'));
});

afterAll(async () => {
  await forge.close();
  await artifacts.close();
  folder.remove();
});

const experiment = (name: string, loops: number) => ({
  name,
  workload: { run: `i=0; while [ $i -lt ${loops} ]; do i=$((i+1)); done` },
  variants: { native: {}, container: { build: { context: '../image' } } },
  meter: 'estimate',
  repetitions: 2,
  warmup: { runs: 0 },
  rest: '300ms',
  guard: '100ms',
});

/** The example with a workload that is there, and a meter that every machine has. */
function made(text: string): string {
  const workflow = parse(text);
  for (const { steps } of Object.values<{ steps: { uses?: string; with?: Record<string, unknown> }[] }>(
    workflow.jobs,
  )) {
    for (const step of steps.filter(({ uses }) => uses?.includes('/joulediff@'))) {
      if (step.with?.run === undefined) continue;
      const short = { context: 'image', dockerfile: 'image/Dockerfile', meter: 'estimate', repetitions: 2, warmup: 0 };
      // The commits of these events are in no repository, so there is no base to compare with.
      step.with = { ...step.with, base: undefined, run: 'true', ...short, rest: '300ms', guard: '100ms' };
    }
  }
  return JSON.stringify(workflow);
}

function run(id: number, eventName: string, event: object, workflow: string): Promise<ActResult> {
  const local = ['--local-repository', `OWNER/joulediff@v1=${join(folder.path, 'action')}`];
  const words = [...local, '-W', join('.github', 'workflows', `${workflow}.yml`)];
  return runAct(job, { id, eventName, event, words });
}

const pull = (repository: string) => ({
  pull_request: {
    number: 5,
    head: { sha: SHA, ref: 'feature', repo: { full_name: repository } },
    base: { ref: 'main' },
  },
});
const finished = (id: number, more: object = {}) => ({
  action: 'completed',
  workflow_run: {
    id,
    run_attempt: 1,
    name: 'Energy',
    event: 'pull_request',
    conclusion: 'success',
    head_sha: SHA,
    head_branch: 'feature',
    head_repository: { full_name: 'eve/demo' },
    pull_requests: [],
    ...more,
  },
});

describe('a fork’s pull request', () => {
  it('is measured in a job that writes nothing, and leaves its result as an artifact', async () => {
    const measured = await run(71, 'pull_request', pull('eve/demo'), 'fork-measure');
    expect(measured.trouble).toBe('');
    expect(forge.seen).toEqual([]);
    expect([...artifacts.artifacts.keys()].sort()).toEqual(['joulediff', 'joulediff.html']);
    expect(measured.summaries.join('')).toContain('native');
  });

  it('is commented on by a job with rights, from the findings of that artifact', async () => {
    runId = 71;
    const published = await run(72, 'workflow_run', finished(71), 'fork-publish');
    expect(published.trouble).toBe('');
    expect(forge.comments).toHaveLength(1);
    const body = forge.comments[0]?.body ?? '';
    expect(body).toMatch(/^<!-- joulediff key=Publish%20energy\/publish\/Energy run=71 attempt=1 sha=e{40} -->\n/);
    expect(body).toContain('from the fork `eve/demo`');
    const files = unzip(artifacts.artifacts.get('joulediff') ?? Buffer.alloc(22));
    expect(body).toContain(files.get('comment.md')?.toString().trim());
    expect(published.summaries.join('')).toContain('can’t be verified');
    expect(published.annotations.join('\n')).toMatch(/^notice: .*estimated, not measured/m);
    expect(forge.storageSaw).toEqual([undefined]);
  });

  it('gets no comment when it has moved on, and the job succeeds', async () => {
    const before = forge.comments[0]?.body;
    const late = await run(73, 'workflow_run', finished(71, { head_sha: 'f'.repeat(40) }), 'fork-publish');
    expect(late.trouble).toBe('');
    expect(late.annotations.join('\n')).toMatch(/^notice: There is no comment: pull request #5 has moved on/m);
    expect(forge.comments.map(({ body }) => body)).toEqual([before]);
  });

  it('gets no comment from an artifact that was made up, and the job fails with the reason', async () => {
    const before = forge.comments[0]?.body;
    const findings = '{"schema":"joulediff/findings/1","comment":"# Approved"}';
    const archive = zip([{ name: 'findings.json', content: findings }]);
    forge.artifacts.push({ id: 9, runId: 74, name: 'joulediff', archive });
    const refused = await run(75, 'workflow_run', finished(74), 'fork-publish');
    expect(refused.code).not.toBe(0);
    expect(refused.annotations.join('\n')).toMatch(
      /^error: The result joulediff was rejected: This findings\.json is refused/m,
    );
    expect(forge.comments.map(({ body }) => body)).toEqual([before]);
  });
});

describe('a matrix', () => {
  it('is measured one job after the other, and commented on once by the last', async () => {
    forge.comments.length = 0;
    artifacts.artifacts.clear();
    runId = 81;
    const gathered = await run(81, 'pull_request', pull('octo/demo'), 'matrix');
    expect(gathered.trouble).toBe('');
    expect([...artifacts.artifacts.keys()].filter((name) => !name.endsWith('.html')).sort()).toEqual([
      'joulediff-sort',
      'joulediff-zip',
    ]);
    expect(forge.comments).toHaveLength(1);
    const [marker, title] = (forge.comments[0]?.body ?? '').split('\n');
    expect(marker).toMatch(/^<!-- joulediff key=Energy%20of%20all\/gather\/ run=81 attempt=1 sha=e{40} -->$/);
    expect(title).toContain('2 experiments: ');
    expect(title).toContain('estimated, not measured');
    for (const name of ['sort', 'zip']) expect(forge.comments[0]?.body).toContain(`\`${name} (joulediff-${name})\``);
    expect(gathered.summaries.filter((summary) => summary.includes('2 experiments: '))).toHaveLength(1);
  }, 240_000);
});
