// Class: world, long.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../src/findings/findings.ts';
import { REPOSITORY } from '../../src/version.ts';
import { type ArtifactServer, startArtifactServer } from '../servers/artifact-server.ts';
import { type CommentsServer, startCommentsServer } from '../servers/comments-server.ts';
import { unzip } from '../servers/unzip.ts';
import { type ActResult, commitAll, copyAction, runAct } from './act.ts';
import { busyboxContext, temporaryFolder } from './program.ts';

// The README's workflow, as it stands there, in a real workflow runner: a pull request whose Dockerfile makes the workload longer.

const folder = temporaryFolder();
const repository = join(folder.path, 'repository');
let comments: CommentsServer;
let artifacts: ArtifactServer;

beforeAll(async () => {
  comments = await startCommentsServer();
  artifacts = await startArtifactServer();
  busyboxContext(repository);
  writeFileSync(join(repository, 'bench.sh'), '#!/bin/sh\nsleep $SECONDS_ASLEEP\n', { mode: 0o755 });
  appendFileSync(join(repository, 'Dockerfile'), 'COPY bench.sh /bench.sh\nENV SECONDS_ASLEEP=0.1\n');
  const [, shown = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(readFileSync('README.md', 'utf8')) ?? [];
  // The plug is the reader's, and as many repetitions as settle it take too long.
  const short = ['meter: estimate', 'repetitions: 2', 'warmup: 0', 'rest: 300ms', 'guard: 100ms'];
  const workflow = shown
    .replace(/^ +repetitions: .*\n/m, '')
    .replace(/^( +)meter: .*/m, (_, indent) => short.map((line) => `${indent}${line}`).join('\n'));
  mkdirSync(join(repository, '.github', 'workflows'), { recursive: true });
  writeFileSync(join(repository, '.github', 'workflows', 'energy.yml'), workflow);
  commitAll(repository);
  copyAction(join(folder.path, 'action'));
});

afterAll(async () => {
  await comments.close();
  await artifacts.close();
  folder.remove();
});

const gitIn = (cwd: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.test', ...words], {
    cwd,
    encoding: 'utf8',
  }).trim();
const git = (...words: string[]): string => gitIn(repository, ...words);

/** What the forge tells of a pull request. */
const pullRequest = (head: string, base: string) => ({
  pull_request: {
    number: 5,
    head: { sha: head, repo: { full_name: 'octo/demo' } },
    base: { ref: 'main', sha: base },
  },
});

function commit(line: string): string {
  appendFileSync(join(repository, 'Dockerfile'), line);
  git('commit', '-q', '-a', '-m', line.trim());
  return git('rev-parse', 'HEAD');
}

describe('the image of a pull request against that of its base', () => {
  let result: ActResult;
  let parted: string;
  let head: string;

  beforeAll(async () => {
    parted = git('rev-parse', 'HEAD');
    git('checkout', '-q', '-b', 'feature');
    head = commit('ENV SECONDS_ASLEEP=2\n');
    // What came to the base later is not the pull request's.
    git('checkout', '-q', 'main');
    const base = commit('ENV SECONDS_ASLEEP=60\n');
    git('checkout', '-q', 'feature');
    const job = {
      folder: folder.path,
      apiUrl: comments.url,
      artifactEnv: artifacts.env,
      token: 'ghs_token-of-the-job',
    };
    const event = pullRequest(head, base);
    const words = ['--local-repository', `${REPOSITORY}@v1=${join(folder.path, 'action')}`];
    result = await runAct(job, { id: 61, eventName: 'pull_request', event, words });
  });

  it('is what is measured and told', () => {
    expect(result.trouble).toBe('');
    const files = unzip(artifacts.artifacts.get('joulediff') ?? Buffer.alloc(22));
    const findings: Findings = JSON.parse(files.get('findings.json')?.toString() ?? '{}');
    expect(findings.comparisons[0]).toMatchObject({ baseline: 'base', variant: 'head', blocks: 2 });
    const [base, changed] = findings.variants;
    // A sleep is never shorter than it says, however busy the machine is.
    expect(changed?.duration_s?.min).toBeGreaterThanOrEqual(2);
    expect(changed?.duration_s?.min).toBeLessThan(60);
    expect(base?.duration_s?.min).toBeLessThan(2);
    expect(JSON.stringify(findings.variants)).toContain(parted);
    expect(JSON.stringify(findings.variants)).toContain(head);
    expect(comments.comments[0]?.body).toMatch(/head/);
  });
});

