// Class: system.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { workflowName } from '../../src/forge/workflow-name.ts';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'joulediff-workflow-'));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(workspace, dirname(path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

const step = (inputs: string) => `  - uses: OWNER/joulediff@v1\n        with: { ${inputs} }`;
const unnamed = (inputs = '', job = 'energy') =>
  `on: pull_request\njobs:\n  ${job}:\n    runs-on: joulediff\n    steps:\n      - run: make\n    ${step(inputs)}\n`;

describe('workflowName', () => {
  /** What the executor of Gitea leaves of the workflow: nothing. */
  const named = (more: Record<string, string> = {}) =>
    workflowName({ GITHUB_WORKFLOW: '', GITHUB_JOB: 'energy', GITHUB_WORKSPACE: workspace, ...more });

  it('is the name that the forge tells', () => {
    write('.github/workflows/energy.yml', unnamed());
    expect(named({ GITHUB_WORKFLOW: 'Energy', GITHUB_WORKFLOW_REF: 'o/r/.github/workflows/x.yml@main' })).toBe(
      'Energy',
    );
  });

  it('is the path that the forge tells, the same in every pull request', () => {
    const ref = (pull: number) => `octo/demo/.github/workflows/e.yml@refs/pull/${pull}/merge`;
    expect([1, 2].map((pull) => named({ GITHUB_WORKFLOW_REF: ref(pull) }))).toEqual([
      '.github/workflows/e.yml',
      '.github/workflows/e.yml',
    ]);
  });

  it('is the path of the only file without a name that has the job', () => {
    write('.gitea/workflows/energy.yaml', unnamed('config: a.yml'));
    write('.gitea/workflows/named.yml', `name: Other\n${unnamed('config: b.yml')}`);
    write('.gitea/workflows/tests.yml', unnamed('config: b.yml', 'test'));
    expect(named({ INPUT_CONFIG: 'b.yml' })).toBe('.gitea/workflows/energy.yaml');
  });

  it('tells two files with the same job apart by what the step was asked', () => {
    write('.gitea/workflows/a.yml', unnamed('config: a.yml, repetitions: 30'));
    write('.gitea/workflows/b.yml', unnamed(`config: b.yml, comment-key: '\${{ matrix.machine }}'`));
    const asked = { INPUT_REPETITIONS: '', 'INPUT_COMMENT-KEY': 'shelf' };
    expect(named({ ...asked, INPUT_CONFIG: 'b.yml' })).toBe('.gitea/workflows/b.yml');
    expect(named({ ...asked, INPUT_CONFIG: 'a.yml', INPUT_REPETITIONS: '30' })).toBe('.gitea/workflows/a.yml');
  });

  it('tells them apart where one leaves to the default what the other gives', () => {
    write('.gitea/workflows/default.yml', unnamed());
    write('.gitea/workflows/long.yml', unnamed('repetitions: 90'));
    expect(named({ INPUT_REPETITIONS: '90' })).toBe('.gitea/workflows/long.yml');
    expect(named({ INPUT_REPETITIONS: '' })).toBe('.gitea/workflows/default.yml');
  });

  it('is empty where two files are alike, where there is no file, and outside a job', () => {
    expect(named()).toBe('');
    write('.gitea/workflows/a.yml', unnamed());
    write('.gitea/workflows/b.yml', unnamed());
    expect([named(), workflowName({})]).toEqual(['', '']);
  });

  it('prefers the folder that a forge prefers', () => {
    for (const folder of ['.github', '.gitea']) write(`${folder}/workflows/energy.yml`, unnamed());
    expect(named()).toBe('.gitea/workflows/energy.yml');
  });

  it('survives whatever a pull request lays beside the workflows', () => {
    write('.gitea/workflows/energy.yml', unnamed());
    write('.gitea/workflows/broken.yml', '{{{');
    write('.gitea/workflows/list.yml', '- jobs');
    write('.gitea/workflows/steps.yml', 'jobs: { energy: { steps: { uses: x } } }');
    write('.gitea/workflows/huge.yml', `${unnamed()}#${'x'.repeat(1e6)}`);
    mkdirSync(join(workspace, '.gitea/workflows/folder.yml'));
    execFileSync('mkfifo', [join(workspace, '.gitea/workflows/pipe.yml')]);
    expect(named()).toBe('.gitea/workflows/energy.yml');
    write(
      '.gitea/workflows/odd.yml',
      'jobs: { energy: { steps: [null, 7, { uses: x, with: text }, { uses: x, with: [a] }] } }',
    );
    expect(named()).toBe('.gitea/workflows/energy.yml');
  });
});
