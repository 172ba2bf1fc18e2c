// Class: unit.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readInputs } from '../../src/action/inputs.ts';
import { main } from '../../src/cli.ts';
import { readExperiment } from '../../src/experiment/read.ts';

describe('examples/sort', () => {
  const folder = resolve('examples/sort');
  const scratch = mkdtempSync(join(tmpdir(), 'joulediff-examples-'));
  afterAll(() => rmSync(scratch, { recursive: true }));

  it('is an experiment', async () => {
    const experiment = await readExperiment('examples/sort/joulediff.yml');
    expect(experiment).toMatchObject({ name: 'sort', baseline: 'native', repetitions: 30, restS: 20, guardS: 3 });
    expect(experiment.variants[1]).toMatchObject({ volumes: [`${folder}:/work:ro`] });
  });

  it('sorts the same input everywhere', () => {
    const env = { PATH: process.env.PATH, TMPDIR: scratch, LINES: '2000', ROUNDS: '1' };
    execFileSync('./make-input.sh', { cwd: folder, env });
    execFileSync('./sort.sh', { cwd: folder, env });
    const input = readFileSync(join(scratch, 'joulediff-sort', 'input.txt'), 'utf8')
      .trimEnd()
      .split('\n');
    const sorted = readFileSync(join(scratch, 'joulediff-sort', 'sorted.txt'), 'utf8')
      .trimEnd()
      .split('\n');
    // x = 16807 x mod 2147483647, from 20240607: what any awk must come to.
    expect(input[0]).toBe(String((20240607 * 16807) % 2147483647).padStart(10, '0'));
    expect(input).toHaveLength(2000);
    expect(sorted).toEqual(input.toSorted());
  });
});

describe('each experiment of the examples, those of the papers too', () => {
  const files = globSync('examples/*/*.yml').filter((file) => /^(workload|suite):/m.test(readFileSync(file, 'utf8')));

  it.each(files)('%s is planned', async (file) => {
    let reported = '';
    const stream = { write: (part: string) => (reported += part) };
    const code = await main(['plan', '--offline', file], { stdout: stream, stderr: stream });
    expect({ code, reported }).toMatchObject({
      code: 0,
      reported: expect.stringMatching(/ runs? in randomized blocks /),
    });
  });
});

describe.each([
  [
    'pull-request',
    [
      { kind: 'native', name: 'base', revision: { name: 'main...feature' } },
      { kind: 'native', name: 'head', revision: { name: 'feature' } },
    ],
  ],
  ['native-and-container', [{ kind: 'native' }, { kind: 'container', build: { dockerfile: '/workspace/Dockerfile' } }]],
])('examples/workflows/%s.yml', (name, variants) => {
  const workflow = parse(readFileSync(`examples/workflows/${name}.yml`, 'utf8'));
  const step = workflow.jobs.energy.steps.find((candidate: { uses: string }) => candidate.uses.includes('/joulediff@'));

  it('gives the action inputs that it takes', () => {
    const declared = Object.keys(parse(readFileSync('action.yml', 'utf8')).inputs);
    expect(declared).toEqual(expect.arrayContaining(Object.keys(step.with)));
    const revisions = { base: 'main...feature', head: 'feature' };
    const inputs = readInputs((input) => String(step.with[input] ?? ''), '/workspace', revisions);
    expect(inputs.experiment).toMatchObject({
      kind: 'inline',
      experiment: { auto: { least: 10 }, repetitions: 60, variants },
    });
  });

  it('may write the comment, and nothing else', () => {
    expect(workflow.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
  });
});

describe('examples/workflows', () => {
  it('for pull requests compare with the merge base, and have the history for it', () => {
    for (const name of ['pull-request', 'dockerfile', 'fork-measure']) {
      const { jobs } = parse(readFileSync(`examples/workflows/${name}.yml`, 'utf8'));
      const [checkout, measure] = Object.values(jobs as Record<string, { steps: { with: object }[] }>)[0]?.steps ?? [];
      expect([name, checkout?.with, measure?.with]).toMatchObject([name, { 'fetch-depth': 0 }, { base: true }]);
    }
  });
});

describe('examples/workflows/history.yml', () => {
  const workflow = parse(readFileSync('examples/workflows/history.yml', 'utf8'));
  const step = workflow.jobs.energy.steps.find((candidate: { uses: string }) => candidate.uses.includes('/joulediff@'));

  it('gives the action inputs that it takes, and keeps the history on a branch of its own', () => {
    const declared = Object.keys(parse(readFileSync('action.yml', 'utf8')).inputs);
    expect(declared).toEqual(expect.arrayContaining(Object.keys(step.with)));
    const inputs = readInputs((name) => String(step.with[name] ?? ''), '/workspace');
    expect(inputs.experiment).toMatchObject({
      kind: 'inline',
      experiment: { name: 'bench', history: { branch: 'joulediff-history', file: null, track: null, alert: 'issue' } },
    });
  });

  it('is for commits of the default branch, may push, and never runs for a pull request', () => {
    expect(Object.keys(workflow.on)).toEqual(['push', 'workflow_dispatch']);
    expect(workflow.permissions).toEqual({ contents: 'write', issues: 'write', 'pull-requests': 'read' });
    expect(workflow.concurrency).toMatchObject({ 'cancel-in-progress': false, queue: 'max' });
  });
});