// As examples/workflows/suite.yml has it, with benchmarks in Go: pytest takes half a second to start, and a window at least four times that.
describe('a suite of benchmarks of a pull request', () => {
  const own = temporaryFolder();
  const suite = join(own.path, 'repository');
  afterAll(() => own.remove());

  function commitSpeed(loops: number, more: string, message: string): string {
    const test = (name: string, n: number) =>
      `func Benchmark${name}(b *testing.B) {\n\tfor i := 0; i < b.N*${n}; i++ {\n\t\tsink += i * i\n\t}\n}\n`;
    const head = 'package speed\n\nimport "testing"\n\nvar sink int\n';
    const tests = test('Same', 100_000) + test('Slower', loops) + test(more, 1);
    writeFileSync(join(suite, 'speed_test.go'), head + tests);
    if (message === '') commitAll(suite);
    else gitIn(suite, 'commit', '-q', '-a', '-m', message);
    return gitIn(suite, 'rev-parse', 'HEAD');
  }

  it('is told with what changed, in comment and outputs', async () => {
    const short = ['meter: estimate', 'repetitions: 8', 'rest: 200ms', 'guard: 50ms'];
    const workflow = readFileSync('examples/workflows/suite.yml', 'utf8')
      .replace(/^( +suite: ).*/m, '$1go:.')
      .replace(/^( +)meter: .*/m, (_, indent) => short.map((line) => `${indent}${line}`).join('\n'));
    const outputs = join(own.path, 'outputs.json');
    const reported = [
      '      - if: always()',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow
      '        env: { OUTPUTS: "${{ toJSON(steps.energy.outputs) }}" }',
      `        run: printf '%s' "$OUTPUTS" > '${outputs}'`,
    ];
    mkdirSync(join(suite, '.github', 'workflows'), { recursive: true });
    writeFileSync(join(suite, 'go.mod'), 'module example.test/speed\n\ngo 1.21\n');
    writeFileSync(
      join(suite, '.github', 'workflows', 'suite.yml'),
      `${workflow.replace(`- uses: ${REPOSITORY}`, `- id: energy\n        uses: ${REPOSITORY}`).trimEnd()}\n${reported.join('\n')}\n`,
    );
    const base = commitSpeed(100_000, 'Removed', '');
    const head = commitSpeed(400_000, 'Added', 'Slow down');
    const job = { folder: own.path, apiUrl: comments.url, artifactEnv: artifacts.env, token: 'ghs_token-of-the-job' };
    const event = pullRequest(head, base);
    const words = ['--local-repository', `${REPOSITORY}@v1=${join(folder.path, 'action')}`];
    const result = await runAct(job, { id: 62, eventName: 'pull_request', event, words });
    // The slower one crosses a limit, so the step fails, and says why.
    expect(result.printed).toContain('BenchmarkSlower');
    expect(JSON.parse(readFileSync(outputs, 'utf8'))).toMatchObject({
      changed: expect.stringMatching(/BenchmarkSlower/),
      worst: expect.stringMatching(/BenchmarkSlower/),
    });
    const body = comments.comments.at(-1)?.body ?? '';
    expect(body).toContain('1 of 2 benchmarks uses more energy');
    expect(body).toMatch(/BenchmarkAdded\S* is new/);
    expect(body).toMatch(/BenchmarkRemoved\S* is gone/);
  }, 900_000);
});
