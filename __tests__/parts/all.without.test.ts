// Class: world, alone.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CommentsServer, startCommentsServer } from '../servers/comments-server.ts';

// The core is built without any part, and does what joulediff is for.

const run = promisify(execFile);
const SHORT = ['--runs', '2', '--warmup', '1', '--set', 'rest=0.2s', '--set', 'guard=0.1s', '--set', 'batch=1'];

let folder: string;
let dist: string;
let comments: CommentsServer;
const env = () => ({ PATH: process.env.PATH, HOME: folder, JOULEDIFF_LOCK: `joulediff.test.core.${process.pid}` });
const joulediff = (...words: string[]) =>
  spawnSync(process.execPath, [join(dist, 'cli.js'), ...words], { cwd: folder, env: env(), encoding: 'utf8' });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-core-'));
  dist = join(folder, 'dist');
  await run(process.execPath, [join(import.meta.dirname, '../../esbuild.config.mjs'), dist, '--core']);
  comments = await startCommentsServer();
});
afterAll(async () => {
  await comments.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('joulediff without its parts', () => {
  it('has none of their commands, modes and code', () => {
    const { stdout } = joulediff('--help');
    expect(stdout).toMatch(/^ +compare .*$/m);
    expect(stdout).not.toMatch(/^ +(?:history|merge|export|doctor|init|meter|explain)\b/m);
    for (const file of readdirSync(dist).filter((name) => name.endsWith('.js'))) {
      const code = readFileSync(join(dist, file), 'utf8');
      expect([file, /src\/parts\/(?:fleet|bench|explain)\//.test(code)]).toEqual([file, false]);
    }
    writeFileSync(join(folder, 'runs.csv'), 'variant,energy_j\na,1\nb,2\n');
    expect(joulediff('analyze', 'runs.csv')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("This build of joulediff can't read a CSV of runs"),
    });
  });

  it('reports that extra runs are asked for which it can’t make', () => {
    const asked = ['--set', 'explain=always'];
    const { status, stderr } = joulediff('compare', 'true', 'sleep 0.1', '--meter', 'estimate', ...SHORT, ...asked);
    expect([status, stderr]).toEqual([0, expect.stringContaining('no part that makes them')]);
  });

  it('measures and reports in a terminal', () => {
    const measured = joulediff('compare', 'sleep 0.1', 'sleep 0.15', '--meter', 'estimate', ...SHORT);
    expect(measured).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Energy +/m) });
    const { status, stdout } = joulediff('analyze', 'joulediff-out', '--json');
    expect([status, JSON.parse(stdout).comparisons.length]).toEqual([0, 1]);
    expect(joulediff('report', 'joulediff-out', '--out', 'again').status).toBe(0);
    expect(existsSync(join(folder, 'again', 'report.html'))).toBe(true);
  });

  it('measures in a job and comments', async () => {
    writeFileSync(
      join(folder, 'experiment.yml'),
      'variants:\n  a: { run: sleep 0.1 }\n  b: { run: sleep 0.15 }\nbaseline: a\nmeter: estimate\nrepetitions: 2\nwarmup: { runs: 1 }\nrest: 200ms\nguard: 100ms\n',
    );
    writeFileSync(join(folder, 'event.json'), JSON.stringify(EVENT));
    for (const name of ['state', 'output', 'summary']) writeFileSync(join(folder, name), '');
    const { stdout } = await run(process.execPath, [join(dist, 'main.js')], {
      cwd: folder,
      env: {
        ...env(),
        GITHUB_ACTIONS: 'true',
        GITHUB_STATE: join(folder, 'state'),
        GITHUB_OUTPUT: join(folder, 'output'),
        GITHUB_STEP_SUMMARY: join(folder, 'summary'),
        GITHUB_EVENT_PATH: join(folder, 'event.json'),
        GITHUB_EVENT_NAME: 'pull_request',
        GITHUB_REPOSITORY: 'octo/demo',
        GITHUB_RUN_ID: '41',
        GITHUB_API_URL: comments.url,
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_WORKSPACE: folder,
        INPUT_CONFIG: 'experiment.yml',
        'INPUT_GITHUB-TOKEN': 'a-token',
        INPUT_ARTIFACT: 'false',
        INPUT_OUT: 'in-job',
      },
    });
    expect(stdout).not.toContain('::error');
    expect(comments.comments.map(({ body }) => body)).toEqual([expect.stringContaining('| Energy |')]);
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toContain('| Energy |');
  });
});

const EVENT = {
  pull_request: { number: 5, head: { sha: 'c'.repeat(40), repo: { full_name: 'octo/demo' } } },
  repository: { full_name: 'octo/demo' },
};
