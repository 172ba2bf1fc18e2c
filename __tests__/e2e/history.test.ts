// Class: world, long.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { startGitServer } from '../parts/fleet/history/stores/git-server.ts';
import { type ActResult, commitAll, copyAction, type Job, runAct } from './act.ts';
import { busyboxContext, temporaryFolder } from './program.ts';

// The example of a history in a real workflow runner, with a forge of git alone; only what is measured is made short.

const TOKEN = 'ghs_token-of-the-job';
const folder = temporaryFolder();
const remote = join(folder.path, 'forge', 'octo', 'demo.git');
let server: Awaited<ReturnType<typeof startGitServer>>;
let job: Job;

beforeAll(async () => {
  mkdirSync(remote, { recursive: true });
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  execFileSync('git', ['config', 'http.receivepack', 'true'], { cwd: remote });
  const basic = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
  server = await startGitServer(join(folder.path, 'forge'), `basic ${basic}`);
  job = { folder: folder.path, apiUrl: server.url, artifactEnv: {}, token: TOKEN };
  const repository = join(folder.path, 'repository');
  busyboxContext(join(repository, 'image'));
  mkdirSync(join(repository, '.github', 'workflows'), { recursive: true });
  const workflow = parse(readFileSync('examples/workflows/history.yml', 'utf8'));
  workflow.on.pull_request = {};
  // act does not know it yet.
  delete workflow.concurrency.queue;
  const step = workflow.jobs.energy.steps.at(-1);
  const short = { context: 'image', dockerfile: 'image/Dockerfile', meter: 'estimate', repetitions: 2, warmup: 0 };
  step.with = {
    ...step.with,
    run: 'env',
    ...short,
    rest: '300ms',
    guard: '100ms',
    artifact: 'false',
    out: join(folder.path, 'out'),
  };
  writeFileSync(join(repository, '.github', 'workflows', 'history.yml'), JSON.stringify(workflow));
  commitAll(repository);
  copyAction(join(folder.path, 'action'));
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

function run(id: number, eventName: string, event: object): Promise<ActResult> {
  const words = ['--local-repository', `OWNER/joulediff@v1=${join(folder.path, 'action')}`];
  return runAct(job, { id, eventName, event, words, env: { GITHUB_SERVER_URL: server.url } });
}

const kept = (): string[] => {
  const words = ['ls-tree', '-r', '--name-only', 'joulediff-history'];
  return execFileSync('git', words, { cwd: remote, encoding: 'utf8' })
    .split('\n')
    .filter((name) => name.startsWith('records/'));
};
const page = (): string => readFileSync(join(folder.path, 'out', 'history.html'), 'utf8');

describe('the example of a history under act', () => {
  const push = {
    ref: 'refs/heads/main',
    repository: { default_branch: 'main', name: 'demo', owner: { login: 'octo' } },
  };

  it('keeps every push to the default branch on the branch of the history, and draws it', async () => {
    const first = await run(1, 'push', push);
    expect(first.trouble).toBe('');
    expect(first.printed).toContain('The experiment is kept in the branch joulediff-history.');
    const second = await run(2, 'push', push);
    expect(second.trouble).toBe('');
    expect(kept()).toHaveLength(2);
    const head = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: join(folder.path, 'repository'),
      encoding: 'utf8',
    }).trim();
    expect(page()).toContain(`${server.url}/octo/demo/commit/${head}`);
    expect(page()).toContain('2 experiments on one machine and meter');
    for (const { printed } of [first, second])
      expect(printed).not.toContain(Buffer.from(`x-access-token:${TOKEN}`).toString('base64'));
  });

  it('draws a pull request against it, and keeps nothing of it', async () => {
    const head = { sha: 'e'.repeat(40), ref: 'topic', repo: { full_name: 'octo/demo' } };
    const event = { ...push, pull_request: { number: 5, head, base: { ref: 'main' } } };
    const pull = await run(3, 'pull_request', event);
    expect(pull.trouble).toBe('');
    expect(pull.printed).toContain(
      'This experiment is not kept in the history: only commits of the default branch are',
    );
    expect(kept()).toHaveLength(2);
    expect(page()).toContain('2 experiments on one machine and meter');
  });
});
